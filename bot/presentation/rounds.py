"""Work that follows something that changes: a round at a time; what is asked for meanwhile is done in the next."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

import aiohttp
import discord

from bot.storage.database import StorageError

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (2.0, 15.0, 120.0, 900.0)
"""Seconds until a round that failed is tried again: each time longer, then always the last."""
GRACE: Final = 0.5
"""Seconds that a round may still take when all is to end."""
LONGEST: Final = 60.0
"""Seconds that a round may take: a request that is never answered would otherwise hold its table for minutes."""


Key = TypeVar("Key", bound=Hashable)


class Rounds(Generic[Key]):
    """Does `work` for each key that asks, such as the number of a table, by what is newest then."""

    def __init__(self, work: Callable[[Key], Awaitable[None]]) -> None:
        self._work = work
        self._asked: set[Key] = set()
        self._under_way: dict[Key, asyncio.Task[None]] = {}
        self._failures: dict[Key, int] = {}
        self._retries: dict[Key, asyncio.TimerHandle] = {}
        self._is_open = False

    def open(self) -> None:
        """Begin, with what was asked for until now."""
        self._is_open = True
        for key in list(self._asked):
            self.ask(key)

    async def close(self) -> None:
        """Let rounds that are nearly over end, and stop the others: whoever asked asks again at the next start."""
        self._is_open = False
        self._asked.clear()
        for retry in self._retries.values():
            retry.cancel()
        under_way = list(self._under_way.values())
        if under_way:
            await asyncio.wait(under_way, timeout=GRACE)
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    def ask(self, key: Key) -> None:
        """Have a round. It returns at once."""
        self._asked.add(key)
        if self._is_open and key not in self._under_way:
            name = f"{self._work.__name__} of {key}"
            self._under_way[key] = asyncio.create_task(self._go_round(key), name=name)

    async def _go_round(self, key: Key) -> None:
        try:
            while key in self._asked:
                self._asked.discard(key)
                if key in self._retries:
                    self._retries.pop(key).cancel()
                if await self._is_done(key):
                    self._failures.pop(key, None)
                else:
                    self._retry(key)
        finally:
            del self._under_way[key]

    async def _is_done(self, key: Key) -> bool:
        """One round; False where another attempt may help."""
        try:
            async with asyncio.timeout(LONGEST):
                await self._work(key)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table=%s cannot be shown in its channel: %s", key, error)
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError, StorageError) as error:
            log.warning("table=%s could not be shown: %s", key, str(error) or type(error).__name__)
            return False
        except Exception:
            log.exception("table=%s could not be shown", key)
            return False
        return True

    def _retry(self, key: Key) -> None:
        """Have a round later, however often it has failed: what stands in the way may go without our hearing of it."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        wait = RETRY_AFTER[min(failures, len(RETRY_AFTER) - 1)]
        self._retries[key] = asyncio.get_running_loop().call_later(wait, self.ask, key)
