"""All that is kept of a person, as it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import RowMapping, Table, Text, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import (
    LISTS_OF_PEOPLE,
    deeds,
    hand_players,
    match_players,
    metadata,
    seats,
    sitters,
    tables,
    titles,
)

_TIMES: Final = {"at": 1, "since": 1, "opened_at": 1, "started_at": 1, "ordered_at": 1000}
"""Columns that hold times, and in how many parts of a second."""
_OF_SEATS: Final = ("seats", "sitters")
"""Tables of the database that say who sits where; they are told with the table at which they sit."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How much is kept of somebody."""

    matches: int
    hands: int
    servers: int


async def figures(connection: AsyncConnection, user_id: int) -> Figures:
    """How many finished matches and hands are kept of somebody, and in how many servers."""
    played = match_players.c.user_id == user_id
    query = select(func.count(), func.count(match_players.c.guild_id.distinct())).where(played)
    (found,) = await connection.execute(query)
    hands = select(func.count()).select_from(hand_players).where(hand_players.c.user_id == user_id)
    return Figures(found[0], await connection.scalar(hands) or 0, found[1])


async def guilds_of(connection: AsyncConnection, user_id: int) -> list[int]:
    """The guilds in which somebody has finished hands, and so may hold titles."""
    return list(await connection.scalars(select(deeds.c.guild_id).where(deeds.c.user_id == user_id)))


async def rows(connection: AsyncConnection, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """The rows that bear somebody's id, by the table of the database in which they stand."""
    found = {}
    for table in metadata.sorted_tables:
        if "user_id" in table.c and table.name not in _OF_SEATS:
            found[table.name] = [_told(row) for row in await _theirs(connection, table, user_id)]
    return found


async def _theirs(connection: AsyncConnection, table: Table, user_id: int) -> Sequence[RowMapping]:
    query = select(table).where(table.c.user_id == user_id).order_by(*table.primary_key.columns)
    return (await connection.execute(query)).mappings().all()


def _told(row: RowMapping) -> dict[str, Any]:
    return {str(name): readable(str(name), value) for name, value in row.items() if name != "user_id"}


def readable(column: str, value: Any) -> Any:  # noqa: ANN401  # whatever a column holds
    """The value of a column as people read it: times in ISO 8601, UTC."""
    if value is None or column not in _TIMES:
        return value
    return datetime.fromtimestamp(value / _TIMES[column], UTC).isoformat()


async def seats_of(connection: AsyncConnection, user_id: int) -> dict[tuple[int, int], dict[str, Any]]:
    """The columns of every seat that a user owns, without those about a substitute, by table and seat."""
    columns = [column for column in seats.c if column.name not in ("user_id", "sitter_id", "sitter_name")]
    found = (await connection.execute(select(*columns).where(seats.c.user_id == user_id))).mappings()
    return {(row["table_id"], row["seat"]): _told(row) for row in found}


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that somebody owns, or in which they have sat under some names."""

    table_id: int
    seat: int
    is_owned: bool
    names: tuple[str, ...]


async def places(connection: AsyncConnection, user_id: int) -> list[Place]:
    """Every seat that somebody has had, in the order of the tables."""
    owned = select(seats.c.table_id, seats.c.seat, seats.c.name).where(seats.c.user_id == user_id)
    sat_in = select(sitters.c.table_id, sitters.c.seat, sitters.c.name).where(sitters.c.user_id == user_id)
    found: dict[tuple[int, int], list[str]] = {}
    own = set()
    for table_id, seat, name in await connection.execute(owned):
        own.add((table_id, seat))
        found.setdefault((table_id, seat), []).append(name)
    for table_id, seat, name in await connection.execute(sat_in):
        found.setdefault((table_id, seat), []).append(name)
    return [Place(*place, place in own, tuple(names)) for place, names in sorted(found.items())]


async def listed(connection: AsyncConnection, user_id: int) -> dict[str, list[int]]:
    """The tables in whose lists of people somebody stands, by the list."""
    lists = [tables.c[name] for name in LISTS_OF_PEOPLE]
    query = select(tables.c.id, *lists).where(or_(*(cast(each, Text).contains(str(user_id)) for each in lists)))
    rows = (await connection.execute(query.order_by(tables.c.id))).mappings().all()
    return {name: [row["id"] for row in rows if user_id in row[name]] for name in LISTS_OF_PEOPLE}


async def lost_titles(connection: AsyncConnection, user_id: int) -> list[dict[str, Any]]:
    """The titles that somebody held before those who hold them now."""
    query = select(titles.c.guild_id, titles.c.title, titles.c.since).where(titles.c.before_id == user_id)
    return [_told(row) for row in (await connection.execute(query)).mappings()]


async def hosted(connection: AsyncConnection, user_id: int) -> list[int]:
    """The numbers of the tables whose host is this user."""
    query = select(tables.c.id).where(tables.c.host_id == user_id).order_by(tables.c.id)
    return list(await connection.scalars(query))


async def closed(connection: AsyncConnection, user_id: int) -> list[int]:
    """The numbers of the tables that this user has closed."""
    query = select(tables.c.id).where(tables.c.closed_by_id == user_id).order_by(tables.c.id)
    return list(await connection.scalars(query))
