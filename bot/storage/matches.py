"""Tables, the logs of their matches, and their deadlines. Each query is a function of a connection in a transaction."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Update, bindparam, delete, exists, insert, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine import Options, commitment
from bot.engine.record import Line, from_fields, to_fields
from bot.players.levels import Level
from bot.players.styles import Style
from bot.storage import logs
from bot.storage.database import put_rows, upsert
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter, is_ours
from bot.storage.schema import deadlines, events, seats, substitutes, tables
from bot.storage.schema import guilds as guild_rows
from bot.storage.schema.parts import USER_LISTS
from bot.table.errors import StaleRead
from bot.table.model import (
    ChannelDisplay,
    ClockStage,
    Deadline,
    DeadlineKind,
    LastTurn,
    Pace,
    Seat,
    Status,
    TableRow,
    TableSettings,
    TakingBack,
    TimeoutPolicy,
    TurnClock,
)

MAX_TABLE_NUMBER: Final = 2**31 - 1
"""The largest number that fits into the column. Users can ask for any number."""
SHORT_LOG: Final = 150
"""Lines read on the event loop. More would take over 10 ms."""
_TABLE = select(tables).where(tables.c.id == bindparam("id"))
_SEATS = select(seats).where(seats.c.table_id == bindparam("id")).order_by(seats.c.seat)
_SEED = select(tables.c.seed).where(tables.c.id == bindparam("id"))
_CLOCK: Final = {field.name: f"turn_{field.name}" for field in fields(TurnClock)}
"""The columns of the turn's clock, by field."""
_PARTS: Final[Mapping[str, Callable[[TableRow], dict[str, Any]]]] = {
    "clock": lambda row: {column: getattr(row.clock, name) if row.clock else None for name, column in _CLOCK.items()},
    "options": lambda row: {"options": row.options.as_dict()},
    "settings": lambda row: {"settings": asdict(row.settings)},
    "last_turn": lambda row: {"last_turn": asdict(row.last_turn) if row.last_turn else None},
}
"""The values of columns for the fields of a table that aren't stored as they are."""
_SAME: Final = tuple(field.name for field in fields(TableRow) if field.name in tables.c and field.name not in _PARTS)
"""The fields that are stored as they are, in a column of the same name."""
_FIXED: Final = frozenset({"id", "guild_id", "channel_id", "seed", "created_at", "daily"})
"""Those that never change."""
_CHANGING: Final = tuple(name for name in _SAME if name not in _FIXED)
_DISPLAY: Final = {field.name: field.name for field in fields(ChannelDisplay)} | {"revision": "displayed_revision"}
"""The columns of what a table's channel shows, by field."""
_SHOWN: Final = select(*(tables.c[name] for name in _DISPLAY.values())).where(tables.c.id == bindparam("id"))
_SAVE_DISPLAY: Final = (
    update(tables)
    .where(tables.c.id == bindparam("the_id"))
    .values({name: bindparam(name) for name in _DISPLAY.values()})
)
_SAVE_DISPLAYED_REVISION: Final = (
    update(tables).where(tables.c.id == bindparam("the_id")).values(displayed_revision=bindparam("displayed"))
)
_DEADLINE: Final = select(deadlines).where(deadlines.c.table_id == bindparam("id"))
_DELETE_DEADLINE: Final = delete(deadlines).where(deadlines.c.table_id == bindparam("id"))
_IS_LEFT: Final = exists().where(guild_rows.c.id == tables.c.guild_id, guild_rows.c.left_at.is_not(None))
_NEEDS_NO_PERSON: Final = deadlines.c.kind.in_([DeadlineKind.AI, DeadlineKind.ORDERS])
_EARLIEST: Final = (
    select(deadlines)
    .join(tables, tables.c.id == deadlines.c.table_id)
    .where(or_(_NEEDS_NO_PERSON, ~_IS_LEFT))
    .order_by(deadlines.c.due_at)
    .limit(bindparam("limit"))
)


async def create(connection: AsyncConnection, row: TableRow) -> int:
    """Store a new table and its seats, and return its number. `row.id` is ignored."""
    shown = ChannelDisplay(revision=-1 if row.in_channel else MAX_TABLE_NUMBER)
    values = {name: value for name, value in _values(row).items() if name != "id"} | _display_values(shown)
    number: int = (await connection.execute(insert(tables).values(values).returning(tables.c.id))).scalar_one()
    await _put_seats(connection, number, row.seats)
    return number


