"""Regular work apart from tables. Each chore finds out from the database what it has to do."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from bot.table.errors import StorageError

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
        """Run until cancelled."""
        while True:
            self._woken.clear()
            for chore in self._chores:
                await self._do(chore)
            try:
                async with asyncio.timeout(INTERVAL):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def _do(self, chore: Chore) -> None:
        try:
            await chore(self._now() // 1000)
        except StorageError as error:
            log.warning("a chore waits for the database: %s", error)
        except Exception:
            log.exception("a chore failed")
