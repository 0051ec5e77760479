"""The page as the rest of the app knows it: told of changes, even while no page is served."""

from collections.abc import Callable
from typing import Final

from bot.web.launches import Launches
from bot.web.sessions import Sessions
from bot.web.watchers import Watchers


class WebPage:
    """Wakes the pages of this process, and tells the other processes."""

    def __init__(self, secret: str | None, now: Callable[[], int], tell: Callable[[str], None]) -> None:
        """`secret` is the app's client secret; None if the host hasn't set up the page.

        `now`: UTC milliseconds. `tell` sends a message to the other processes.
        """
        self.watchers: Final = Watchers()
        self.launches: Final = Launches(now, tell)
        self.sessions: Final = Sessions(secret or "", now, lambda nonce: tell(f"logout {nonce}"))
        self.is_served: Final = secret is not None
        self._tell = tell

    def tell_changed(self, table_id: int) -> None:
        """Let the other processes show a table of this process's guilds anew."""
        if self.is_served:
            self._tell(f"page {table_id}")

    def hear(self, message: str) -> None:
        """Hear a message of another process."""
        match message.split():
            case ["page" | "table", table_id, *_]:
                self.watchers.changed(int(table_id))
            case ["launch", user_id, table_id]:
                self.launches.remember(int(user_id), int(table_id))
            case ["logout", nonce]:
                self.sessions.forget(nonce)
