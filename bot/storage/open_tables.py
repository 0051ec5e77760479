"""The open tables of a guild, in the lobby or in play, without hands of the day.

All queries use one partial index (`ix_tables_open`). So their cost doesn't depend on tables that have ended or are
open elsewhere. None reads a log.
"""

from collections.abc import Collection
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, exists, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.matches import from_rows
from bot.storage.schema import seats, tables
from bot.table.model import Place, Status, TableRow

IS_LISTED: Final = and_(
    tables.c.status.in_([literal_column(f"'{status}'") for status in Status if status.is_open]),
    tables.c.daily.is_(None),
)
"""Literals, because SQLite uses a partial index only if the query contains its condition."""
_place: Final = func.coalesce(tables.c.thread_id, tables.c.channel_id)
_player: Final = case((seats.c.ai_level.is_(None), func.coalesce(seats.c.substitute_id, seats.c.user_id)))
"""The user who currently plays a seat."""
Listed: TypeAlias = tuple[TableRow, int | None]
"""A table in a list, and the message that shows it, if known."""


async def numbers(connection: AsyncConnection, guild_id: int) -> list[int]:
    """The open tables of a guild, the oldest first."""
    found = await connection.scalars(select(tables.c.id).where(_in_guild(guild_id)).order_by(tables.c.id))
    return list(found)


async def count(connection: AsyncConnection, guild_id: int, host_id: int | None = None) -> int:
    """The number of open tables in channels, of one host or of all."""
    # "+ 0" keeps SQLite from reading all tables of this host, the finished ones too.
    of_host = [] if host_id is None else [tables.c.host_id + 0 == host_id]
    query = select(func.count()).select_from(tables).where(_in_guild(guild_id), tables.c.in_channel, *of_host)
    return (await connection.execute(query)).scalar_one()


async def ai_names(connection: AsyncConnection, guild_id: int, channel_id: int) -> set[str]:
    """The names of the AI players at open tables of a channel."""
    query = (
        select(seats.c.name)
        .join(tables, tables.c.id == seats.c.table_id)
        .where(_in_guild(guild_id), tables.c.channel_id == channel_id, tables.c.in_channel)
        .where(seats.c.user_id.is_(None), seats.c.name != "")
    )
    return set(await connection.scalars(query))


async def solo_match(connection: AsyncConnection, guild_id: int, user_id: int) -> int | None:
    """A user's match against AI players that no channel shows; None without one."""
    # "+ 0" as in `count`
    chosen = _in_guild(guild_id), ~tables.c.in_channel, tables.c.host_id + 0 == user_id
    return await connection.scalar(select(tables.c.id).where(*chosen).limit(1))


async def rematches(connection: AsyncConnection, table_id: int) -> list[int]:
    """The open tables where the players of a match play again, the oldest first."""
    query = select(tables.c.id).where(tables.c.rematch_of == table_id, IS_LISTED).order_by(tables.c.id)
    return list(await connection.scalars(query))


async def in_thread(connection: AsyncConnection, guild_id: int, thread_id: int) -> list[int]:
    """The tables shown in a thread."""
    query = select(tables.c.id).where(_in_guild(guild_id), _place == thread_id).order_by(tables.c.id)
    return list(await connection.scalars(query))


async def nearest(connection: AsyncConnection, guild_id: int, user_id: int, channel_id: int) -> int | None:
    """The table that a user most likely means: one of theirs, or else one in this channel.

    If they have several, one in this channel comes first, then one where it's their turn, then the newest. Those that
    they have conceded aren't theirs.
    """
    seat = and_(seats.c.table_id == tables.c.id, _is_in_seat(user_id))
    is_here, is_turn = _place == channel_id, and_(seats.c.seat == tables.c.turn, _player == user_id)
    is_known = or_(seats.c.seat.is_not(None), and_(is_here, tables.c.in_channel))
    query = (
        select(tables.c.id)
        .outerjoin_from(tables, seats, seat)
        .where(_in_guild(guild_id), is_known)
        .order_by(*(case((is_so, 0), else_=1) for is_so in (~seats.c.conceded, is_here, is_turn)))
        .order_by(tables.c.id.desc())
        .limit(1)
    )
    return await connection.scalar(query)


