"""The messages that show each table in its channel, and how much of the table they show."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Set
from dataclasses import replace
from typing import Final

from bot.services.background import logging_errors
from bot.services.table_cache import TableCache
from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import ChannelDisplay
from bot.table.shards import ALL_SHARDS, Shards

log = logging.getLogger(__name__)

STORE_SECONDS: Final = 1.0
"""How long a drawn revision may wait to be stored together with those of other tables."""


class ChannelDisplays:
    """The `ChannelDisplay` of tables: in memory with its table, and in the database."""

    def __init__(self, database: Database, cache: TableCache) -> None:
        self._database = database
        self._cache = cache
        self._drawn: dict[int, ChannelDisplay] = {}
        """By table: displays that are stored except for their revision."""
        self._has_drawn = asyncio.Event()

    async def get(self, table_id: int) -> ChannelDisplay:
        """What the channel shows, as far as this process knows. Raises `NoSuchTable` if the table has been deleted."""
        return await self._cache.display(table_id)

    async def save(self, table_id: int, display: ChannelDisplay) -> ChannelDisplay:
        """Store a display. Returns it as stored; only that one can be saved next.

        Raises `StaleRead` if another process has stored one since this was read.
        """
        self._drawn.pop(table_id, None)
        try:
            async with self._database.write() as connection:
                saved = await matches.save_display(connection, table_id, display)
        except BaseException:
            self._cache.forget_display(table_id)
            raise
        self._cache.put_display(table_id, saved)
        return saved

    async def save_drawn(self, table_id: int, display: ChannelDisplay) -> None:
        """Store a display. If only its revision differs from the one in memory, it's stored within a second.

        After a crash in this second, the table is drawn once more. Raises as `save` does.
        """
        known = self._cache.known_display(table_id)
        if known is None or replace(known, revision=display.revision) != display:
            await self.save(table_id, display)
        elif known != display:
            self._cache.put_display(table_id, display)
            self._drawn[table_id] = display
            self._has_drawn.set()

    async def run(self, redraw: Callable[[Iterable[int]], None]) -> None:
        """Store drawn revisions, for all tables at once, until cancelled. `redraw` gets what `store_drawn` returns."""
        while True:
            await self._has_drawn.wait()
            await asyncio.sleep(STORE_SECONDS)
            redraw(await self.store_drawn())

    async def store_drawn(self) -> Set[int]:
        """Store drawn revisions now. An error is logged, and they are stored later.

        Returns the tables that another process has drawn meanwhile: their channels may show an older state again.
        """
        self._has_drawn.clear()
        storing = dict(self._drawn)
        outdated: Set[int] = set()
        with logging_errors(log, "what channels show"):
            if storing:
                async with self._database.write() as connection:
                    outdated, locked = await matches.save_displayed_revisions(connection, storing)
                for table_id in storing.keys() - locked:
                    if self._drawn.get(table_id) is storing[table_id]:  # otherwise drawn or saved again meanwhile
                        del self._drawn[table_id]
                for table_id in outdated:
                    self._cache.forget_display(table_id)
        if self._drawn:
            self._has_drawn.set()
        return outdated

    async def outdated(self, guild_id: int | None = None, shards: Shards = ALL_SHARDS) -> list[int]:
        """Tables of a guild, or of all in these shards, whose messages don't show their latest change."""
        return await self._database.fetch(matches.outdated, guild_id, shards)
