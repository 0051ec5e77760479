"""A lock for users' requests. Guilds and their users take turns, and the number of waiting requests is limited."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.base.fair_lock import FairLock
from bot.base.fair_queue import QueueFull, Requester
from bot.table.refusals import TryAgainLater

WAIT_SECONDS: Final = 10
"""The waiting time suggested to users if too many requests wait."""


class RequestLock(FairLock):
    """A fair lock that refuses a request if too many wait."""

    @asynccontextmanager
    async def turn(self, requester: Requester | None) -> AsyncIterator[None]:
        """Hold the lock; without a requester it's for the app itself. Raises `TryAgainLater` if too many wait."""
        try:
            async with super().turn(requester):
                yield
        except QueueFull:
            raise TryAgainLater(WAIT_SECONDS) from None
