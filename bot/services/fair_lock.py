"""A lock for users' requests. Guilds and their users take turns, and the number of waiting requests is limited."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.base import metrics
from bot.base.fair_queue import FairQueue, QueueFull, QueueLimits, Requester
from bot.table import limits
from bot.table.refusals import TryAgainLater

WORK_WAITING: Final = QueueLimits(limits.USER_WORK.number, limits.GUILD_WORK.number, limits.WORK.number)
EXPORTS_WAITING: Final = QueueLimits(limits.USER_EXPORTS.number, limits.GUILD_EXPORTS.number, limits.EXPORTS.number)
WAIT_SECONDS: Final = 10
"""The waiting time suggested to users if too many requests wait."""


class FairLock:
    """Has one holder at a time. The app's own work comes first. `name` is that of its queue in the metrics."""

    def __init__(self, name: metrics.Queue, waiting: QueueLimits) -> None:
        self._name: metrics.Queue = name
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)
        self.is_held = False

    @asynccontextmanager
    async def turn(self, requester: Requester | None) -> AsyncIterator[None]:
        """Hold the lock; without a requester it's for the app itself. Raises `TryAgainLater` if too many wait."""
        with metrics.Job(self._name) as measured:
            await self._acquire(requester)
            measured.start()
            try:
                yield
            finally:
                self._release()

    async def _acquire(self, requester: Requester | None) -> None:
        if not self.is_held:
            self.is_held = True
            return
        turn = asyncio.get_running_loop().create_future()
        try:
            self._queue.add(turn, requester)
        except QueueFull:
            raise TryAgainLater(WAIT_SECONDS) from None
        try:
            await turn
        except asyncio.CancelledError:
            self._queue.discard(turn)
            if not turn.cancelled():  # it got the lock at the same moment
                self._release()
            raise

    def _release(self) -> None:
        """Pass the lock on."""
        while (turn := self._queue.take()) is not None:
            if not turn.done():
                turn.set_result(None)
                return
        self.is_held = False
