"""The SQLite connections: complete results, and no transaction left open."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from typing import Any, cast

import pytest
from sqlalchemy import bindparam, column, table, text, update

from bot.storage.connection import AsyncConnection
from bot.storage.database import Database, change_one, restore_generation
from bot.storage.sqlite_connection import BATCH_SIZE, LATER
from bot.table.errors import StaleRead, StorageError
from tests.conftest import opened

BOUND = 10.0
"""Seconds until a test that waits for SQLite has failed."""
NUMBERS = (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) SELECT i FROM n LIMIT {last}"
)


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    """An SQLite database, also where others are on PostgreSQL."""
    async with opened(sqlite_url) as found:
        yield found


@pytest.mark.parametrize("rows", [0, 1, BATCH_SIZE - 1, BATCH_SIZE, BATCH_SIZE + 1, 3 * BATCH_SIZE + 7])
async def test_a_result_is_complete(database: Database, rows: int) -> None:
    query = text(NUMBERS.format(last=rows))
    async with database.read() as connection:
        assert list(await connection.scalars(query)) == list(range(1, rows + 1))
        parts = [part async for part in connection.stream(query, size=70)]
        assert [row.i for part in parts for row in part] == list(range(1, rows + 1))


async def is_free(database: Database) -> bool:
    """True if another connection can write now."""
    async with database.write() as connection:
        await connection.execute(text("UPDATE guilds SET locale = locale"))
    return True


@pytest.mark.parametrize("statements", [0, 1, 2])
async def test_a_failed_transaction_leaves_nothing(database: Database, statements: int) -> None:
    with suppress(ZeroDivisionError):
        async with database.write() as connection:
            for number in range(statements):
                await connection.execute(text(f"CREATE TABLE t{number} (i INTEGER)"))
            raise ZeroDivisionError
    assert await is_free(database)
    async with database.read() as connection:
        assert not list(await connection.scalars(text("SELECT name FROM sqlite_master WHERE name LIKE 't_'")))


async def test_a_canceled_transaction_leaves_nothing(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(text("CREATE TABLE kept (i INTEGER)"))
    for _ in range(20):
        with suppress(TimeoutError):
            async with asyncio.timeout(0.005), database.write() as connection:
                for number in count():
                    await connection.execute(text("INSERT INTO kept VALUES (:n)"), {"n": number})
        assert await is_free(database)
    async with database.read() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM kept")) == 0


@contextmanager
def held_up(connection: AsyncConnection) -> Iterator[None]:
    """Keep SQLite's thread busy during the block."""
    driver, may_go_on = cast("Any", connection.sync_connection.connection.driver_connection), threading.Event()
    driver._tx.put_nowait((None, may_go_on.wait))
    try:
        yield
    finally:
        may_go_on.set()


async def test_a_read_ends_without_waiting_for_sqlite(database: Database) -> None:
    with ExitStack() as stack:

        async def read() -> None:
            async with database.read() as connection:
                await connection.execute(text("SELECT 1"))
                stack.enter_context(held_up(connection))

        reading = asyncio.create_task(read())
        ended, _ = await asyncio.wait([reading], timeout=BOUND)
    await reading
    assert ended


@pytest.mark.parametrize("fails", [True, False])
async def test_a_canceled_transaction_ends_when_it_is_undone_or_committed(database: Database, fails: bool) -> None:
    with ExitStack() as stack:
        ends = asyncio.Event()

        async def write() -> None:
            async with database.write() as connection:
                await connection.execute(text("CREATE TABLE kept (i INTEGER)"))
                stack.enter_context(held_up(connection))
                ends.set()
                if fails:
                    raise ZeroDivisionError

        writing = asyncio.create_task(write())
        await ends.wait()
        await asyncio.sleep(0)  # the end has begun
        for _ in range(3):
            writing.cancel()
            for _ in range(10):  # more than a task needs to end
                await asyncio.sleep(0)
        assert not writing.done()
        stack.close()
        with pytest.raises(asyncio.CancelledError):
            await writing
    assert await is_free(database)
    async with database.read() as connection:
        found = list(await connection.scalars(text("SELECT name FROM sqlite_master WHERE name = 'kept'")))
    assert found == ([] if fails else ["kept"])


