"""Locks that end with their process."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bot.storage.session_locks import ACQUIRING, IDENTIFYING, InUse, LockSession, locked

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


async def test_a_lock_has_one_session_at_a_time(postgresql_url: str) -> None:
    one, other = LockSession(postgresql_url), LockSession(postgresql_url)
    for session in (one, other):
        await session.open()
    assert await one.try_lock(IDENTIFYING)
    assert not await other.try_lock(IDENTIFYING)
    assert await other.try_lock(ACQUIRING)  # another key
    await one.unlock(IDENTIFYING)
    assert await other.try_lock(IDENTIFYING)
    await other.close()
    await one.lock(IDENTIFYING)
    await one.close()


async def test_statements_of_one_session_wait_for_each_other(postgresql_url: str) -> None:
    session = LockSession(postgresql_url)
    await session.open()
    await asyncio.gather(*(session.ping() for _ in range(3)))
    await session.close()
