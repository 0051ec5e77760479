"""Work that follows something that changes: a round at a time; what is asked for meanwhile is done in the next."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

import aiohttp
import discord

from bot.table.errors import StorageError

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (2.0, 15.0, 120.0, 900.0)
"""Seconds until a round that failed is tried again: each time longer, then always the last."""
FORBIDDEN_AFTER: Final = 600.0
"""Seconds until a round that lacked a permission is tried again. A permission can return without an event: when a
timeout of the app ends, for example."""
BETWEEN_FORBIDDEN: Final = 0.5
"""Seconds between two such attempts, whatever asks for them. Discord bans an address for a while after 10,000 refused
requests within ten minutes, and a round makes up to three."""
GRACE: Final = 1.0
"""Seconds that rounds may still take when the app ends."""
LONGEST: Final = 60.0
"""Seconds that a round may take: a request that is never answered would otherwise hold its table for minutes."""


Key = TypeVar("Key", bound=Hashable)


class RefreshQueue(Generic[Key]):
    """Does `work` for each key that asks, such as the number of a table, by what is newest then."""

    def __init__(self, work: Callable[[Key], Awaitable[None]]) -> None:
        self._work = work
        self._asked: set[Key] = set()
        self._under_way: dict[Key, asyncio.Task[None]] = {}
        self._failures: dict[Key, int] = {}
        self._retries: dict[Key, asyncio.TimerHandle] = {}
        self._forbidden: set[Key] = set()
        """Keys whose last round lacked a permission."""
        self._queued: set[Key] = set()
        """Those of them whose next attempt has its moment, `BETWEEN_FORBIDDEN` after the one before."""
        self._last_queued = 0.0
        self._is_open = False

    def open(self) -> None:
        """Begin, with what was asked for until now."""
        self._is_open = True
        for key in list(self._asked):
            self.ask(key)

    async def close(self) -> None:
        """Let rounds that are nearly over end, and stop the others: the next start does what is left."""
        self._is_open = False
        under_way = list(self._under_way.values())
        try:
            if under_way:
                await asyncio.wait(under_way, timeout=GRACE)
        finally:
            for task in under_way:
                task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        self._asked.clear()
        for retry in self._retries.values():
            retry.cancel()

    def ask(self, key: Key) -> None:
        """Have a round. It returns at once."""
        if key in self._forbidden:
            self._queue(key)
        else:
            self._begin(key)

    def _queue(self, key: Key) -> None:
        """Try again soon what lacked a permission, one key after another."""
        if not self._is_open or key in self._queued:
            return
        self._queued.add(key)
        now = asyncio.get_running_loop().time()
        self._last_queued = max(now, self._last_queued + BETWEEN_FORBIDDEN)
        self._call_later(self._last_queued - now, self._begin, key)

    def _begin(self, key: Key) -> None:
        self._queued.discard(key)
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
                    self._queued.discard(key)
                if await self._is_done(key):
                    self._failures.pop(key, None)
                    self._forbidden.discard(key)
                else:
                    self._retry(key)
        finally:
            del self._under_way[key]

    async def _is_done(self, key: Key) -> bool:
        """One round; False where another attempt may help."""
        try:
            async with asyncio.timeout(LONGEST):
                await self._work(key)
        except discord.NotFound as error:
            log.warning("table=%s cannot be shown in its channel: %s", key, error)
        except discord.Forbidden as error:
            if key not in self._forbidden:
                log.warning("table=%s cannot be shown in its channel until a permission returns: %s", key, error)
            self._forbidden.add(key)
            return False
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError, StorageError) as error:
            log.warning("table=%s could not be shown: %s", key, str(error) or type(error).__name__)
            return False
        except Exception:
            log.exception("table=%s could not be shown", key)
            return False
        return True

    def _retry(self, key: Key) -> None:
        """Have a round later, however often it has failed: the cause may pass without an event."""
        if key in self._queued:
            return
        if key in self._forbidden:
            self._call_later(FORBIDDEN_AFTER, self.ask, key)
            return
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self._call_later(RETRY_AFTER[min(failures, len(RETRY_AFTER) - 1)], self.ask, key)

    def _call_later(self, seconds: float, callback: Callable[[Key], None], key: Key) -> None:
        if key in self._retries:
            self._retries.pop(key).cancel()
        self._retries[key] = asyncio.get_running_loop().call_later(seconds, callback, key)