async def nearest_lobby(connection: AsyncConnection, guild_id: int, host_id: int, channel_id: int) -> int | None:
    """The table of a host before its first deal: one in this channel, or else the newest."""
    query = (
        select(tables.c.id)
        # "+ 0" keeps SQLite from reading all tables of this host, the finished ones too.
        .where(_in_guild(guild_id), tables.c.host_id + 0 == host_id, tables.c.status == Status.LOBBY)
        .order_by(case((_place == channel_id, 0), else_=1), tables.c.id.desc())
        .limit(1)
    )
    return await connection.scalar(query)


async def places(connection: AsyncConnection, guild_id: int) -> list[Place]:
    """The channels and threads with open tables."""
    columns = tables.c.channel_id, tables.c.thread_id, tables.c.parent_id
    query = select(*columns).where(_in_guild(guild_id)).distinct()
    return [Place(*found) for found in await connection.execute(query)]


async def page(
    connection: AsyncConnection, guild_id: int, user_id: int, visible: Collection[int], offset: int, limit: int
) -> tuple[int, list[Listed]]:
    """The number of tables shown in the `visible` places or with a seat of the user, and a page of them.

    The newest come first. The page begins after the first `offset` tables and has at most `limit`.
    """
    chosen = and_(_in_guild(guild_id), tables.c.in_channel, or_(_place.in_(visible), _has_seat(user_id)))
    every = (await connection.execute(select(func.count()).select_from(tables).where(chosen))).scalar_one()
    query = select(tables).where(chosen).order_by(tables.c.id.desc()).offset(offset).limit(limit)
    return every, await _listed(connection, query)


async def involving(connection: AsyncConnection, guild_id: int, user_id: int) -> list[Listed]:
    """The tables where a user has a seat or may have been invited."""
    named = cast(tables.c.awaited, Text).contains(str(user_id))  # or a longer id that contains it
    query = select(tables).where(_in_guild(guild_id), or_(named, _has_seat(user_id))).order_by(tables.c.id)
    return await _listed(connection, query)


async def elsewhere(connection: AsyncConnection, guild_id: int, user_id: int) -> list[Listed]:
    """The tables in other guilds where a user has a seat. Reads all seats that the user has ever had."""
    seated = select(seats.c.table_id).where(_is_in_seat(user_id))
    query = (
        select(tables).where(tables.c.id.in_(seated), IS_LISTED, tables.c.guild_id != guild_id).order_by(tables.c.id)
    )
    return await _listed(connection, query)


async def has_seat(connection: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """True if a user has a seat at an open table."""
    return bool(await connection.scalar(select(exists().where(_in_guild(guild_id), _has_seat(user_id)))))


async def with_deadline(connection: AsyncConnection, user_id: int) -> list[int]:
    """The tables in all guilds where a user's turn has a deadline."""
    query = (
        select(tables.c.id)
        .join_from(seats, tables, seats.c.table_id == tables.c.id)
        .where(_is_in_seat(user_id), IS_LISTED, tables.c.turn_due.is_not(None))
        .where(tables.c.turn == seats.c.seat)
        .order_by(tables.c.id)
    )
    return list(await connection.scalars(query))


def _in_guild(guild_id: int) -> ColumnElement[bool]:
    return and_(tables.c.guild_id == guild_id, IS_LISTED)


def _is_in_seat(user_id: int) -> ColumnElement[bool]:
    return or_(seats.c.user_id == user_id, seats.c.substitute_id == user_id)


def _has_seat(user_id: int) -> ColumnElement[bool]:
    return exists().where(seats.c.table_id == tables.c.id, _is_in_seat(user_id))


async def _listed(connection: AsyncConnection, query: Select[Any]) -> list[Listed]:
    """The tables of a query with their seats, in two statements."""
    found = (await connection.execute(query)).mappings().all()
    taken: dict[int, list[dict[str, Any]]] = {row["id"]: [] for row in found}
    of_these = select(seats).where(seats.c.table_id.in_(taken)).order_by(seats.c.table_id, seats.c.seat)
    for seat in (await connection.execute(of_these)).mappings():
        taken[seat["table_id"]].append(dict(seat))
    return [(from_rows(row, taken[row["id"]]), row["message_id"]) for row in found]
