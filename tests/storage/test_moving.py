"""Moving a SQLite database to PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
    make_url,
    null,
    select,
    text,
)

from bot.engine import Options
from bot.storage import database as database_module
from bot.storage import leases, matches, moving
from bot.storage.database import Database
from bot.storage.leases import Lease
from bot.storage.moving import Comparison, MoveError
from bot.storage.schema import audit_log, imports, metadata, seats
from bot.storage.schema import leases as lease_table
from bot.table.errors import StorageError
from tests.conftest import opened
from tests.storage.sample_rows import HUGE, table_row

ROWS = 7
"""Rows of each table."""
SECRET = "Ada has 1M and 10R"


@pytest.fixture
async def target(empty_postgresql_url: str) -> AsyncIterator[Database]:
    """An empty database on PostgreSQL."""
    async with opened(empty_postgresql_url) as database:
        yield database


@pytest.fixture
async def source(sqlite_database: Database) -> Database:
    """A SQLite database with rows in every table."""
    async with sqlite_database.write() as connection:
        for table in metadata.sorted_tables:
            for number in () if table is lease_table else range(1, ROWS + 1):
                await connection.execute(insert(table).values(_row(table, number)))
        await connection.execute(text("UPDATE tables SET options = ' [ 1.50,  2 ]' WHERE id = 2"))
    return sqlite_database


def _row(table: Table, number: int) -> dict[str, Any]:
    """A row with a value in each column, or with null where that is possible in every third row."""
    return {
        column.name: null() if column.nullable and number % 3 == 0 else _value(column, number)
        for column in table.columns
    }


def _value(column: Column[Any], number: int) -> object:
    match column.type:
        case BigInteger():
            return {"guild_id": HUGE}.get(column.name, HUGE - number)
        case Boolean():
            return number % 2 == 0
        case Integer():
            return number
        case Float():
            return number / 3 * 10 ** (5 * number)
        case JSON():
            return [number, None, "🀄 ä", {"x": 0.1}]
        case LargeBinary():
            return bytes([number, 0, 255] * 10)
        case String(length=length):
            return f"{'aZé⚡ _🀄'[number % 7]}{number}"[:length]
        case _:
            raise AssertionError(column)


async def _move(source: Database, target: Database) -> Comparison:
    return await moving.move(source, target, lambda *_: None)


async def _contents(database: Database, table: Table) -> list[tuple[Any, ...]]:
    async with database.read() as connection:
        return sorted((tuple(row) for row in await connection.execute(select(table))), key=repr)


async def _change(database: Database, statement: str) -> None:
    async with database.write() as connection:
        await connection.execute(text(statement))


async def test_every_row_of_every_table_is_copied(source: Database, target: Database) -> None:
    found = await _move(source, target)

    assert (found.rows, found.differences) == (ROWS * (len(metadata.tables) - 1), 0)
    await target.require()
    for table in metadata.sorted_tables:
        expected = [] if table is lease_table else await _contents(source, table)
        assert await _contents(target, table) == expected, table.name


async def test_json_is_stored_as_it_was(source: Database, target: Database) -> None:
    await _move(source, target)
    query = text("SELECT CAST(options AS TEXT), CAST(last_turn AS TEXT) FROM tables ORDER BY id")
    async with source.read() as old, target.read() as new:
        assert (await new.execute(query)).all() == (await old.execute(query)).all()


async def test_new_rows_get_numbers_that_were_never_used(source: Database, target: Database) -> None:
    await _change(source, f"DELETE FROM tables WHERE id = {ROWS}")
    await _move(source, target)
    async with target.write() as connection:
        assert await matches.create(connection, table_row()) == ROWS + 1
        for table in (audit_log, imports):
            row = {name: value for name, value in _row(table, 20).items() if name != "id"}
            assert await connection.scalar(insert(table).values(row).returning(table.c.id)) == ROWS + 1


class _Stopped(Exception):
    pass


def _stop_after(steps: int) -> moving.Progress:
    left: Iterator[int] = iter(range(steps))

    def step(*_: object) -> None:
        if next(left, None) is None:
            raise _Stopped

    return step


def _stop_when_copied(what: str, *_: object) -> None:
    if what == "compared":
        raise _Stopped


async def test_an_interrupted_copy_continues_from_any_point(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "BATCH_SIZE", 3)
    for steps in count(1, 7):
        try:
            found = await moving.move(source, target, _stop_after(steps))
        except _Stopped:
            with pytest.raises(StorageError, match="move_data_unfinished_"):  # the app can't use it yet
                await target.upgrade()
        else:
            break
    assert steps > 10 * 7
    assert (found.rows, found.differences) == (ROWS * (len(metadata.tables) - 1), 0)
    assert await _contents(target, seats) == await _contents(source, seats)


async def test_differences_are_reported_without_contents(source: Database, target: Database) -> None:
    with pytest.raises(_Stopped):
        await moving.move(source, target, _stop_when_copied)
    await _change(target, f"UPDATE seats SET name = '{SECRET}' WHERE table_id = 3")
    await _change(target, "DELETE FROM seats WHERE table_id = 4")
    await _change(target, "INSERT INTO table_alerts VALUES (1, 2)")

    found = await _move(source, target)

    assert sorted(found.examples) == [
        "seats (table_id=3, seat=3)",
        "seats (table_id=4, seat=4)",
        "table_alerts (guild_id=1, user_id=2)",
    ]
    assert found.differences == 3
    with pytest.raises(StorageError, match="another version"):
        await target.require()


async def test_a_row_that_postgresql_refuses_is_named_without_its_contents(source: Database, target: Database) -> None:
    await _change(source, f"UPDATE seats SET name = '{SECRET * 10}' WHERE table_id = 3")
    with pytest.raises(MoveError) as refused:
        await _move(source, target)
    assert "the row table_id=3, seat=3 of the table seats: StringDataRightTruncationError" in str(refused.value)
    assert SECRET not in str(refused.value)

    await _change(source, "UPDATE seats SET name = 'Ada' WHERE table_id = 3")
    assert not (await _move(source, target)).differences


async def test_a_target_with_data_is_refused(source: Database, target: Database) -> None:
    await target.upgrade()
    async with target.write() as connection:
        await matches.create(connection, replace(table_row(), seats=(), options=Options()))
    with pytest.raises(MoveError, match="already has data, in the table tables: give an empty database"):
        await _move(source, target)
    await _change(target, "DELETE FROM tables")
    assert not (await _move(source, target)).differences
    with pytest.raises(MoveError, match="already has data"):
        await _move(source, target)


async def test_a_copy_of_another_source_or_of_one_played_on_is_not_continued(
    source: Database, target: Database
) -> None:
    with pytest.raises(_Stopped):
        await moving.move(source, target, _stop_after(20))
    await _change(source, "UPDATE tables SET revision = revision + 1 WHERE id = 1")
    with pytest.raises(MoveError, match="a part of another copy, or the source has changed"):
        await _move(source, target)


async def test_a_source_that_changes_during_the_copy_is_noticed(
    source: Database, target: Database, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[str] = []

    def change_once(what: str, *_: object) -> None:
        if what == "compared" and waiting:
            with closing(sqlite3.connect(str(make_url(sqlite_url).database), isolation_level=None)) as connection:
                connection.execute(waiting.pop())

    for change, problem in (
        ("INSERT INTO leases VALUES (1, 0, 'one', 'box', '', 1, 0, 0, '[]')", "a process has begun to serve Discord"),
        ("DELETE FROM table_alerts", "the source has changed during the copy"),
    ):
        monkeypatch.setattr(database_module, "OBSERVED_SECONDS", 0.01)
        waiting.append(change)
        with pytest.raises(MoveError, match=problem):
            await moving.move(source, target, change_once)
        with pytest.raises(StorageError):
            await target.require()


async def test_a_source_or_target_of_another_version_is_refused(source: Database, target: Database) -> None:
    await target.upgrade()
    await _change(target, "UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(MoveError, match="the target's schema is that of another version"):
        await _move(source, target)
    await _change(source, "UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(MoveError, match="the source can't be used: its schema is that of another version"):
        await _move(source, target)


async def test_a_source_that_a_process_serves_is_refused(
    source: Database, target: Database, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Lease(1, 0, "one", "process 5 on box", beat=8)
    await source.commit(leases.put, [process])
    async with opened(sqlite_url) as other:
        moving_data = asyncio.create_task(_move(source, target))
        while not moving_data.done():
            process = replace(process, beat=process.beat + 1)
            await other.commit(leases.put, [process])
    with pytest.raises(MoveError, match=r"process 5 on box serves Discord from the source: stop it first"):
        await moving_data

    monkeypatch.setattr(database_module, "OBSERVED_SECONDS", 0.2)  # it has been killed
    assert not (await _move(source, target)).differences


@pytest.mark.parametrize(
    "url", ["gang.sqlite3", "sqlite+aiosqlite:///gang.sqlite3", "postgresql://u:pw@host/x", "a://["]
)
def test_only_postgresql_is_a_target(url: str) -> None:
    with pytest.raises(MoveError, match=r"^the target isn't a PostgreSQL database: [^@]*$"):
        moving.target_url(url)


def test_a_source_is_a_file_or_its_url() -> None:
    assert moving.source_url("data/gang.sqlite3") == "sqlite+aiosqlite:///data/gang.sqlite3"
    assert moving.source_url("sqlite+aiosqlite:////srv/gang.sqlite3") == "sqlite+aiosqlite:////srv/gang.sqlite3"
    for url in ("postgresql+asyncpg://u:pw@host/x", "mysql://u:pw@host/x"):
        with pytest.raises(MoveError, match=r"^the source isn't a SQLite database: give its file$"):
            moving.source_url(url)
