"""Regular work apart from tables. Each chore finds out from the database what it has to do."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from bot.services.background import logging_errors

log = logging.getLogger(__name__)

INTERVAL: Final = 60.0
"""Seconds between two runs."""

Chore: TypeAlias = Callable[[int], Awaitable[None]]
"""Does the work that is due, if any (`now`: UTC seconds)."""


class Chores:
    """Runs all chores one after another, at intervals and when it's woken."""

    def __init__(self, now: Callable[[], int], chores: Sequence[Chore]) -> None:
        self._now = now
        """UTC milliseconds."""
        self._chores = chores
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Run the chores soon."""
        self._woken.set()

    async def run(self) -> None:
        """Run until canceled."""
        while True:
            self._woken.clear()
            for chore in self._chores:
                with logging_errors(log, "a chore"):
                    await chore(self._now() // 1000)
            with suppress(TimeoutError):
                async with asyncio.timeout(INTERVAL):
                    await self._woken.wait()
