"""Moving a SQLite database to PostgreSQL."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
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
    null,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine import Options
from bot.storage import matches, moving
from bot.storage.database import Database
from bot.storage.moving import MoveError
from bot.storage.schema import audit_log, imports, metadata, seats
from bot.storage.session_locks import LockSession
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
            for number in range(1, ROWS + 1):
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


def quiet(*_: object) -> None:
    pass


async def _contents(database: Database, table: Table) -> list[tuple[Any, ...]]:
    async with database.read() as connection:
        return sorted((tuple(row) for row in await connection.execute(select(table))), key=repr)


async def _change(database: Database, statement: str) -> None:
    async with database.write() as connection:
        await connection.execute(text(statement))


async def _tables_of(database: Database) -> int:
    """The number of tables on PostgreSQL."""
    async with database.read() as connection:
        query = text("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'")
        return int(await connection.scalar(query) or 0)


@pytest.mark.parametrize("batch", [3, ROWS, 500])
async def test_every_row_of_every_table_is_copied(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(moving, "BATCH_SIZE", batch)
    assert await moving.move(source, target, quiet) == ROWS * len(metadata.tables)
    await target.require()
    for table in metadata.sorted_tables:
        assert await _contents(target, table) == await _contents(source, table), table.name


async def test_an_empty_database_is_copied(sqlite_database: Database, target: Database) -> None:
    assert await moving.move(sqlite_database, target, quiet) == 0
    await target.require()


async def test_json_is_stored_as_it_was(source: Database, target: Database) -> None:
    await moving.move(source, target, quiet)
    query = text("SELECT CAST(options AS TEXT), CAST(last_turn AS TEXT) FROM tables ORDER BY id")
    async with source.read() as old, target.read() as new:
        assert (await new.execute(query)).all() == (await old.execute(query)).all()


async def test_new_rows_get_numbers_that_were_never_used(source: Database, target: Database) -> None:
    await _change(source, f"DELETE FROM tables WHERE id = {ROWS}")
    await moving.move(source, target, quiet)
    async with target.write() as connection:
        assert await matches.create(connection, table_row()) == ROWS + 1
        for table in (audit_log, imports):
            row = {name: value for name, value in _row(table, 20).items() if name != "id"}
            assert await connection.scalar(insert(table).values(row).returning(table.c.id)) == ROWS + 1


async def test_progress_is_reported_to_the_end(source: Database, target: Database) -> None:
    told: list[tuple[object, ...]] = []
    await moving.move(source, target, lambda *step: told.append(step))
    for table in metadata.tables:
        assert ("copied", table, ROWS, ROWS) in told
        assert ("compared", table, ROWS, ROWS) in told


class _Stopped(Exception):
    pass


@pytest.mark.parametrize("steps", [0, 1, 20, 2 * len(metadata.tables) - 1])
async def test_after_a_failure_the_target_is_empty(source: Database, target: Database, steps: int) -> None:
    left = iter(range(steps))

    def step(*_: object) -> None:
        if next(left, None) is None:
            raise _Stopped

    with pytest.raises(_Stopped):
        await moving.move(source, target, step)
    assert await _tables_of(target) == 0
    assert await moving.move(source, target, quiet) == ROWS * len(metadata.tables)


KILLED = """
import asyncio, os, signal, sys
from bot.storage.database import Database
from bot.storage.moving import move

def step(_what, table, _done, _of):
    if table == "seats":
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(move(Database(sys.argv[1]), Database(sys.argv[2]), step))
"""


async def test_after_a_kill_the_target_is_empty(
    source: Database, target: Database, sqlite_url: str, empty_postgresql_url: str
) -> None:
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, sqlite_url, empty_postgresql_url)
    assert await killed.wait() == -signal.SIGKILL
    assert await _tables_of(target) == 0
    assert await moving.move(source, target, quiet) == ROWS * len(metadata.tables)


@pytest.mark.parametrize(
    "change", ["UPDATE seats SET name = 'Bo' WHERE table_id = 3", "DELETE FROM seats WHERE table_id = 3"]
)
async def test_a_copy_that_differs_is_refused(
    source: Database, target: Database, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    store = moving._store

    async def store_something_else(new: AsyncConnection, table: Table, rows: list[dict[str, Any]]) -> None:
        await store(new, table, rows)
        if table is seats:
            await new.execute(text(change))

    monkeypatch.setattr(moving, "_store", store_something_else)
    with pytest.raises(MoveError, match="the copy of the table seats differs"):
        await moving.move(source, target, quiet)
    assert await _tables_of(target) == 0


async def test_a_row_that_postgresql_refuses_is_reported_without_its_contents(
    source: Database, target: Database
) -> None:
    await _change(source, f"UPDATE seats SET name = '{SECRET * 10}' WHERE table_id = 3")
    with pytest.raises(MoveError) as refused:
        await moving.move(source, target, quiet)
    assert str(refused.value) == "PostgreSQL refuses a row of the table seats: StringDataRightTruncationError"
    assert await _tables_of(target) == 0


async def test_a_target_with_data_is_refused(source: Database, target: Database) -> None:
    await target.upgrade()
    async with target.write() as connection:
        await matches.create(connection, replace(table_row(), seats=(), options=Options()))
    with pytest.raises(MoveError, match="already has data, in the table tables: give an empty database"):
        await moving.move(source, target, quiet)
    await _change(target, "DELETE FROM tables")
    assert await moving.move(source, target, quiet)
    with pytest.raises(MoveError, match="already has data"):
        await moving.move(source, target, quiet)


async def test_a_target_that_a_process_serves_is_refused(
    source: Database, target: Database, empty_postgresql_url: str
) -> None:
    process = LockSession(empty_postgresql_url)
    await process.open()
    await process.lock(7)
    with pytest.raises(MoveError, match="the app uses the target: stop it first"):
        await moving.move(source, target, quiet)
    await process.close()
    assert await _tables_of(target) == 0


async def test_a_source_or_target_of_another_version_is_refused(source: Database, target: Database) -> None:
    await target.upgrade()
    await _change(target, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(MoveError, match="the target can't be used: this version doesn't know its schema 9999"):
        await moving.move(source, target, quiet)
    await _change(source, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(MoveError, match="the source can't be used: its schema is that of another version"):
        await moving.move(source, target, quiet)


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
