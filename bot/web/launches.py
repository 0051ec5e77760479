"""Remembers from which table a user has opened the Activity, because Discord doesn't tell the page."""

from collections.abc import Callable
from typing import Final

KEPT_FOR: Final = 120_000
"""Milliseconds after which a press is forgotten. A phone may load the Activity for a minute."""


class Launches:
    """Remembers the last such press of each user for a short time. Nothing is stored: a page then shows a list."""

    def __init__(self, now: Callable[[], int], tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` sends a message to the other processes, one of which may serve the page."""
        self._now = now
        self._tell = tell
        self._pressed: dict[int, tuple[int, int]] = {}
        """The table and the time of the press by user, the earliest first."""

    def record(self, user_id: int, table_id: int) -> None:
        """Record a press."""
        self.remember(user_id, table_id)
        self._tell(f"launch {user_id} {table_id}")

    def remember(self, user_id: int, table_id: int) -> None:
        """Record a press, perhaps at another process."""
        self._pressed.pop(user_id, None)
        self._pressed[user_id] = table_id, self._now()
        while self._pressed and self._is_old(next(iter(self._pressed))):
            del self._pressed[next(iter(self._pressed))]

    def table_of(self, user_id: int) -> int | None:
        """The table whose button a user has just pressed."""
        return None if user_id not in self._pressed or self._is_old(user_id) else self._pressed[user_id][0]

    def _is_old(self, user_id: int) -> bool:
        return abs(self._now() - self._pressed[user_id][1]) >= KEPT_FOR
