"""Transactions: complete results, and nothing left of those that fail or are canceled."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from time import perf_counter

import pytest
from sqlalchemy import QueuePool, event, literal, select, text

from bot.base.press_context import ANSWER_SECONDS, PressContext, answering
from bot.storage.bulk import PART_SIZE, stream_parts, stream_rows
from bot.storage.database import LOCK_SECONDS, Database
from bot.table.errors import StorageError
from tests.conftest import opened

KEPT = text("SELECT i FROM kept ORDER BY i")
INSERT = text("INSERT INTO kept VALUES (:i)")
STEPS = 300
"""Steps of the event loop until the latest cancellation."""


@pytest.fixture
async def database(any_database: Database) -> AsyncIterator[Database]:
    """A database with an empty table `kept`, on both engines."""
    async with any_database.write() as connection:
        await connection.execute(text("CREATE TABLE kept (i INTEGER PRIMARY KEY)"))
    yield any_database
    async with any_database.write() as connection:
        await connection.execute(text("DROP TABLE kept"))
    await any_database.close()
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:  # of a canceled connection, which reports its end to this loop
            await asyncio.to_thread(thread.join)


async def kept(database: Database) -> list[int]:
    async with database.read() as connection:
        return list(await connection.scalars(KEPT))


async def insert(database: Database, *numbers: int) -> None:
    async with database.write() as connection:
        for number in numbers:
            await connection.execute(INSERT, {"i": number})


def taken(database: Database) -> int:
    """The number of connections that are in use."""
    pool = database._engine.pool
    assert isinstance(pool, QueuePool)
    return pool.checkedout()


@pytest.mark.parametrize("many", [0, 1, PART_SIZE - 1, PART_SIZE, PART_SIZE + 1, 3 * PART_SIZE + 7])
async def test_a_result_in_parts_is_complete(any_database: Database, many: int) -> None:
    first = select(literal(1).label("i")).where(literal(1) <= many).cte("numbers", recursive=True)
    numbers = first.union_all(select(first.c.i + 1).where(first.c.i < many))
    query = select(numbers.c.i).order_by(numbers.c.i)
    async with any_database.read() as connection:
        assert [row async for row in stream_rows(connection, query)] == [(i,) for i in range(1, many + 1)]
        parts = [part async for part in stream_parts(connection, query)]
    assert [row["i"] for part in parts for row in part] == list(range(1, many + 1))
    assert all(len(part) <= PART_SIZE for part in parts)


async def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    await insert(database, 1)
    with pytest.raises(StorageError):
        await insert(database, 2, 1)
    assert await kept(database) == [1]
    assert taken(database) == 0


async def cancel(writing: asyncio.Task[None]) -> bool:
    """Cancel a task. Returns True if it had already ended."""
    has_ended = not writing.cancel()
    with suppress(asyncio.CancelledError):
        await writing
    return has_ended


async def test_a_canceled_transaction_is_done_completely_or_not_at_all(database: Database) -> None:
    done = set[int]()
    for steps in range(0, STEPS, 5):
        writing = asyncio.create_task(insert(database, 2 * steps, 2 * steps + 1))
        for _ in range(steps):
            await asyncio.sleep(0)
        if await cancel(writing):
            done |= {2 * steps, 2 * steps + 1}
    stored = {*await kept(database)}
    assert done <= stored
    assert {number ^ 1 for number in stored} == stored  # both of each pair
    assert taken(database) == 0


async def test_a_transaction_canceled_during_its_commit_returns_its_connection(database: Database) -> None:
    writing = asyncio.create_task(insert(database, 0, 1))
    event.listen(database._engine.sync_engine, "commit", lambda _: writing.cancel(), once=True)
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert taken(database) == 0
    await insert(database, 2)
    assert {*await kept(database)} >= {2}


async def test_a_transaction_of_a_press_fails_in_time_for_a_sentence(postgresql_url: str) -> None:
    press = PressContext(1, "press", arrived=perf_counter() - ANSWER_SECONDS)

    async def lasts(database: Database) -> None:
        async with database.write() as connection:
            await connection.execute(text("SELECT pg_sleep(1000)"))

    async with opened(postgresql_url) as database:
        with answering(press), pytest.raises(StorageError, match="doesn't answer"):
            await lasts(database)
        assert taken(database) == 0


async def test_a_press_that_waits_for_a_lock_keeps_its_connection(postgresql_url: str) -> None:
    """PostgreSQL refuses the lock before the press ends, so the connection can be used again."""
    assert LOCK_SECONDS < ANSWER_SECONDS
    lock = text("SELECT pg_advisory_xact_lock(1)")
    session = text("SELECT pg_backend_pid()")
    press = PressContext(1, "press", arrived=perf_counter() + 600)
    async with opened(postgresql_url) as database, opened(postgresql_url) as other, other.write() as holder:
        await holder.execute(lock)
        async with database.read() as connection:
            before = await connection.scalar(session)
        with answering(press), pytest.raises(StorageError, match="lock timeout"):
            async with database.write() as connection:
                await connection.execute(lock)
        async with database.read() as connection:
            assert await connection.scalar(session) == before
