"""Tables in memory, and a lock for the actions at each."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.read_cache import ReadCache
from bot.storage import matches
from bot.storage.database import Database, hold_lock, wait_deadline
from bot.storage.matches import SHORT_LOG
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

MAX_IN_MEMORY: Final = 1000


class TableCache:
    """Tables as last committed, and a lock for the actions at each."""

    def __init__(self, database: Database, keeps: Callable[[int], bool] = lambda _: True) -> None:
        """`keeps` is told a guild. Tables of the others are read each time, because they're changed elsewhere."""
        self._tables = ReadCache(
            database, load, keeps=lambda table: keeps(table.row.guild_id), max_values=MAX_IN_MEMORY
        )
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.get: Final = self._tables.get
        """The table as last committed by this process. Raises `NoSuchTable`."""
        self.forget: Final = self._tables.forget
        self.forget_all: Final = self._tables.forget_all

    def put(self, table: Table) -> None:
        """Store a committed table."""
        self._tables.put(table.id, table)

    def is_current(self, table: Table) -> bool:
        """True if the table is the last committed version."""
        return self._tables.known(table.id) is table

    def open_ids(self) -> list[int]:
        """The open tables in memory."""
        return [table.id for table in self._tables.all_known() if table.row.status.is_open]

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
