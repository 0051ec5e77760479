"""The refresh queue: one refresh at a time for each key, repeated until it succeeds."""

import asyncio
from collections.abc import Callable
from functools import partial

import aiohttp
import discord
import pytest

from bot.presentation.channel import refresh_queue
from bot.presentation.channel.refresh_queue import RefreshQueue
from bot.table.errors import StorageError

MANY = 5 * len(refresh_queue.RETRY_AFTER)


class Work:
    """A refresh that fails a number of times."""

    def __init__(self, error: Exception, failures: int) -> None:
        self.error = error
        self.failures = failures
        self.attempts = 0
        self.done = asyncio.Event()

    async def attempt(self, _key: object) -> None:
        """Fail or succeed."""
        self.attempts += 1
        if self.attempts <= self.failures:
            raise self.error
        self.done.set()


@pytest.mark.parametrize(
    "error", [StorageError("disk full"), aiohttp.ClientError("no way"), TimeoutError(), ValueError("a fault of ours")]
)
async def test_a_refresh_that_fails_is_tried_again_until_it_succeeds(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    monkeypatch.setattr(refresh_queue, "RETRY_AFTER", tuple(0.001 for _ in refresh_queue.RETRY_AFTER))
    work = Work(error, MANY)
    queue: RefreshQueue[tuple[int, int]] = RefreshQueue(work.attempt, table_of=lambda key: key[0])
    queue.open()

    queue.request((12, 4711))
    async with asyncio.timeout(20):
        await work.done.wait()

    await queue.close()
    assert work.attempts == MANY + 1
    assert "table=12 could not be shown" in caplog.text
    assert "4711" not in caplog.text


class Timers:
    """The loop's timers and clock, moved only by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self.now = 1000.0
        self._waiting: list[tuple[asyncio.TimerHandle, Callable[[], object]]] = []
        self._loop = loop
        monkeypatch.setattr(loop, "time", lambda: self.now)
        monkeypatch.setattr(loop, "call_later", self._call_later)

    def _call_later(self, delay: float, callback: Callable[..., object], *arguments: object) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(self.now + delay, callback, arguments, self._loop)
        self._waiting.append((timer, partial(callback, *arguments)))
        return timer

    async def advance(self, seconds: float) -> None:
        """Run the timers of the next seconds in order, until everything has ended."""
        end = self.now + seconds
        while due := [pair for pair in self._waiting if pair[0].when() <= end and not pair[0].cancelled()]:
            timer, callback = min(due, key=lambda pair: pair[0].when())
            self._waiting.remove((timer, callback))
            self.now = max(self.now, timer.when())
            callback()
            await settle()
        self.now = end


async def settle() -> None:
    """Run everything that is ready."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_repeated_failures_cause_one_retry_and_none_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, work = Timers(monkeypatch), Work(StorageError("locked"), 2 * MANY)
    queue: RefreshQueue[int] = RefreshQueue(work.attempt, table_of=int)
    queue.open()
    for _ in range(MANY):
        queue.request(1)
        await settle()
    await timers.advance(refresh_queue.RETRY_AFTER[-1])
    assert work.attempts == MANY + 1
    await queue.close()
    await timers.advance(refresh_queue.RETRY_AFTER[-1])
    assert work.attempts == MANY + 1


class Channel:
    """A channel that the app may write to, or not."""

    def __init__(self) -> None:
        self.is_closed = True
        self.attempts: list[int] = []

    async def show(self, key: int) -> None:
        """Show a table, if that is allowed."""
        self.attempts.append(key)
        if self.is_closed:
            response = type("Response", (), {"status": 403, "reason": "Forbidden"})()
            raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})


async def test_a_permission_that_returns_without_an_event_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, channel = Timers(monkeypatch), Channel()
    queue = RefreshQueue(channel.show, table_of=int)
    queue.open()
    queue.request(1)
    await settle()
    await timers.advance(refresh_queue.FORBIDDEN_AFTER)
    assert channel.attempts == [1, 1]
    channel.is_closed = False
    await timers.advance(refresh_queue.FORBIDDEN_AFTER)
    assert channel.attempts == [1, 1, 1]
    await timers.advance(10 * refresh_queue.FORBIDDEN_AFTER)
    assert channel.attempts == [1, 1, 1]
    await queue.close()


async def test_requests_that_lack_a_permission_are_retried_at_once_after_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers, channel = Timers(monkeypatch), Channel()
    queue = RefreshQueue(channel.show, table_of=int)
    queue.open()
    queue.request(1)
    await settle()
    channel.is_closed = False
    queue.request(1)
    await timers.advance(0)
    assert channel.attempts == [1, 1]
    await queue.close()


async def test_repeated_events_cause_few_requests_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, channel = Timers(monkeypatch), Channel()
    queue = RefreshQueue(channel.show, table_of=int)
    queue.open()
    tables = range(50)
    for table in tables:
        queue.request(table)
    await settle()
    assert len(channel.attempts) == len(tables)
    for _ in range(10):  # events that might have returned the permission, such as changes of a channel
        for table in tables:
            queue.request(table)
        await timers.advance(1)
    seconds = 10
    assert len(channel.attempts) <= len(tables) + seconds / refresh_queue.BETWEEN_FORBIDDEN + 1
    await timers.advance(len(tables) * refresh_queue.BETWEEN_FORBIDDEN)
    assert set(channel.attempts[len(tables) :]) == set(tables)
    await queue.close()


async def test_an_attempt_that_was_overtaken_leaves_room_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    timers, channel, going_on = Timers(monkeypatch), Channel(), asyncio.Event()

    async def show(key: int) -> None:
        if len(channel.attempts) == 1:  # the second attempt
            await going_on.wait()
        await channel.show(key)

    queue = RefreshQueue(show, table_of=int)
    queue.open()
    queue.request(1)
    await settle()
    queue.request(1)
    await timers.advance(0)
    queue.request(1)  # during the second attempt, which is due first
    await timers.advance(refresh_queue.BETWEEN_FORBIDDEN)
    queue.request(1)
    going_on.set()
    await settle()
    assert channel.attempts == [1, 1, 1]
    queue.request(1)
    await timers.advance(2 * refresh_queue.BETWEEN_FORBIDDEN)
    assert channel.attempts == [1, 1, 1, 1]
    await queue.close()
