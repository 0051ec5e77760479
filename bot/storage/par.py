"""The pars of hands, which are computed some time after a match has ended."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import leaderboard, locks
from bot.storage.guild_filter import is_ours
from bot.storage.schema import hand_players, matches, tables


async def newest_due(connection: AsyncConnection) -> int | None:
    """The latest match in our guilds whose pars haven't been computed yet.

    Leaves out those whose deals others still play: luck on a profile would say something about them.
    """
    known = select(matches.c.table_id).join(tables, tables.c.id == matches.c.table_id)
    due = (matches.c.par_due, tables.c.deals_secret.is_(False), is_ours(connection, tables.c.guild_id))
    newest = known.where(*due).order_by(matches.c.finished_at.desc()).limit(1)
    number: int | None = await connection.scalar(newest)
    return number


async def store(connection: AsyncConnection, table_id: int, pars: Mapping[int, Sequence[int]]) -> None:
    """Store the pars of a match by hand and seat, in hundredths of a point, and add them to the leaderboards.

    Does nothing if the match was deleted or another process has done it.
    """
    guild_id = await connection.scalar(select(matches.c.guild_id).where(matches.c.table_id == table_id))
    if guild_id is None:
        return
    await locks.lock(connection, guild_id)
    due = (matches.c.table_id == table_id) & matches.c.par_due
    if (await connection.execute(update(matches).where(due).values(par_due=False))).rowcount != 1:
        return
    rows = [{"h": hand, "s": seat, "new": par} for hand, seats in pars.items() for seat, par in enumerate(seats)]
    if rows:
        column = hand_players.c
        own = (column.table_id == table_id, column.hand == bindparam("h"), column.seat == bindparam("s"))
        await connection.execute(update(hand_players).where(*own).values(par=bindparam("new")), rows)
        await leaderboard.add_pars(connection, table_id)
