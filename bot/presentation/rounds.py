"""Work that follows each table: one round at a time, and what is asked for meanwhile is done in the next."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord

from bot.storage.database import StorageError

log = logging.getLogger(__name__)

RETRY_AFTER: Final = (2.0, 15.0, 120.0, 900.0)
"""Seconds until a round that failed is tried again, each time longer; then it waits for the next change."""


class Rounds:
    """Does `work` (the number of a table) for each table that asks, the newest state only."""

    def __init__(self, work: Callable[[int], Awaitable[None]]) -> None:
        self._work = work
        self._asked: set[int] = set()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._failures: dict[int, int] = {}
        self._is_open = False

    def open(self) -> None:
        """Begin, with what was asked for until now."""
        self._is_open = True
        for table_id in list(self._asked):
            self.ask(table_id)

    async def close(self) -> None:
        """Stop in the middle of things: whoever asked asks again at the next start."""
        self._is_open = False
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    def ask(self, table_id: int) -> None:
        """Have a round for a table. It returns at once."""
        self._asked.add(table_id)
        if self._is_open and table_id not in self._under_way:
            name = f"{self._work.__name__} of table {table_id}"
            self._under_way[table_id] = asyncio.create_task(self._go_round(table_id), name=name)

    async def _go_round(self, table_id: int) -> None:
        try:
            while table_id in self._asked:
                self._asked.discard(table_id)
                if await self._is_done(table_id):
                    self._failures.pop(table_id, None)
                else:
                    self._retry(table_id)
        finally:
            del self._under_way[table_id]

    async def _is_done(self, table_id: int) -> bool:
        """One round; False where another attempt may help."""
        try:
            await self._work(table_id)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("table=%d cannot be shown in its channel: %s", table_id, error)
        except (discord.HTTPException, aiohttp.ClientError, StorageError) as error:
            log.warning("table=%d could not be shown: %s", table_id, error)
            return False
        except Exception:
            log.exception("table=%d could not be shown", table_id)
            return False
        return True

    def _retry(self, table_id: int) -> None:
        """Have a round later, a few times at most."""
        failures = self._failures.pop(table_id, 0)
        if failures < len(RETRY_AFTER):
            self._failures[table_id] = failures + 1
            asyncio.get_running_loop().call_later(RETRY_AFTER[failures], self.ask, table_id)
