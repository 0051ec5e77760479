"""A queue of refreshes: each key is refreshed once at a time, and again if it was requested in between."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Final, Generic, TypeVar

import aiohttp
import discord

from bot.services.background import finish
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (2.0, 15.0, 120.0, 900.0)
"""Seconds before each retry of a failed refresh. The last value repeats."""
FORBIDDEN_AFTER: Final = 600
"""Seconds before a retry after a missing permission. A permission can return without an event, for example
when a timeout of the app ends."""
BETWEEN_FORBIDDEN: Final = 0.5
"""Seconds between two such retries, even requested ones. Discord bans an address for a while after 10,000 refused
requests within ten minutes, and a refresh makes up to three."""
GRACE: Final = 1.0
"""Seconds that running refreshes may still take when the app stops."""
TIMEOUT: Final = 60.0
"""Seconds for one refresh: an unanswered request would otherwise block its table for minutes."""


Key = TypeVar("Key", bound=Hashable)


class RefreshQueue(Generic[Key]):
    """Calls `work` for each requested key, such as a table's id."""

    def __init__(self, work: Callable[[Key], Awaitable[None]], table_of: Callable[[Key], int]) -> None:
        """`table_of` gives the number of a key's table, for log lines: a key may hold a user's id."""
        self._work = work
        self._table_of = table_of
        self._requested: set[Key] = set()
        self._running: dict[Key, asyncio.Task[None]] = {}
        self._paused = Counter[Key]()
        """Keys that aren't refreshed now, each with the number of blocks that wait for that."""
        self._failures: dict[Key, int] = {}
        self._retries: dict[Key, asyncio.TimerHandle] = {}
        self._forbidden: set[Key] = set()
        """Keys whose last refresh lacked a permission."""
        self._in_turn: set[Key] = set()
        """Forbidden keys whose retry is scheduled."""
        self._last_turn = 0.0
        self._is_open = False

    def open(self) -> None:
        """Start with the keys requested until now."""
        self._is_open = True
        self.request(*self._requested)

    async def close(self) -> None:
        """Wait a moment for running refreshes, then cancel them. The next start does the rest."""
        self._is_open = False
        await finish(self._running.values(), GRACE)
        self._requested.clear()
        for retry in self._retries.values():
            retry.cancel()

    def request(self, *keys: Key) -> None:
        """Request refreshes, without waiting for them."""
        for key in keys:
            if key in self._forbidden:
                self._retry_in_turn(key)
            else:
                self._begin(key)

    def request_later(self, seconds: float, key: Key) -> None:
        """Request a refresh after some time, unless another one begins before: that one must ask again."""
        self._call_later(seconds, self.request, key)

    @asynccontextmanager
    async def paused(self, key: Key, seconds: float) -> AsyncIterator[bool]:
        """Begin no refresh of a key during the block; those requested meanwhile begin after it.

        First wait at most `seconds` for the end of a running refresh. Yields False if it still runs.
        """
        self._paused[key] += 1
        try:
            running = self._running.get(key)
            if running is not None:
                await asyncio.wait({running}, timeout=seconds)
            yield running is None or running.done()
        finally:
            self._paused[key] -= 1
            if not self._paused[key]:
                del self._paused[key]
                if key in self._requested:
                    self._begin(key)

    def _retry_in_turn(self, key: Key) -> None:
        """Retry a forbidden key soon, each `BETWEEN_FORBIDDEN` after the one before."""
        if not self._is_open or key in self._in_turn:
            return
        self._in_turn.add(key)
        now = asyncio.get_running_loop().time()
        self._last_turn = max(now, self._last_turn + BETWEEN_FORBIDDEN)
        self._call_later(self._last_turn - now, self._begin, key)

    def _begin(self, key: Key) -> None:
        self._in_turn.discard(key)
        self._requested.add(key)
        if self._is_open and key not in self._running and key not in self._paused:
            name = f"{self._work.__name__} of table {self._table_of(key)}"
            self._running[key] = asyncio.create_task(self._run(key), name=name)

    async def _run(self, key: Key) -> None:
        try:
            while key in self._requested and key not in self._paused:
                self._requested.discard(key)
                if key in self._retries:
                    self._retries.pop(key).cancel()
                    self._in_turn.discard(key)
                if await self._succeeds(key):
                    self._failures.pop(key, None)
                    self._forbidden.discard(key)
                else:
                    self._retry(key)
        finally:
            del self._running[key]

    async def _succeeds(self, key: Key) -> bool:
        """Refresh once. False if a retry may help."""
        table = self._table_of(key)
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._work(key)
        except discord.NotFound as error:
            log.warning("table=%s cannot be shown in its channel: %s", table, error)
        except discord.Forbidden as error:
            if key not in self._forbidden:
                log.warning("table=%s cannot be shown in its channel until a permission returns: %s", table, error)
            self._forbidden.add(key)
            return False
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError, StorageError) as error:
            log.warning("table=%s could not be shown: %s", table, str(error) or type(error).__name__)
            return False
        except Exception:
            log.exception("table=%s could not be shown", table)
            return False
        return True

    def _retry(self, key: Key) -> None:
        """Schedule the next attempt. It never gives up, because the app may not hear when the cause is gone."""
        if key in self._in_turn:
            return
        if key in self._forbidden:
            self._call_later(FORBIDDEN_AFTER, self.request, key)
            return
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self._call_later(RETRY_AFTER[min(failures, len(RETRY_AFTER) - 1)], self.request, key)

    def _call_later(self, seconds: float, callback: Callable[[Key], None], key: Key) -> None:
        if key in self._retries:
            self._retries.pop(key).cancel()
        self._retries[key] = asyncio.get_running_loop().call_later(seconds, callback, key)
