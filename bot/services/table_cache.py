"""Tables in memory with what their channels show, and a lock for the actions at each."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import matches
from bot.storage.database import Database, hold_lock, wait_deadline
from bot.storage.matches import SHORT_LOG
from bot.table.model import ChannelDisplay
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

MAX_IN_MEMORY: Final = 1000


class TableCache:
    """Tables as last committed, loaded on first use. The least recently changed ones are dropped first."""

    def __init__(self, database: Database, keeps: Callable[[int], bool] = lambda _: True) -> None:
        """`keeps` is told a guild. Tables of the others are read each time, because they're changed elsewhere."""
        self._database = database
        self._keeps = keeps
        self._tables: dict[int, Table] = {}
        self._displays: dict[int, ChannelDisplay] = {}
        """What the channels of some of these tables show."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._forgotten = 0
        """The number of calls of `forget`. What was read before such a call may be stale, so it isn't kept."""

    async def get(self, table_id: int) -> Table:
        """The table as last committed by this process. Raises `NoSuchTable`."""
        known = self._tables.get(table_id)
        if known is None:
            forgotten = self._forgotten
            async with self._database.read() as connection:
                read = await load(connection, table_id)
            known = self._tables.get(table_id, read)  # a newer commit during the read wins
            if forgotten == self._forgotten:
                self.put(known)
        return known

    async def display(self, table_id: int) -> ChannelDisplay:
        """What the channel of a table shows. Raises `NoSuchTable`."""
        known = self._displays.get(table_id)
        if known is None:
            forgotten = self._forgotten
            async with self._database.read() as connection:
                read = await matches.display(connection, table_id)
            if read is None:
                raise NoSuchTable
            known = self._displays.get(table_id, read)  # one saved during the read wins
            if forgotten == self._forgotten:
                self.put_display(table_id, known)
        return known

    def known_display(self, table_id: int) -> ChannelDisplay | None:
        """What was read or stored last; None if it isn't in memory."""
        return self._displays.get(table_id)

    def put_display(self, table_id: int, display: ChannelDisplay) -> None:
        """Keep what the channel of a table shows, as long as that table is in memory."""
        if table_id in self._tables:
            self._displays[table_id] = display

    def put(self, table: Table) -> None:
        """Store a committed table."""
        if not self._keeps(table.row.guild_id):
            return
        self._tables.pop(table.id, None)
        self._tables[table.id] = table
        if len(self._tables) > MAX_IN_MEMORY:
            self._drop(next(iter(self._tables)))

    def forget(self, table_ids: Iterable[int] | None = None) -> None:
        """Drop tables, by default all, because the database has changed."""
        self._forgotten += 1
        for table_id in list(self._tables) if table_ids is None else table_ids:
            self._drop(table_id)

    def _drop(self, table_id: int) -> None:
        self._tables.pop(table_id, None)
        self._displays.pop(table_id, None)

    def forget_display(self, table_id: int) -> None:
        """Drop what a channel shows, because it's unknown whether a change was stored."""
        self._forgotten += 1
        self._displays.pop(table_id, None)

    def is_current(self, table: Table) -> bool:
        """True if the table is the last committed version."""
        return self._tables.get(table.id) is table

    def open_ids(self) -> list[int]:
        """The open tables in memory."""
        return [table_id for table_id, table in self._tables.items() if table.row.status.is_open]

    @asynccontextmanager
    async def locked(self, table_id: int) -> AsyncIterator[float]:
        """Lock a table. Yields the deadline for waiting on the database.

        Lock and database share one deadline, so presses that queue at a table don't wait for each other's timeouts.
        """
        until = wait_deadline()
        async with hold_lock(self._locks.setdefault(table_id, asyncio.Lock()), until):
            yield until


async def load(connection: AsyncConnection, table_id: int) -> Table:
    """Read a table and replay its log, in a thread if it's long. Raises `NoSuchTable`."""
    row = await matches.load(connection, table_id)
    if row is None:
        raise NoSuchTable
    lines = await matches.load_lines(connection, table_id)
    events = [line.event for line in lines]
    if len(events) <= SHORT_LOG:
        return Table(row).after(events)
    return await asyncio.to_thread(Table(row).after, events)
