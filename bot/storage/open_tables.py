"""Queries about the open tables of a guild: in the lobby or in play, without hands of the day.

All of them read one partial index (`ix_tables_open`), so they cost the same however many tables have ended and however
many are open elsewhere. None reads a log.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, exists, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.matches import from_rows
from bot.storage.schema import seats, tables
from bot.table.model import Place, Status, TableRow

IS_OPEN: Final = and_(
    tables.c.status.in_([literal_column(f"'{status}'") for status in Status if status.is_open]),
    tables.c.daily.is_(None),
)
"""Literals, as SQLite uses a partial index only where the query contains its condition."""
_place: Final = func.coalesce(tables.c.thread_id, tables.c.channel_id)
_player: Final = case((seats.c.ai_level.is_(None), func.coalesce(seats.c.substitute_id, seats.c.user_id)))
"""The user who plays a seat at present."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An open table in a list."""

    row: TableRow
    message_id: int | None
    """The message that shows it, if it is known."""


async def numbers(connection: AsyncConnection, guild_id: int) -> list[int]:
    """The numbers of all of them, oldest first."""
    found = await connection.scalars(select(tables.c.id).where(_of(guild_id)).order_by(tables.c.id))
    return list(found)


async def count(connection: AsyncConnection, guild_id: int, host_id: int | None = None) -> int:
    """How many there are, of one host or of all."""
    # "+ 0" keeps SQLite from reading all tables of this host, the finished ones too.
    of_host = [] if host_id is None else [tables.c.host_id + 0 == host_id]
    query = select(func.count()).select_from(tables).where(_of(guild_id), *of_host)
    return (await connection.execute(query)).scalar_one()


async def rematches(connection: AsyncConnection, table_id: int) -> list[int]:
    """The numbers of those where the players of a table play again, oldest first."""
    query = select(tables.c.id).where(tables.c.rematch_of == table_id, IS_OPEN).order_by(tables.c.id)
    return list(await connection.scalars(query))


async def lock(connection: AsyncConnection, guild_id: int) -> None:
    """Have other transactions that lock a guild wait until this one is over; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_advisory_xact_lock(guild_id)))


async def in_thread(connection: AsyncConnection, guild_id: int, thread_id: int) -> list[int]:
    """The numbers of those that are shown in a thread of their own."""
    query = select(tables.c.id).where(_of(guild_id), tables.c.thread_id == thread_id).order_by(tables.c.id)
    return list(await connection.scalars(query))


async def nearest(connection: AsyncConnection, guild_id: int, user_id: int, channel_id: int) -> int | None:
    """The table that a user most likely means in a channel: one where they sit, else one that is open here.

    Of those where they sit, one here comes before one elsewhere, then one that waits for them, then the newest.
    """
    seat = and_(seats.c.table_id == tables.c.id, _is_in_seat(user_id))
    is_here, is_turn = _place == channel_id, and_(seats.c.seat == tables.c.turn, _player == user_id)
    query = (
        select(tables.c.id)
        .outerjoin_from(tables, seats, seat)
        .where(_of(guild_id), or_(seats.c.seat.is_not(None), is_here))
        .order_by(*(case((is_so, 0), else_=1) for is_so in (seats.c.seat.is_not(None), is_here, is_turn)))
        .order_by(tables.c.id.desc())
        .limit(1)
    )
    return await connection.scalar(query)


async def places(connection: AsyncConnection, guild_id: int) -> list[Place]:
    """Where they are."""
    query = select(tables.c.channel_id, tables.c.thread_id).where(_of(guild_id)).distinct()
    return [Place(*found) for found in await connection.execute(query)]


async def page(
    connection: AsyncConnection, guild_id: int, user_id: int, visible: Collection[int], first: int, most: int
) -> tuple[int, list[Listed]]:
    """The tables in the `visible` channels and threads, and those where a user sits: how many, and a page of them.

    The newest come first; the page begins after `first` and has at most `most`.
    """
    chosen = and_(_of(guild_id), or_(_place.in_(visible), _sits(user_id)))
    every = (await connection.execute(select(func.count()).select_from(tables).where(chosen))).scalar_one()
    query = select(tables).where(chosen).order_by(tables.c.id.desc()).offset(first).limit(most)
    return every, await _listed(connection, query)


async def involving(connection: AsyncConnection, guild_id: int, user_id: int) -> list[Listed]:
    """Those where a user sits or sits in, and those to which they may be asked."""
    named = cast(tables.c.awaited, Text).contains(str(user_id))  # or a longer id
    query = select(tables).where(_of(guild_id), or_(named, _sits(user_id))).order_by(tables.c.id)
    return await _listed(connection, query)


async def with_deadline(connection: AsyncConnection, user_id: int) -> list[int]:
    """The numbers of the tables, in all guilds, where a user's turn may have a deadline."""
    query = (
        select(tables.c.id)
        .join_from(seats, tables, seats.c.table_id == tables.c.id)
        .where(_is_in_seat(user_id), IS_OPEN, tables.c.turn_due.is_not(None))
        .where(func.coalesce(tables.c.turn, seats.c.seat) == seats.c.seat)
        .order_by(tables.c.id)
    )
    return list(await connection.scalars(query))


def _of(guild_id: int) -> ColumnElement[bool]:
    return and_(tables.c.guild_id == guild_id, IS_OPEN)


def _is_in_seat(user_id: int) -> ColumnElement[bool]:
    return or_(seats.c.user_id == user_id, seats.c.substitute_id == user_id)


def _sits(user_id: int) -> ColumnElement[bool]:
    return exists().where(seats.c.table_id == tables.c.id, _is_in_seat(user_id))


async def _listed(connection: AsyncConnection, query: Select[Any]) -> list[Listed]:
    """The rows of a query of tables, with their seats: two statements, however many there are."""
    found = (await connection.execute(query)).mappings().all()
    taken: dict[int, list[dict[str, Any]]] = {row["id"]: [] for row in found}
    of_these = select(seats).where(seats.c.table_id.in_(taken)).order_by(seats.c.table_id, seats.c.seat)
    for seat in (await connection.execute(of_these)).mappings():
        taken[seat["table_id"]].append(dict(seat))
    return [Listed(from_rows(row, taken[row["id"]]), row["message_id"]) for row in found]
