"""Which process may serve, with real locks of several processes in one PostgreSQL database, and on a file."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.process import ownership
from bot.process.ownership import Ownership, Status
from bot.storage.database import Database
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter
from bot.storage.session_locks import NAMESPACE, InUse, LockSession
from bot.table.errors import StorageError
from tests.conftest import opened

FIRST, SECOND = (GuildFilter(2, frozenset({shard})) for shard in (0, 1))
SECONDS = 60
_END_SESSIONS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = :namespace"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class Process:
    """The ownership of a process, and what it was told."""

    def __init__(self, url: str, guilds: GuildFilter) -> None:
        self.heard: list[str] = []
        self.is_alone: list[bool] = []
        self.regained = 0
        self.ownership = Ownership(url, guilds, self.heard.append)

    async def _prepare(self, is_alone: bool) -> None:  # as `Prepare`
        self.is_alone.append(is_alone)

    async def _count(self) -> None:
        self.regained += 1

    async def acquire(self) -> None:
        await self.ownership.acquire(self._prepare)

    async def keep(self) -> None:
        await self.ownership.keep(self._count)


Start = Callable[..., Process]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again soon."""
    monkeypatch.setattr(ownership, "WAIT_SECONDS", 0.02)
    monkeypatch.setattr(ownership, "PING_SECONDS", 0.02)


@pytest.fixture
async def start(any_url: str) -> AsyncIterator[Start]:
    """Creates processes with one database."""
    async with AsyncExitStack() as closing:

        def create(guilds: GuildFilter = ALL_GUILDS) -> Process:
            process = Process(any_url, guilds)
            closing.push_async_callback(process.ownership.release)
            return process

        yield create


@pytest.fixture
async def postgresql(postgresql_url: str) -> AsyncIterator[Database]:
    async with opened(postgresql_url) as database:
        yield database


@pytest.fixture
async def start_on_postgresql(postgresql_url: str) -> AsyncIterator[Start]:
    """Creates processes with one database on PostgreSQL."""
    async with AsyncExitStack() as closing:

        def create(guilds: GuildFilter = ALL_GUILDS) -> Process:
            process = Process(postgresql_url, guilds)
            closing.push_async_callback(process.ownership.release)
            return process

        yield create


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110  # nothing announces it
            await asyncio.sleep(0.01)


async def waits(process: Process, log: pytest.LogCaptureFixture) -> asyncio.Task[None]:
    """A process that can't serve yet."""
    task = asyncio.create_task(process.acquire())
    await until(lambda: "waiting until it ends" in log.text)
    assert not task.done()
    assert process.ownership.status is Status.WAITING
    log.clear()
    return task


async def test_a_second_process_waits_until_the_first_ends(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    first, second = start(), start()
    await first.acquire()
    assert first.ownership.status is Status.SERVING
    waiting = await waits(second, caplog)
    await first.ownership.release()
    await asyncio.wait_for(waiting, SECONDS)
    assert second.ownership.status is Status.SERVING


async def test_processes_with_different_shards_serve_together_and_tell_each_other(start_on_postgresql: Start) -> None:
    first, second = start_on_postgresql(FIRST), start_on_postgresql(SECOND)
    await first.acquire()
    await second.acquire()
    assert (first.is_alone, second.is_alone) == ([True], [False])
    keeping = asyncio.create_task(first.keep())
    first.ownership.tell("user 7")
    await until(lambda: second.heard == ["user 7"])
    assert first.heard == []
    keeping.cancel()


async def test_a_process_that_ends_sends_its_last_messages(start_on_postgresql: Start) -> None:
    first, second = start_on_postgresql(FIRST), start_on_postgresql(SECOND)
    await first.acquire()
    await second.acquire()
    first.ownership.tell("user 7")
    await first.ownership.release()
    await until(lambda: second.heard == ["user 7"])


@pytest.mark.parametrize("guilds", [ALL_GUILDS, GuildFilter(3, frozenset({2})), GuildFilter(2, frozenset({0, 1}))])
async def test_guilds_that_another_process_may_serve_are_not_served(
    start_on_postgresql: Start, caplog: pytest.LogCaptureFixture, guilds: GuildFilter
) -> None:
    first, second = start_on_postgresql(FIRST), start_on_postgresql(guilds)
    await first.acquire()
    waiting = await waits(second, caplog)
    await first.ownership.release()
    await asyncio.wait_for(waiting, SECONDS)


async def test_a_lost_session_stops_everything_until_it_is_back(
    start_on_postgresql: Start, postgresql: Database
) -> None:
    process = start_on_postgresql()
    await process.acquire()
    await postgresql.fetch(_end_sessions)
    await until(lambda: process.ownership.status is Status.LOST)
    with pytest.raises(StorageError, match="another process may use it"):
        process.ownership.require()
    keeping = asyncio.create_task(process.keep())
    await until(lambda: process.regained == 1)
    assert process.ownership.status is Status.SERVING
    process.ownership.require()
    keeping.cancel()


async def test_a_process_whose_locks_another_one_has_got_gives_up(
    start_on_postgresql: Start, postgresql: Database, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = start_on_postgresql(), start_on_postgresql()
    await first.acquire()
    waiting = await waits(second, caplog)
    await postgresql.fetch(_end_sessions)
    await asyncio.wait_for(waiting, SECONDS)
    with pytest.raises(InUse):
        await asyncio.wait_for(first.keep(), SECONDS)
    assert first.ownership.status is Status.LOST


async def test_processes_begin_sessions_at_discord_one_after_another(
    start_on_postgresql: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = start_on_postgresql(FIRST), start_on_postgresql(SECOND)
    attempts, order, try_lock = list[bool](), list[str](), LockSession.try_lock

    async def counted(session: LockSession, key: int) -> bool:
        attempts.append(await try_lock(session, key))
        return attempts[-1]

    monkeypatch.setattr(LockSession, "try_lock", counted)
    await first.acquire()
    await second.acquire()

    async def begin() -> None:
        async with second.ownership.identifying():
            order.append("second")

    async with first.ownership.identifying():
        waiting = asyncio.create_task(begin())
        await until(lambda: attempts[1:3] == [False, False])
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_a_session_at_discord_goes_on_although_the_locks_are_lost(
    start_on_postgresql: Start, postgresql: Database, caplog: pytest.LogCaptureFixture
) -> None:
    process = start_on_postgresql()
    await process.acquire()
    async with process.ownership.identifying():
        await postgresql.fetch(_end_sessions)
    with pytest.raises(StorageError):
        async with process.ownership.identifying():
            pytest.fail("it began without the lock")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_without_an_answer_the_locks_do_not_count(
    start_on_postgresql: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start_on_postgresql()
    await process.acquire()
    monkeypatch.setattr(ownership, "TRUST_SECONDS", 0.0)
    assert process.ownership.status is Status.LOST


async def _end_sessions(connection: AsyncConnection) -> None:
    await connection.execute(_END_SESSIONS, {"namespace": NAMESPACE})
