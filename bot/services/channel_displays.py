"""The messages that show each table in its channel, and how much of the table they show."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.background import logging_errors
from bot.services.caches import MAX_TABLES, ReadCache
from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import ChannelDisplay
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

log = logging.getLogger(__name__)

STORE_SECONDS: Final = 1.0
"""How long a drawn revision may wait to be stored together with those of other tables."""


class ChannelDisplays:
    """The `ChannelDisplay` of tables: in memory, and in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known = ReadCache(database, _load, max_values=MAX_TABLES)
        self.get: Final = self._known.get
        """The messages that the channel of a table shows. Raises `NoSuchTable` if the table has been deleted."""
        self.forget_all: Final = self._known.forget_all
        self._drawn: dict[int, ChannelDisplay] = {}
        """By table: displays that are stored except for their revision."""
        self._has_drawn = asyncio.Event()

    async def begin(self, connection: AsyncConnection, table: Table) -> None:
        """Let the channel show a table from now on, without what has happened there before."""
        past = ChannelDisplay(announced_hand=table.hands_over, announced_gangs=table.gangs)
        await matches.save_display(connection, table.id, past)
        self._known.forget(table.id)

    async def save(self, table_id: int, display: ChannelDisplay) -> ChannelDisplay:
        """Store a display. Returns it."""
        self._drawn.pop(table_id, None)
        try:
            async with self._database.write() as connection:
                await matches.save_display(connection, table_id, display)
        except BaseException:
            self._known.forget(table_id)
            raise
        self._known.put(table_id, display)
        return display

    async def save_drawn(self, table_id: int, display: ChannelDisplay) -> None:
        """Store a display. If only its revision differs from the one in memory, it's stored within a second.

        After a crash in this second, the table is drawn once more.
        """
        known = self._known.known(table_id)
        if known is None or replace(known, revision=display.revision) != display:
            await self.save(table_id, display)
        elif known != display:
            self._known.put(table_id, display)
            self._drawn[table_id] = display
            self._has_drawn.set()

    async def run(self) -> None:
        """Store drawn revisions, for all tables at once, until canceled."""
        while True:
            await self._has_drawn.wait()
            await asyncio.sleep(STORE_SECONDS)
            await self.store_drawn()

    async def store_drawn(self) -> None:
        """Store drawn revisions now. An error is logged, and they are stored later."""
        self._has_drawn.clear()
        storing = dict(self._drawn)
        with logging_errors(log, "what channels show"):
            if storing:
                revisions = {table_id: display.revision for table_id, display in storing.items()}
                async with self._database.write() as connection:
                    locked = await matches.save_displayed_revisions(connection, revisions)
                for table_id in storing.keys() - locked:
                    if self._drawn.get(table_id) is storing[table_id]:  # otherwise drawn or saved again meanwhile
                        del self._drawn[table_id]
        if self._drawn:
            self._has_drawn.set()

    async def outdated(self, guild_id: int | None = None) -> list[int]:
        """Tables of a guild, or of all of ours, whose messages don't show their latest change."""
        return await self._database.fetch(matches.outdated, guild_id)


async def _load(connection: AsyncConnection, table_id: int) -> ChannelDisplay:
    display = await matches.display(connection, table_id)
    if display is None:
        raise NoSuchTable
    return display
