"""The pages that watch tables. Each is woken after a change, and then sends one update."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from bot.table.snapshot import Table


class Watching(Protocol):
    """A page that watches a table."""

    user_id: int

    def wake(self) -> None:
        """Send a new update soon. Returns at once."""


@dataclass(slots=True)
class _Watched:
    """A table that pages show."""

    pages: list[Watching] = field(default_factory=list)
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    table: Table | None = None
    """As last read; None after a change."""
    changes: int = 0


class Watchers:
    """Knows which page watches which table."""

    def __init__(self) -> None:
        self._watched: dict[int, _Watched] = {}

    def changed(self, table_id: int) -> None:
        """Wake the pages of a table."""
        watched = self._watched.get(table_id)
        if watched is not None:
            watched.table, watched.changes = None, watched.changes + 1
            for page in watched.pages:
                page.wake()

    def changed_all(self) -> None:
        """Wake all pages, because any table may have changed."""
        for table_id in self._watched:
            self.changed(table_id)

    def shows(self, table_id: int, user_id: int) -> bool:
        """True if a page shows a table to a user, so that they see each change."""
        return table_id in self._watched and any(page.user_id == user_id for page in self._watched[table_id].pages)

    async def read(self, table_id: int, read: Callable[[int], Awaitable[Table]]) -> Table:
        """A table for an update, read once after each change for all its pages.

        `read` replays the log of a table whose guild another process serves.
        """
        watched = self._watched.get(table_id)
        if watched is None:
            return await read(table_id)
        async with watched.reading:
            if watched.table is not None:
                return watched.table
            changes = watched.changes
            table = await read(table_id)
            watched.table = table if watched.changes == changes else None
            return table

    @contextmanager
    def watching(self, table_id: int, page: Watching) -> Iterator[None]:
        """Watch a table during the block."""
        watched = self._watched.setdefault(table_id, _Watched())
        watched.pages.append(page)
        try:
            yield
        finally:
            watched.pages.remove(page)
            if not watched.pages:
                del self._watched[table_id]
