"""Tables and their logs, on SQLite and PostgreSQL."""

from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest
from sqlalchemy import delete, select

from bot.engine import Options
from bot.engine.record import Line
from bot.players.simulation import SimulationSettings, simulate
from bot.storage import matches
from bot.storage.database import Database
from bot.storage.schema import events, seats, tables
from bot.table.errors import StaleRead, StorageError
from bot.table.model import ChannelDisplay, LastTurn, Pace, Status, TableRow, TableSettings, TakingBack, TurnClock
from tests.storage.sample_rows import ADA, JADE, SEED, table_row


async def stored(database: Database, row: TableRow) -> TableRow:
    """Store a table. Returns it as it's loaded: with a number, without its seed."""
    async with database.write() as connection:
        return replace(row, id=await matches.create(connection, row), seed=b"")


async def load(database: Database, number: int) -> TableRow:
    async with database.read() as connection:
        row = await matches.load(connection, number)
    assert row is not None
    return row


def log() -> list[Line]:
    _, happened = simulate(SimulationSettings(4, "days-of-wonder", Options(target=10), "storage"), 1)
    return [Line(event, 1_700_000_000 + number) for number, event in enumerate(happened)]


async def test_a_loaded_table_equals_the_stored_one(any_database: Database) -> None:
    row = await stored(any_database, table_row(revision=4))
    assert await load(any_database, row.id) == row


async def test_the_seed_is_loaded_alone(any_database: Database) -> None:
    row = await stored(any_database, table_row())
    assert await any_database.fetch(matches.seed, row.id) == SEED
    assert await any_database.fetch(matches.seed, row.id + 1) == b""


async def test_every_status_and_pace_can_be_stored(any_database: Database) -> None:
    for status, pace in product(Status, Pace):
        row = await stored(any_database, replace(table_row(status=status), pace=pace))
        assert await load(any_database, row.id) == row


@pytest.mark.parametrize("number", [-1, 0, 99, 2**31 - 1, 2**31, 2**53, 10**60])
async def test_an_unknown_number_has_no_table(any_database: Database, number: int) -> None:
    await stored(any_database, table_row())
    async with any_database.read() as connection:
        assert await matches.load(connection, number) is None


async def test_a_match_that_has_not_begun_has_no_lines(any_database: Database) -> None:
    row = await stored(any_database, table_row())
    async with any_database.read() as connection:
        assert await matches.load_lines(connection, row.id) == []


async def test_numbers_are_never_used_again(any_database: Database) -> None:
    first = await stored(any_database, table_row())
    second = await stored(any_database, table_row())
    async with any_database.write() as connection:
        await connection.execute(delete(tables).where(tables.c.id == second.id))
    third = await stored(any_database, table_row())
    assert first.id < second.id < third.id


NEW_VALUES: dict[str, Any] = {
    "host_id": 77,
    "status": Status.OVER,
    "size": 3,
    "edition": "summary-sheet",
    "options": Options(target=7),
    "pace": Pace.NONE,
    "seats": (JADE, ADA),
    "settings": TableSettings(undo=TakingBack.OFF),
    "invited": (5, 6),
    "awaited": (5,),
    "invitations": 9,
    "removed": (8,),
    "in_channel": False,
    "pausing": (1,),
    "ending": (2,),
    "clock": TurnClock(5, 6, answers=7),
    "turn": 2,
    "last_turn": LastTurn(TurnClock(1, 2, paused=3), 4),
    "paused_at": 10,
    "nudged_at": 11,
    "parent_id": 16,
    "thread_id": 12,
    "ended": "closed",
    "closed_by_id": 13,
    "first_message_id": 15,
    "starts_itself": False,
    "deals_secret": False,
    "was_duplicate": False,
    "lowered_moves": 14,
}
"""Another value of each field that can change without another table."""
UNCHANGED = {
    "id",
    "guild_id",
    "channel_id",
    "seed",
    "commitment",
    "created_at",
    "revision",
    "daily",
    "rematch_of",
    "duplicate_of",
}


