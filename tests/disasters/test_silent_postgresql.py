"""PostgreSQL accepts connections but doesn't answer, as on a frozen machine: each press gets a sentence in time."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.base.press_context import ANSWER_SECONDS, LEAST_SECONDS
from playground.client.person import Person
from playground.postgresql import NoServer, server
from tests.end_to_end.app_harness import can_press, running_app
from tests.end_to_end.inspection import private_text
from tests.end_to_end.test_database_trouble import OUT_OF_REACH

IMPATIENT = {"bot.process.ownership.TRUST_SECONDS": 3.0}
"""Let the app soon be unsure whether it still has its lock."""
ROUNDS = 3
"""The later ones come when it's unsure."""


def _children(parent: int) -> list[int]:
    stats = [(int(path.parent.name), path.read_text()) for path in Path("/proc").glob("[0-9]*/stat")]
    return [pid for pid, stat in stats if int(stat.rpartition(")")[2].split()[1]) == parent]


@contextmanager
def _frozen(folder: str) -> Iterator[None]:
    """Stop all processes of a server."""
    parent = int(Path(folder, "data", "postmaster.pid").read_text().split()[0])
    os.kill(parent, signal.SIGSTOP)  # so that no new one begins
    stopped = [*_children(parent), parent]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture
async def own_server() -> AsyncIterator[tuple[str, str]]:
    """The URL of a database on a server of this test, and the server's folder."""
    try:
        async with server() as running:
            yield running
    except NoServer as error:
        pytest.skip(str(error))


async def test_a_frozen_server_is_said_in_time_and_all_goes_on_afterwards(
    tmp_path: Path, own_server: tuple[str, str]
) -> None:
    assert ANSWER_SECONDS + LEAST_SECONDS <= 2.5  # Discord waits for three; the playground waits longer here
    url, folder = own_server
    async with running_app(tmp_path, IMPATIENT, DATABASE_URL=url, LIMITS_SCALE="100") as harness:
        ana, ben, cleo, dan = harness.people
        await harness.open_table(ana, seats=3)
        await harness.press(ben, "Join")
        table = harness.table()

        async def presses(person: Person) -> list[str]:
            """Press again after each answer. All come while the server is frozen."""
            return [private_text(await person.click(table, "Join")) for _ in range(ROUNDS)]

        with _frozen(folder):
            answers = await asyncio.gather(*(presses(person) for person in (cleo, dan) for _ in range(10)))
        assert all(OUT_OF_REACH in text for each in answers for text in each), answers
        while not any(each.name in harness.table().text for each in (cleo, dan)):  # until the app has its locks again
            await cleo.click(table, "Join")
            await asyncio.sleep(0.1)
        while can_press(harness.table(), "Start"):
            await ana.click(harness.table(), "Start")
            await asyncio.sleep(0.1)
        await ana.until(lambda: "Hand 1" in harness.table().text)


async def test_a_commit_that_is_confirmed_too_late_is_shown_when_it_arrives(
    tmp_path: Path, own_server: tuple[str, str]
) -> None:
    url, _ = own_server
    async with running_app(tmp_path, IMPATIENT, DATABASE_URL=url, LIMITS_SCALE="100") as harness:
        ana, ben, *_ = harness.people
        await harness.open_table(ana, seats=3)
        async with _unconfirmed_commits(url):
            answer = await ben.click(harness.table(), "Join")
        assert OUT_OF_REACH in private_text(answer)
        await ben.until(lambda: "Ben" in harness.table().text)


@asynccontextmanager
async def _unconfirmed_commits(url: str) -> AsyncIterator[None]:
    """Let commits wait until a standby confirms them; there is none."""
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection, engine.connect() as other:
        await _set_standby(connection, "nobody")
        committing = asyncio.create_task(_commit(other))
        while not await connection.scalar(text("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")):
            pass  # the server reads its settings later
        yield
        await _set_standby(connection, "")
        committing.cancel()
        with suppress(asyncio.CancelledError):
            await committing
    await engine.dispose()


async def _set_standby(connection: AsyncConnection, name: str) -> None:
    await connection.execute(text(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'"))
    await connection.execute(text("SELECT pg_reload_conf()"))


async def _commit(connection: AsyncConnection) -> None:
    """Commit again and again."""
    while True:
        await connection.execute(text("SELECT pg_logical_emit_message(true, '', '')"))