async def load(connection: AsyncConnection, table_id: int) -> TableRow | None:
    """A table without its seed; None if no table has this number."""
    if not 0 < table_id <= MAX_TABLE_NUMBER:
        return None
    found = (await connection.execute(_TABLE, {"id": table_id})).mappings().first()
    if found is None:
        return None
    taken = (await connection.execute(_SEATS, {"id": table_id})).mappings().all()
    return from_rows(dict(found), [dict(seat) for seat in taken])


async def seed(connection: AsyncConnection, table_id: int) -> bytes:
    """The secret seed of a table's deals; empty if no table has this number."""
    return await connection.scalar(_SEED, {"id": table_id}) or b""


async def save(connection: AsyncConnection, row: TableRow, previous: TableRow) -> None:
    """Store a changed table with the next revision.

    Raises `StaleRead` unless `previous` is the stored revision.
    """
    values = _changes(row, previous)
    key = {"the_id": row.id, "previous": previous.revision}
    if (await connection.execute(_update(tuple(values)), values | key)).rowcount == 0:
        raise StaleRead
    if row.seats != previous.seats:
        await connection.execute(delete(seats).where(seats.c.table_id == row.id))
        await _put_seats(connection, row.id, row.seats)


async def append(connection: AsyncConnection, table_id: int, first_seq: int, lines: Iterable[Line]) -> None:
    """Append lines to a log of length `first_seq`. Raises an error of the database if the stored log is longer."""
    rows = [
        {"table_id": table_id, "seq": seq, "line": json.dumps(to_fields(line), ensure_ascii=False)}
        for seq, line in enumerate(lines, first_seq)
    ]
    await connection.execute(insert(events), rows)


async def load_lines(connection: AsyncConnection, table_id: int, since: int = 0) -> list[Line]:
    """The lines of a log after the first `since`; empty before the match starts."""
    found = await logs.load(connection, table_id, since)
    return parse_lines(found) if len(found) <= SHORT_LOG else await asyncio.to_thread(parse_lines, found)


def parse_lines(lines: Iterable[str]) -> list[Line]:
    """Parse the JSON lines of a log. Takes about 50 µs per line."""
    return [from_fields(json.loads(line)) for line in lines]


async def outdated(connection: AsyncConnection, guild_id: int | None = None) -> list[int]:
    """The tables of a guild, or of all of ours, whose channel doesn't show their latest revision."""
    chosen = true() if guild_id is None else tables.c.guild_id == guild_id
    is_outdated = tables.c.displayed_revision < tables.c.revision
    query = select(tables.c.id).where(is_outdated, chosen, is_ours(connection, tables.c.guild_id))
    return list(await connection.scalars(query.order_by(tables.c.id)))


async def display(connection: AsyncConnection, table_id: int) -> ChannelDisplay | None:
    """The messages of a table and the state they show; None if the table was deleted."""
    found = (await connection.execute(_SHOWN, {"id": table_id})).one_or_none()
    return None if found is None else ChannelDisplay(*found)


async def save_display(connection: AsyncConnection, table_id: int, display: ChannelDisplay) -> None:
    """Store what a table's channel shows."""
    await connection.execute(_SAVE_DISPLAY, _display_values(display) | {"the_id": table_id})


async def save_displayed_revisions(connection: AsyncConnection, revisions: Mapping[int, int]) -> set[int]:
    """Store the revisions that channels show, by table.

    Returns the tables left out because another transaction has locked them: moves at the others mustn't wait for it.
    """
    chosen = select(tables.c.id).where(tables.c.id.in_(revisions))
    free = {*await connection.scalars(chosen.with_for_update(skip_locked=True))}
    if rows := [{"the_id": table_id, "displayed": revisions[table_id]} for table_id in free]:
        await connection.execute(_SAVE_DISPLAYED_REVISION, rows)
    return {*await connection.scalars(chosen)} - free


async def put_deadline(connection: AsyncConnection, table_id: int, due: Deadline | None) -> None:
    """Replace the deadline of a table."""
    if due is None:
        await connection.execute(_DELETE_DEADLINE, {"id": table_id})
    else:
        row = {"table_id": table_id, "kind": due.kind, "due_at": due.due_at}
        await put_rows(connection, deadlines, [row], ("kind", "due_at"))


async def deadline(connection: AsyncConnection, table_id: int) -> Deadline | None:
    """The deadline of a table."""
    found = (await connection.execute(_DEADLINE, {"id": table_id})).first()
    return None if found is None else Deadline(found.table_id, DeadlineKind(found.kind), found.due_at)


