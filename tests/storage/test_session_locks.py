"""Locks that end with their process."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import NullPool, text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.storage.session_locks import IDENTIFYING, InUse, locked, session_lock

LOCKS_HERE = (
    "FROM pg_locks WHERE locktype = 'advisory'"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
HOLDER = """
import sys, time
from pathlib import Path
from bot.storage.session_locks import try_lock
held = try_lock(Path(sys.argv[1]))
print("locked", flush=True)
time.sleep(600)
"""


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "gang.sqlite3"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(file)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(InUse, match="stop it first"), locked(file):
            pass
        holder.kill()
    with locked(file):
        pass


def test_the_lock_is_private_and_stays_when_it_is_free(tmp_path: Path) -> None:
    for _ in range(2):
        with locked(tmp_path / "gang.sqlite3"):
            pass
    assert (tmp_path / "gang.sqlite3.lock").stat().st_mode & 0o777 == 0o600


def test_a_symbolic_link_leads_to_the_same_lock(tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite3"
    link.symlink_to(tmp_path / "gang.sqlite3")
    with locked(tmp_path / "gang.sqlite3"), pytest.raises(InUse), locked(link):
        pass


async def test_a_session_waits_for_the_one_before(postgresql_url: str) -> None:
    order: list[str] = []

    async def second() -> None:
        async with session_lock(postgresql_url, IDENTIFYING):
            order.append("second")

    async with session_lock(postgresql_url, IDENTIFYING):
        waiting = asyncio.create_task(second())
        async with session_lock(postgresql_url, 0):  # another key: nothing to wait for
            order.append("first")
    await waiting
    assert order == ["first", "second"]


async def until_one_waits(url: str) -> None:
    """Wait until a session waits for a lock of another one."""
    engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    query = text(f"SELECT count(*) {LOCKS_HERE} AND NOT granted")
    async with engine.connect() as connection, asyncio.timeout(30):
        while not await connection.scalar(query):  # noqa: ASYNC110  # the server tells nobody
            await asyncio.sleep(0.01)


async def test_a_lock_whose_connection_was_lost_is_given_up_quietly(
    postgresql_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    engine = create_async_engine(postgresql_url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    holder = text(f"SELECT pg_terminate_backend(pid) {LOCKS_HERE}")
    async with session_lock(postgresql_url, IDENTIFYING), engine.connect() as connection:
        await connection.execute(holder)
    assert not caplog.records
