"""Remembers from which table a user has opened the Activity, because Discord doesn't tell the page."""

from collections.abc import Callable
from typing import Final

KEPT_FOR: Final = 900_000
"""Milliseconds after which a press is forgotten that has opened no Activity. A phone may take minutes to load it."""
MOST_OPENED: Final = 10_000
"""Users whose Activity is remembered."""


class Launches:
    """Remembers the last such press of each user, and then the Activity that it opened, which a phone may load again.

    Nothing is stored: after a restart a page that is loaded again shows a list.
    """

    def __init__(self, now: Callable[[], int], tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` sends a message to the other processes, one of which may serve the page."""
        self._now = now
        self._tell = tell
        self._pressed: dict[int, tuple[int, int]] = {}
        """The table and the time of the press by user, the earliest first."""
        self._opened: dict[int, tuple[str, int]] = {}
        """The instance of the Activity and the table by user, the earliest first."""

    def record(self, user_id: int, table_id: int) -> None:
        """Record a press."""
        self.remember(user_id, table_id)
        self._tell(f"launch {user_id} {table_id}")

    def remember(self, user_id: int, table_id: int) -> None:
        """Record a press, perhaps at another process."""
        self._pressed.pop(user_id, None)
        self._pressed[user_id] = table_id, self._now()
        self._forget_old()

    def table_of(self, user_id: int, instance_id: str) -> int | None:
        """The table whose button opened a user's Activity."""
        self._forget_old()
        if user_id in self._pressed:
            self._opened.pop(user_id, None)
            self._opened[user_id] = instance_id, self._pressed.pop(user_id)[0]
            if len(self._opened) > MOST_OPENED:
                del self._opened[next(iter(self._opened))]
        opened, table_id = self._opened.get(user_id, ("", None))
        return table_id if opened == instance_id else None

    def _forget_old(self) -> None:
        while self._pressed:
            user_id, (_, pressed_at) = next(iter(self._pressed.items()))
            if abs(self._now() - pressed_at) < KEPT_FOR:
                return
            del self._pressed[user_id]