@pytest.mark.parametrize("name", [field.name for field in fields(TableRow) if field.name not in UNCHANGED])
async def test_each_field_can_be_changed_alone_and_back(any_database: Database, name: str) -> None:
    before = await stored(any_database, table_row())
    after = replace(before, revision=before.revision + 1, **{name: NEW_VALUES[name]})
    assert getattr(after, name) != getattr(before, name)
    restored = replace(before, revision=after.revision + 1)
    for row, previous in ((after, before), (restored, after)):
        await any_database.commit(matches.save, row, previous)
        assert await load(any_database, before.id) == row


async def test_a_change_of_one_table_does_not_affect_others(any_database: Database) -> None:
    first, other = await stored(any_database, table_row()), await stored(any_database, table_row())
    async with any_database.write() as connection:
        await matches.save(connection, replace(first, seats=(ADA,), revision=1), first)
    assert await load(any_database, other.id) == other


async def test_a_change_to_an_old_revision_is_refused(any_database: Database) -> None:
    before = await stored(any_database, table_row())
    first, second = replace(before, host_id=1, revision=1), replace(before, host_id=2, seats=(ADA,), revision=1)
    async with any_database.write() as connection:
        await matches.save(connection, first, before)
    with pytest.raises(StaleRead):
        async with any_database.write() as connection:
            await matches.save(connection, second, before)
    assert await load(any_database, before.id) == first


async def test_a_log_is_loaded_in_order(any_database: Database) -> None:
    row, lines = await stored(any_database, table_row()), log()
    other = await stored(any_database, table_row())
    for start in range(0, len(lines), 7):
        async with any_database.write() as connection:
            await matches.append(connection, row.id, start, lines[start : start + 7])
            await matches.append(connection, other.id, start, reversed(lines[start : start + 7]))
    async with any_database.read() as connection:
        assert await matches.load_lines(connection, row.id) == lines
        assert len(await matches.load_lines(connection, other.id)) == len(lines)


async def test_a_second_write_at_the_same_position_is_refused_completely(any_database: Database) -> None:
    row, lines = await stored(any_database, table_row()), log()
    async with any_database.write() as connection:
        await matches.append(connection, row.id, 0, lines[:5])

    async def write_late() -> None:
        async with any_database.write() as connection:
            await matches.save(connection, replace(row, seats=(ADA,), revision=1), row)
            await matches.append(connection, row.id, 4, lines[4:9])

    with pytest.raises(StorageError):
        await write_late()
    async with any_database.read() as connection:
        assert await matches.load_lines(connection, row.id) == lines[:5]
    assert await load(any_database, row.id) == row


async def test_deleting_a_table_deletes_its_rows(any_database: Database) -> None:
    row = await stored(any_database, table_row())
    async with any_database.write() as connection:
        await matches.append(connection, row.id, 0, log()[:3])
        await connection.execute(delete(tables).where(tables.c.id == row.id))
    async with any_database.read() as connection:
        assert (await connection.execute(select(events))).all() == []
        assert (await connection.execute(select(seats))).all() == []


async def test_a_new_table_is_not_on_display(any_database: Database) -> None:
    row = await stored(any_database, table_row())
    async with any_database.read() as connection:
        assert await matches.display(connection, row.id) == ChannelDisplay()
        assert await matches.outdated(connection) == [row.id]


async def test_the_display_is_stored_until_the_table_changes(any_database: Database) -> None:
    row, shown = (
        await stored(any_database, table_row()),
        ChannelDisplay(2**60, 2**61, "7.12.turn", 0, 9, announced_duplicate=True),
    )
    async with any_database.write() as connection:
        await matches.save_display(connection, row.id, shown)
    async with any_database.read() as connection:
        assert await matches.display(connection, row.id) == shown
        assert await matches.outdated(connection) == []
    async with any_database.write() as connection:
        await matches.save(connection, replace(row, revision=1), row)
    async with any_database.read() as connection:
        assert await matches.outdated(connection) == [row.id]
        assert await matches.display(connection, row.id) == shown
