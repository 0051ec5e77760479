"""The stored data about a user."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import RowMapping, Text, cast, false, func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.bulk import stream_parts
from bot.storage.logs import StoredLogs, load_stored
from bot.storage.readable import readable_row
from bot.storage.schema import (
    hand_players,
    match_players,
    matches,
    metadata,
    seats,
    substitutes,
    tables,
    title_stats,
    titles,
)
from bot.storage.schema.parts import HAS_LISTED_USERS, USER_LISTS
from bot.table.user import StoredCounts

_SEAT_TABLES: Final = ("seats", "substitutes")
"""Tables of the database about seats. Their rows are exported with the table."""
OTHER_USER_COLUMNS: Final = ("user_id", "substitute_id", "substitute_name")
"""Columns of `seats` left out of the owner's export: the id is known, and the substitute is another user."""
TABLE_COLUMNS: Final = (
    *("id", "guild_id", "channel_id", "parent_id", "thread_id", "status", "size", "edition", "options", "settings"),
    *("pace", "created_at", "in_channel", "daily", "ended"),
)
"""Columns of `tables` exported with each seat."""
MATCH_COLUMNS: Final = ("hands", "finished_at", "people_only", "rated", "season")
"""Columns of `matches` exported with each seat."""


async def stored_counts(connection: AsyncConnection, user_id: int) -> StoredCounts:
    """The number of a user's stored matches and hands, and of the guilds where they played."""
    played = match_players.c.user_id == user_id
    query = select(func.count(), func.count(match_players.c.guild_id.distinct())).where(played)
    (found,) = await connection.execute(query)
    hands = select(func.count()).select_from(hand_players).where(hand_players.c.user_id == user_id)
    return StoredCounts(found[0], await connection.scalar(hands) or 0, found[1])


async def guilds_of(connection: AsyncConnection, user_id: int) -> list[int]:
    """The guilds where a user has finished hands, so they may hold titles."""
    return list(await connection.scalars(select(title_stats.c.guild_id).where(title_stats.c.user_id == user_id)))


async def rows(connection: AsyncConnection, user_id: int) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    """All rows about a user, in parts, each with the name of its SQL table. `user_seats` reads those about seats.

    The first part of each SQL table is empty, so that an export names all of them.
    """
    for sql_table in metadata.sorted_tables:
        if "user_id" in sql_table.c and sql_table.name not in _SEAT_TABLES:
            yield sql_table.name, []
            query = select(sql_table).where(sql_table.c.user_id == user_id).order_by(*sql_table.primary_key.columns)
            async for part in stream_parts(connection, query):
                yield sql_table.name, [readable_row(row, ("user_id",)) for row in part]


@dataclass(frozen=True, slots=True)
class UserSeat:
    """A seat that a user owns, or where they have substituted, with the names that they had."""

    table_id: int
    seat: int
    is_owned: bool
    names: tuple[str, ...]
    conceded: bool = False
    """The owner has given it up for the rest of the match."""


async def user_seats(connection: AsyncConnection, user_id: int) -> list[UserSeat]:
    """All seats that a user owns or has substituted in, by table."""
    found: dict[tuple[int, int], list[str]] = {}
    own: dict[tuple[int, int], bool] = {}
    for sql_table in (seats, substitutes):
        conceded = seats.c.conceded if sql_table is seats else false().label("conceded")
        query = select(sql_table.c.table_id, sql_table.c.seat, sql_table.c.name, conceded).where(
            sql_table.c.user_id == user_id
        )
        async for part in stream_parts(connection, query):
            for row in part:
                key = row["table_id"], row["seat"]
                found.setdefault(key, []).append(row["name"])
                if sql_table is seats:
                    own[key] = row["conceded"]
    return [UserSeat(*key, key in own, tuple(names), own.get(key, False)) for key, names in sorted(found.items())]


@dataclass(frozen=True, slots=True)
class SeatData:
    """The stored data about some of a user's seats: the tables, the seats that they own, and the logs."""

    tables: Sequence[RowMapping]
    seats: Sequence[RowMapping]
    logs: StoredLogs

    def columns(self, user_seat: UserSeat) -> dict[str, Any]:
        """The columns of a seat and its table as a JSON object, without those about other users."""
        about = [readable_row(row, ("id",)) for row in self.tables if row["id"] == user_seat.table_id]
        key = user_seat.table_id, user_seat.seat
        owned = [readable_row(row, OTHER_USER_COLUMNS) for row in self.seats if (row["table_id"], row["seat"]) == key]
        return {name: value for row in (*about, *owned) for name, value in row.items()}


async def seat_data(connection: AsyncConnection, user_id: int, numbers: Collection[int]) -> SeatData:
    """The stored data about a user's seats at some tables. The number of statements is fixed."""
    results = [column for column in matches.c if column.name in MATCH_COLUMNS]
    about = (
        select(*(tables.c[name] for name in TABLE_COLUMNS), *results).outerjoin(matches).where(tables.c.id.in_(numbers))
    )
    owned = select(seats).where(seats.c.user_id == user_id, seats.c.table_id.in_(numbers))
    at_tables = (await connection.execute(about)).mappings().all()
    at_seats = (await connection.execute(owned)).mappings().all()
    return SeatData(at_tables, at_seats, await load_stored(connection, numbers))


async def listed(connection: AsyncConnection, user_id: int) -> dict[str, list[int]]:
    """The tables whose lists contain the user, by list."""
    lists = [tables.c[name] for name in USER_LISTS]
    query = select(tables.c.id, *lists).where(
        text(f"({HAS_LISTED_USERS})"), or_(*(cast(each, Text).contains(str(user_id)) for each in lists))
    )
    rows = (await connection.execute(query.order_by(tables.c.id))).mappings().all()
    return {name: [row["id"] for row in rows if user_id in row[name]] for name in USER_LISTS}


async def lost_titles(connection: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """The titles that the user held before the current holders."""
    query = select(titles.c.guild_id, titles.c.title, titles.c.since).where(titles.c.before_id == user_id)
    return [readable_row(row) for row in (await connection.execute(query)).mappings()]


async def tables_with(connection: AsyncConnection, user_id: int, column: str) -> list[int]:
    """The tables with the user in a column of `tables`, `host_id` or `closed_by_id`."""
    return list(await connection.scalars(select(tables.c.id).where(tables.c[column] == user_id).order_by(tables.c.id)))
