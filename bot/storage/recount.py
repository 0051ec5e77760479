"""The data that `python -m bot recount` reads and replaces: results of matches, and sums of guilds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any, TypeAlias

from sqlalchemy import Table, bindparam, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.titles import TitleStats
from bot.storage import results
from bot.storage.database import put_rows, upsert
from bot.storage.schema import hand_players, match_players, matches, members, title_stats
from bot.storage.schema import scores as sums

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CountedMatch:
    """A match that counts."""

    table_id: int
    nth: int
    finished_at: int
    season: int | None


@dataclass(frozen=True, slots=True)
class Results:
    """The stored result of a match."""

    people_only: bool
    rated: bool
    players: Sequence[Row]
    """By seat, with the columns that a recount can change."""
    hands: Sequence[Row]
    """By hand and seat."""


async def guilds(connection: AsyncConnection) -> list[int]:
    """The guilds with matches that count."""
    return list(await connection.scalars(select(matches.c.guild_id).distinct().order_by(matches.c.guild_id)))


async def matches_since(connection: AsyncConnection, guild_id: int, nth: int) -> list[CountedMatch]:
    """The matches of a guild after the `nth`, in order."""
    column = matches.c
    query = select(column.table_id, column.nth, column.finished_at, column.season)
    found = query.where(column.guild_id == guild_id, column.nth > nth).order_by(column.nth)
    return [CountedMatch(*row) for row in await connection.execute(found)]


async def matches_by_season(connection: AsyncConnection, guild_id: int) -> dict[int | None, int]:
    """The number of matches of a guild in each season, and in none."""
    column = matches.c
    query = (
        select(column.season, func.count().label("number")).where(column.guild_id == guild_id).group_by(column.season)
    )
    return {row.season: row.number for row in await connection.execute(query)}


async def matches_with_par(connection: AsyncConnection, guild_id: int) -> set[int]:
    """The matches of a guild whose pars have been computed."""
    column = matches.c
    query = select(column.table_id).where(column.guild_id == guild_id, column.par_due.is_(False))
    return {*await connection.scalars(query)}


async def match_results(connection: AsyncConnection, table_id: int) -> Results | None:
    """The stored result of a match that counts; None if it was deleted."""
    match, player, hand = matches.c, match_players.c, hand_players.c
    of_match = select(match.people_only, match.rated).where(match.table_id == table_id)
    flags = (await connection.execute(of_match)).one_or_none()
    if flags is None:
        return None
    columns = (player.user_id, player.name, player.place, player.total, player.absent)
    of_players = select(*columns).where(player.table_id == table_id).order_by(player.seat)
    columns_of_hands = [column for column in hand_players.c if column.name != "par"]  # it follows from the deal alone
    of_hands = select(*columns_of_hands).where(hand.table_id == table_id).order_by(hand.hand, hand.seat)
    players, hands = [
        [dict(row) for row in (await connection.execute(query)).mappings()] for query in (of_players, of_hands)
    ]
    return Results(flags.people_only, flags.rated, players, hands)


async def replace_results(connection: AsyncConnection, guild_id: int, table_id: int, new: Results) -> None:
    """Replace the result of a match. The pars of its hands stay."""
    flags = {"people_only": new.people_only, "rated": new.rated}
    await connection.execute(update(matches).where(matches.c.table_id == table_id).values(flags))
    for seat, row in enumerate(new.players):
        own = (match_players.c.table_id == table_id) & (match_players.c.seat == seat)
        await connection.execute(update(match_players).where(own).values(row))
    column = hand_players.c
    old = await connection.execute(select(column.hand, column.seat, column.par).where(column.table_id == table_id))
    pars = {(row.hand, row.seat): row.par for row in old}
    await connection.execute(delete(hand_players).where(column.table_id == table_id))
    if new.hands:
        rows = [{**row, "par": pars.get((row["hand"], row["seat"]))} for row in new.hands]
        await connection.execute(insert(hand_players), rows)
    owners = {row["user_id"]: row["name"] for row in new.players}
    if known := await results.member_rows(connection, guild_id, table_id, owners):
        await connection.execute(upsert(connection, members).on_conflict_do_nothing(), known)


async def replace_sums(
    connection: AsyncConnection, guild_id: int, new: Iterable[Row], stats: Mapping[int, TitleStats]
) -> int:
    """Replace the sums of a guild, without members who were deleted since.

    Returns the number of leaderboard rows that changed.
    """
    known = {*await connection.scalars(select(members.c.user_id).where(members.c.guild_id == guild_id))}
    kept = [row for row in new if row["user_id"] in known]
    changed = await _replace(connection, sums, guild_id, kept)
    rows = [{"guild_id": guild_id, "user_id": user, **asdict(each)} for user, each in stats.items() if user in known]
    await _replace(connection, title_stats, guild_id, rows)
    return changed


async def _replace(connection: AsyncConnection, table: Table, guild_id: int, rows: Iterable[Row]) -> int:
    """Replace the rows of a guild that differ, with few statements, because others wait. Returns their number."""
    names = [column.name for column in table.c]
    values, key = itemgetter(*names), itemgetter(*(names.index(column.name) for column in table.primary_key))
    old = {key(row): tuple(row) for row in await connection.execute(select(table).where(table.c.guild_id == guild_id))}
    new = {key(values(row)): row for row in rows}
    gone = [name for name in old if name not in new]
    changed = [row for name, row in new.items() if old.get(name) != values(row)]
    await _delete(connection, table, gone)
    await put_rows(connection, table, changed, [column.name for column in table.c if not column.primary_key])
    return len(gone) + len(changed)


async def _delete(connection: AsyncConnection, table: Table, keys: Sequence[tuple[Any, ...]]) -> None:
    """Delete rows by their primary keys."""
    columns = list(table.primary_key)
    names = [f"old_{column.name}" for column in columns]
    own = [column == bindparam(name) for name, column in zip(names, columns, strict=True)]
    if rows := [dict(zip(names, key, strict=True)) for key in keys]:
        await connection.execute(delete(table).where(*own), rows)
