"""What has to be done now and then, beside the tables: looked at again and again, so it survives every restart."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from bot.table.errors import StorageError

log = logging.getLogger(__name__)

INTERVAL: Final = 60.0
"""Seconds between two looks."""

Chore: TypeAlias = Callable[[int], Awaitable[None]]
"""Does what is to be done now (UTC seconds), if anything is."""


class Chores:
    """Does all chores one after another, now and then and whenever it is woken."""

    def __init__(self, now: Callable[[], int], chores: Sequence[Chore]) -> None:
        self._now = now
        """UTC milliseconds."""
        self._chores = chores
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Have a look at once."""
        self._woken.set()

    async def run(self) -> None:
        """Work until cancelled."""
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
