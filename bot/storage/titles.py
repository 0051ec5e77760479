"""The titles of guilds: their holders, and the statistics of the members who can win them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.titles import HeldTitle, Holder, TitleChange, TitleStats
from bot.storage.bulk import fetch_converted
from bot.storage.database import put_rows
from bot.storage.schema import members, title_stats, titles, users
from bot.storage.schema.parts import TITLE_STATS


async def title_stats_of(connection: AsyncConnection, guild_id: int, user_ids: Iterable[int]) -> dict[int, TitleStats]:
    """The statistics of some members; those without any are missing."""
    query = select(title_stats).where(title_stats.c.guild_id == guild_id, title_stats.c.user_id.in_(list(user_ids)))
    return {row.user_id: TitleStats(*row[2:]) for row in await connection.execute(query)}


async def all_title_stats(connection: AsyncConnection, guild_id: int) -> dict[int, TitleStats]:
    """The statistics of all members who aren't hidden."""
    query = (
        select(title_stats)
        .outerjoin(users, users.c.user_id == title_stats.c.user_id)
        .where(title_stats.c.guild_id == guild_id, users.c.hidden.is_not(True))
    )
    return await fetch_converted(connection, query, lambda rows: {row.user_id: TitleStats(*row[2:]) for row in rows})


async def save_title_stats(connection: AsyncConnection, guild_id: int, new: dict[int, TitleStats]) -> None:
    """Store the statistics of some members."""
    rows = [{"guild_id": guild_id, "user_id": user_id, **asdict(each)} for user_id, each in new.items()]
    await put_rows(connection, title_stats, rows, TITLE_STATS)


async def holders(connection: AsyncConnection, guild_id: int) -> dict[str, Holder]:
    """The holders of a guild's titles, by title."""
    column = titles.c
    columns = (column.title, column.user_id, column.value, column.since, column.table_id, column.before_id)
    found = [Holder(*row) for row in await connection.execute(select(*columns).where(column.guild_id == guild_id))]
    return {holder.title: holder for holder in found}


async def replace_holders(connection: AsyncConnection, guild_id: int, new: Sequence[Holder]) -> None:
    """Replace all holders of a guild's titles."""
    await connection.execute(delete(titles).where(titles.c.guild_id == guild_id))
    if new:
        await connection.execute(titles.insert(), [{"guild_id": guild_id, **asdict(holder)} for holder in new])


async def held(connection: AsyncConnection, guild_id: int) -> dict[str, HeldTitle]:
    """The titles of a guild whose holders aren't hidden, by title."""
    query = (
        select(titles.c.title, titles.c.user_id, members.c.name, titles.c.value)
        .join(members, (members.c.guild_id == titles.c.guild_id) & (members.c.user_id == titles.c.user_id))
        .outerjoin(users, users.c.user_id == titles.c.user_id)
        .where(titles.c.guild_id == guild_id, users.c.hidden.is_not(True))
    )
    return {title: HeldTitle(*holder) for title, *holder in await connection.execute(query)}


async def changes(connection: AsyncConnection, guild_id: int, table_id: int) -> list[TitleChange]:
    """The titles that a match has given to their current holders, unless those are hidden."""
    now, before = members.alias(), members.alias()
    hidden = select(users.c.user_id).where(users.c.hidden)
    query = (
        select(titles.c.title, titles.c.value, now.c.name, before.c.name)
        .join(now, (now.c.guild_id == guild_id) & (now.c.user_id == titles.c.user_id))
        .outerjoin(
            before,
            (before.c.guild_id == guild_id)
            & (before.c.user_id == titles.c.before_id)
            & before.c.user_id.not_in(hidden),
        )
        .where(titles.c.guild_id == guild_id, titles.c.table_id == table_id, titles.c.user_id.not_in(hidden))
        .order_by(titles.c.title)
    )
    return [TitleChange(*row) for row in await connection.execute(query)]