CREATE = text("CREATE TABLE kept (i INTEGER PRIMARY KEY)")
INSERT = text("INSERT INTO kept VALUES (:i)").execution_options(**LATER)
SELECT = text("SELECT i FROM kept ORDER BY i")


@pytest.fixture
async def kept(database: Database) -> Database:
    """A database with the table `kept`."""
    async with database.write() as connection:
        await connection.execute(CREATE)
    return database


async def test_later_statements_run_in_order_before_the_next_one(kept: Database) -> None:
    async with kept.write() as connection:
        await connection.execute(INSERT, {"i": 1})
        await connection.execute(INSERT, [{"i": 2}, {"i": 3}])
        assert list(await connection.scalars(SELECT)) == [1, 2, 3]
        await connection.execute(text("DELETE FROM kept WHERE i = 2"))
        await connection.execute(INSERT, {"i": 4})
    async with kept.read() as connection:
        assert list(await connection.scalars(SELECT)) == [1, 3, 4]


async def test_a_transaction_of_later_statements_is_committed(kept: Database) -> None:
    async with kept.write() as connection:
        await connection.execute(INSERT, {"i": 1})
    async with kept.read() as connection:
        assert list(await connection.scalars(SELECT)) == [1]


@pytest.mark.parametrize("is_followed", [False, True])
async def test_a_failed_later_statement_undoes_the_transaction(kept: Database, is_followed: bool) -> None:
    async with kept.write() as connection:
        await connection.execute(INSERT, {"i": 1})

    async def write_again() -> None:
        async with kept.write() as connection:
            await connection.execute(text("INSERT INTO kept VALUES (0)"))
            await connection.execute(INSERT, {"i": 1})
            if is_followed:
                await connection.execute(SELECT)
                pytest.fail("the statement before it has failed")

    with pytest.raises(StorageError):
        await write_again()
    assert await is_free(kept)
    async with kept.read() as connection:
        assert list(await connection.scalars(SELECT)) == [1]


async def test_later_statements_of_an_undone_transaction_never_run(kept: Database) -> None:
    with suppress(ZeroDivisionError):
        async with kept.write() as connection:
            await connection.execute(INSERT, {"i": 1})
            raise ZeroDivisionError
    async with kept.write() as connection:
        assert not list(await connection.scalars(SELECT))


async def test_reads_end_before_their_connection_is_used_again(kept: Database) -> None:
    for number in range(1, 50):
        async with kept.write() as connection:
            await connection.execute(INSERT, {"i": number})
        async with kept.read() as connection:
            assert len(list(await connection.scalars(SELECT))) == number


async def test_the_number_of_restores_is_that_of_the_transaction(kept: Database) -> None:
    for expected in range(3):
        async with kept.read() as connection:
            assert await restore_generation(connection) == expected
        async with kept.read() as connection:
            await connection.execute(SELECT)
            assert await restore_generation(connection) == expected
        async with kept.write() as connection:
            await connection.exec_driver_sql(f"PRAGMA user_version = {expected + 1}")


async def test_an_update_that_must_change_a_row_undoes_the_transaction_if_it_does_not(kept: Database) -> None:
    statement = update(table("kept", column("i"))).where(column("i") == bindparam("old")).values(i=bindparam("new"))
    async with kept.write() as connection:
        await connection.execute(INSERT, {"i": 1})
        await change_one(connection, statement, {"old": 1, "new": 2})

    async def change_again() -> None:
        async with kept.write() as connection:
            await connection.execute(INSERT, {"i": 3})
            await change_one(connection, statement, {"old": 1, "new": 4})

    with pytest.raises(StaleRead):
        await change_again()
    async with kept.read() as connection:
        assert list(await connection.scalars(SELECT)) == [2]
