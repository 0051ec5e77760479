"""Remembers from which table a user has opened the Activity, because Discord doesn't tell the page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

KEPT_FOR: Final = 3_600_000
"""Milliseconds after which a press is forgotten if the Activity hasn't been loaded since."""
FRESH_FOR: Final = 60_000
"""Milliseconds in which a press is passed on to an Activity that connects again."""


class Activity(Protocol):
    """An Activity that a user has open."""

    user_id: int

    def open(self, table_id: int) -> None:
        """Show a table soon. Returns at once."""


class Launches:
    """Remembers the last such press of each user, and which instance of the Activity it opened: phones load it again.

    Discord doesn't load an Activity that is open already, so the press is passed on to it.

    Nothing is stored: a page then shows a list.
    """

    def __init__(self, now: Callable[[], int], tell: Callable[[str], None] = lambda _: None) -> None:
        """`tell` sends a message to the other processes, one of which may serve the page."""
        self._now = now
        self._tell = tell
        self._kept: dict[int, tuple[str | None, int, int]] = {}
        """By user, the earliest first: the instance, the table and the time.

        The instance is None until it's loaded, and "" after the press was passed on.
        """
        self._open: list[Activity] = []

    def record(self, user_id: int, table_id: int) -> None:
        """Record a press."""
        self.remember(user_id, table_id)
        self._tell(f"launch {user_id} {table_id}")

    def remember(self, user_id: int, table_id: int) -> None:
        """Record a press, perhaps at another process."""
        self._forget_old()
        self._keep(user_id, None, table_id)
        for activity in self._open:
            if activity.user_id == user_id:
                self._pass_on(activity, table_id)

    def _pass_on(self, activity: Activity, table_id: int) -> None:
        self._keep(activity.user_id, "", table_id)
        activity.open(table_id)

    @contextmanager
    def passing_on(self, activity: Activity) -> Iterator[None]:
        """Pass its user's presses on to an Activity during the block, and one of just now, when it wasn't connected."""
        opened, table_id, at = self._kept.get(activity.user_id, ("", 0, 0))
        if opened is None and abs(self._now() - at) < FRESH_FOR:
            self._pass_on(activity, table_id)
        self._open.append(activity)
        try:
            yield
        finally:
            self._open.remove(activity)

    def table_of(self, user_id: int, instance_id: str) -> int | None:
        """The table whose button opened a user's Activity."""
        self._forget_old()
        opened, table_id, _ = self._kept.get(user_id, (None, None, 0))
        if table_id is None or opened not in (None, "", instance_id):
            return None
        self._keep(user_id, instance_id, table_id)
        return table_id

    def _keep(self, user_id: int, instance_id: str | None, table_id: int) -> None:
        self._kept.pop(user_id, None)
        self._kept[user_id] = instance_id, table_id, self._now()

    def _forget_old(self) -> None:
        while self._kept:
            user_id, (_, _, at) = next(iter(self._kept.items()))
            if abs(self._now() - at) < KEPT_FOR:
                return
            del self._kept[user_id]
