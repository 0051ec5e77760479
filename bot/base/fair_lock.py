"""A lock whose holders take turns like the jobs of a fair queue."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.base import metrics
from bot.base.fair_queue import FairQueue, QueueLimits, Requester


class FairLock:
    """Has one holder at a time. The app's own work comes first. `name` is that of its queue in the metrics."""

    def __init__(self, name: metrics.Queue, waiting: QueueLimits) -> None:
        self._name: metrics.Queue = name
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(waiting)
        self.is_held = False

    @asynccontextmanager
    async def turn(self, requester: Requester | None) -> AsyncIterator[None]:
        """Hold the lock; without a requester it's for the app itself. Raises `QueueFull` if too many wait."""
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
        self._queue.add(turn, requester)
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
