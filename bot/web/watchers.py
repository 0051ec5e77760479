"""The pages that watch tables. Each is woken after a change, and then sends one picture of the newest state."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Watching(Protocol):
    """A page that watches a table."""

    user_id: int

    def wake(self) -> None:
        """Send a new picture soon. Returns at once."""


class Watchers:
    """Knows which page watches which table."""

    def __init__(self) -> None:
        self._pages: dict[int, list[Watching]] = {}

    def changed(self, table_id: int) -> None:
        """Wake the pages of a table."""
        for page in self._pages.get(table_id, ()):
            page.wake()

    def changed_all(self) -> None:
        """Wake all pages, because any table may have changed."""
        for table_id in self._pages:
            self.changed(table_id)

    def shows(self, table_id: int, user_id: int) -> bool:
        """True if a page shows a table to a user, so that they see each change."""
        return any(page.user_id == user_id for page in self._pages.get(table_id, ()))

    @contextmanager
    def watching(self, table_id: int, page: Watching) -> Iterator[None]:
        """Watch a table during the block."""
        self._pages.setdefault(table_id, []).append(page)
        try:
            yield
        finally:
            self._pages[table_id].remove(page)
            if not self._pages[table_id]:
                del self._pages[table_id]
