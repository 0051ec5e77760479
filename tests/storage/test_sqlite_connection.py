"""The SQLite connections: complete results, and no transaction left open."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count

import pytest
from sqlalchemy import text

from bot.storage.database import Database
from bot.storage.sqlite_connection import BATCH_SIZE
from tests.conftest import opened

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
        async with connection.stream(query) as result:
            assert [row.i async for row in result] == list(range(1, rows + 1))


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
