"""PostgreSQL behind a connection pooler: in session mode it works, in transaction mode the start says what to do."""

import asyncio
from uuid import uuid4

import pytest
from sqlalchemy import make_url, text

from bot.storage.database import Database
from bot.table.errors import StorageError
from tests.conftest import opened
from tests.pooler import pgbouncer

SENTENCE = "a connection pooler gives each transaction another session"


@pytest.mark.parametrize("settings", [{}, {"server_round_robin": "1"}, {"default_pool_size": "1"}])
async def test_a_pooler_that_mixes_sessions_is_recognized_at_the_start(
    empty_postgresql_url: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.database.PROBE_SECONDS", 1.0)
    with pgbouncer(empty_postgresql_url, "transaction", **settings) as url:
        async with opened(url) as database:
            with pytest.raises(StorageError, match=SENTENCE):
                await database.upgrade()


async def test_a_server_without_a_second_connection_says_so(empty_postgresql_url: str) -> None:
    role = f"single_{uuid4().hex}"
    async with opened(empty_postgresql_url) as database:
        await _run(database, f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 1")
        url = make_url(empty_postgresql_url).set(username=role).render_as_string(hide_password=False)
        async with opened(url) as limited:
            with pytest.raises(StorageError, match="too many connections for role"):
                await limited.upgrade()
        await _run(database, f"DROP ROLE {role}")


async def _run(database: Database, statement: str) -> None:
    async with database.write() as connection:
        await connection.execute(text(statement))


async def test_a_pooler_in_session_mode_serves_the_app(empty_postgresql_url: str) -> None:
    with pgbouncer(empty_postgresql_url, "session") as url:
        async with opened(url) as database:
            await database.upgrade()
            for _ in range(12):  # so few that none waits for a connection
                assert await asyncio.gather(*(_one(database, number) for number in range(5))) == [*range(5)]
            async with database.read() as connection:
                assert await connection.scalar(text("SHOW lock_timeout")) == "1500ms"


async def _one(database: Database, number: int) -> int:
    async with database.write() as connection:
        found: int = await connection.scalar(text("SELECT CAST(:x AS integer)"), {"x": number})
        await connection.execute(text("SELECT count(*) FROM matches"))
        return found
