"""Work in the background: locks for users' requests, slow functions in a thread, the end of tasks, and their errors."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final, ParamSpec, TypeVar

from bot.base.fair_lock import FairLock
from bot.base.fair_queue import QueueFull, Requester
from bot.table import limits
from bot.table.errors import StorageError
from bot.table.refusals import TryAgainLater

Args = ParamSpec("Args")
Result = TypeVar("Result")


WAIT_SECONDS: Final = 10
"""The waiting time suggested to users if too many requests wait."""


class RequestLock(FairLock):
    """A lock for which guilds and their users take turns. It refuses a request if too many wait."""

    @asynccontextmanager
    async def turn(self, requester: Requester | None) -> AsyncIterator[None]:
        """Hold the lock; without a requester it's for the app itself. Raises `TryAgainLater` if too many wait."""
        try:
            async with super().turn(requester):
                yield
        except QueueFull:
            raise TryAgainLater(WAIT_SECONDS) from None


class Background:
    """Runs CPU-heavy functions in a thread, one at a time. Guilds and users take turns.

    With two such threads, the event loop would wait twice as long for its turn (`sys.getswitchinterval`). Don't await
    it while holding a connection or a lock, because others may wait for those.
    """

    def __init__(self) -> None:
        self._lock = RequestLock("background", limits.WORK)

    @property
    def is_busy(self) -> bool:
        """True if a new function has to wait."""
        return self._lock.is_held

    async def run(
        self, requester: Requester | None, function: Callable[Args, Result], *args: Args.args, **named: Args.kwargs
    ) -> Result:
        """Run a function, which must not use data that the event loop changes, and return its result.

        Without a requester it's the app's own work. Raises `TryAgainLater` if too many functions wait.
        """
        async with self._lock.turn(requester):
            return await asyncio.to_thread(function, *args, **named)


@asynccontextmanager
async def running(work: Coroutine[None, None, None], name: str) -> AsyncIterator[None]:
    """Run `work` during the block, and cancel it at the end."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def finish(tasks: Iterable[asyncio.Task[None]], seconds: float) -> None:
    """Wait for tasks for some seconds, then cancel those that are still running."""
    running = list(tasks)
    try:
        if running:
            await asyncio.wait(running, timeout=seconds)
    finally:
        for task in running:
            task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


@contextmanager
def logging_errors(log: logging.Logger, what: str) -> Iterator[None]:
    """Log an error of the block, which a later attempt may avoid, instead of raising it."""
    try:
        yield
    except StorageError as error:
        log.warning("%s waits for the database: %s", what, error)
    except Exception:
        log.exception("%s failed", what)
