"""Rounds: one at a time for each key, and tried again until they are done."""

import asyncio
from collections.abc import Callable

import aiohttp
import pytest

from bot.presentation import rounds as rounds_module
from bot.presentation.rounds import Rounds
from bot.storage.database import StorageError

MANY = 5 * len(rounds_module.RETRY_AFTER)


class Work:
    """Work that fails a number of times."""

    def __init__(self, error: Exception, failures: int) -> None:
        self.error = error
        self.failures = failures
        self.attempts = 0
        self.done = asyncio.Event()

    async def attempt(self, _key: int) -> None:
        """Fail, or be done."""
        self.attempts += 1
        if self.attempts <= self.failures:
            raise self.error
        self.done.set()


@pytest.mark.parametrize(
    "error", [StorageError("disk full"), aiohttp.ClientError("no way"), TimeoutError(), ValueError("a fault of ours")]
)
async def test_a_round_that_fails_is_tried_until_it_is_done(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr(rounds_module, "RETRY_AFTER", tuple(0.001 for _ in rounds_module.RETRY_AFTER))
    work = Work(error, MANY)
    rounds = Rounds(work.attempt)
    rounds.open()

    rounds.ask(1)
    async with asyncio.timeout(20):
        await work.done.wait()

    await rounds.close()
    assert work.attempts == MANY + 1


async def test_however_often_it_fails_one_retry_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    call_later, timers, noted = loop.call_later, list[asyncio.TimerHandle](), asyncio.Event()

    def noting(delay: float, callback: Callable[..., object], *arguments: object) -> asyncio.TimerHandle:
        timers.append(call_later(delay, callback, *arguments))
        noted.set()
        return timers[-1]

    monkeypatch.setattr(loop, "call_later", noting)
    rounds = Rounds(Work(StorageError("locked"), MANY).attempt)
    rounds.open()
    for _ in range(MANY):
        noted.clear()
        rounds.ask(1)
        await noted.wait()

    waiting = [timer for timer in timers if not timer.cancelled()]
    await rounds.close()

    assert len(timers) == MANY
    assert waiting == timers[-1:]
    assert waiting[0].cancelled()