async def earliest_deadlines(
    connection: AsyncConnection, limit: int, guilds: GuildFilter = ALL_GUILDS
) -> list[Deadline]:
    """The earliest deadlines of tables in these guilds, at most `limit`, in order.

    Where the app was removed, players can't answer, so only deadlines of AI players and standing orders count.
    """
    query = _EARLIEST if guilds.is_all else _EARLIEST.where(guilds.condition(tables.c.guild_id))
    found = await connection.execute(query, {"limit": limit})
    return [Deadline(row.table_id, DeadlineKind(row.kind), row.due_at) for row in found]


async def bring_forward(connection: AsyncConnection, kind: DeadlineKind, latest: int) -> None:
    """Move deadlines of a kind that are later than `latest` to `latest`."""
    late = (deadlines.c.kind == kind, deadlines.c.due_at > latest)
    await connection.execute(update(deadlines).where(*late).values(due_at=latest))


def _display_values(display: ChannelDisplay) -> dict[str, Any]:
    return {column: getattr(display, name) for name, column in _DISPLAY.items()}


async def _put_seats(connection: AsyncConnection, table_id: int, taken: Sequence[Seat]) -> None:
    if taken:
        rows = [{"table_id": table_id, "seat": number, **asdict(seat)} for number, seat in enumerate(taken)]
        await connection.execute(insert(seats), rows)
    sat_in = [
        {"table_id": table_id, "seat": number, "user_id": seat.substitute_id, "name": seat.substitute_name}
        for number, seat in enumerate(taken)
        if seat.substitute_id is not None
    ]
    if sat_in:
        await connection.execute(upsert(connection, substitutes).on_conflict_do_nothing(), sat_in)


@lru_cache
def _update(columns: tuple[str, ...]) -> Update:
    """The statement that stores these columns. A move changes few of them."""
    key = tables.c.id == bindparam("the_id"), tables.c.revision == bindparam("previous")
    return update(tables).where(*key).values({name: bindparam(name) for name in columns})


def _changes(row: TableRow, previous: TableRow) -> dict[str, Any]:
    """The values of changed columns."""
    values = {name: new for name in _CHANGING if (new := getattr(row, name)) != getattr(previous, name)}
    for name, values_of in _PARTS.items():
        if getattr(row, name) != getattr(previous, name):
            values |= values_of(row)
    return values


def _values(row: TableRow) -> dict[str, Any]:
    """The values of all columns."""
    values = {name: getattr(row, name) for name in _SAME}
    for values_of in _PARTS.values():
        values |= values_of(row)
    return values


def from_rows(found: Mapping[str, Any], taken: Sequence[Mapping[str, Any]]) -> TableRow:
    """A table without its seed, from its row and the rows of its seats."""
    values: dict[str, Any] = {name: found[name] for name in _SAME}
    values |= {name: tuple(found[name]) for name in USER_LISTS}
    values |= {
        "seed": b"",
        "commitment": commitment(found["seed"]),
        "status": Status(found["status"]),
        "options": Options.of(found["edition"], found["options"]),
        "pace": Pace(found["pace"]),
        "seats": tuple(_seat(seat) for seat in taken),
        "settings": _settings(found["settings"]),
        "clock": _clock(found),
        "last_turn": _last_turn(found["last_turn"]),
    }
    return TableRow(**values)


def _seat(found: Mapping[str, Any]) -> Seat:
    seat = Seat(**{field.name: found[field.name] for field in fields(Seat)})
    return replace(seat, ai_style=Style(found["ai_style"]))


def _settings(found: dict[str, Any]) -> TableSettings:
    settings = TableSettings(**found)
    return replace(
        settings,
        on_timeout=TimeoutPolicy(settings.on_timeout),
        undo=TakingBack(settings.undo),
        ai_level=Level(settings.ai_level),
    )


def _clock(found: Mapping[str, Any]) -> TurnClock | None:
    if found["turn_began"] is None:
        return None
    values = {name: found[column] for name, column in _CLOCK.items()}
    counts = {name: values[name] or 0 for name in ("answers", "paused", "off", "reminders")}
    return TurnClock(**{**values, **counts, "stage": ClockStage(found["turn_stage"])})


def _last_turn(found: dict[str, Any] | None) -> LastTurn | None:
    if found is None:
        return None
    clock = found["clock"]
    return LastTurn(TurnClock(**{**clock, "stage": ClockStage(clock["stage"])}), found["bank"])
