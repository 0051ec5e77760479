"""Tells open pages, and other processes, that a table has changed.

Any process serves any page, because the host's HTTPS server can't know whose guild it shows. Like a press in a direct
message, a move is made by the process that gets it: the log's key refuses a second writer, and the process of the guild
hears of the change. A redirect would need an address for each process.
"""

from collections.abc import Callable
from typing import Final

from bot.table.snapshot import Table
from bot.web.launches import Launches
from bot.web.watchers import Watchers


class OpenPages:
    """Updates the open pages of this process, and tells the other processes."""

    def __init__(self, secret: str | None, now: Callable[[], int], tell: Callable[[str], None]) -> None:
        """`secret` is the app's client secret; None if the host hasn't set up the page.

        `now`: UTC milliseconds. `tell` sends a message to the other processes.
        """
        self.watchers: Final = Watchers()
        self.launches: Final = Launches(now, tell)
        self.is_set_up: Final = secret is not None
        self._tell = tell

    def changed(self, table: Table, *, is_ours: bool) -> None:
        """Update the pages of a changed table, and of the match whose rematch it is.

        The other processes do that too, if the table is in one of this process's guilds.
        """
        for table_id in _concerned(table):
            self.watchers.changed(table_id)
        if is_ours:
            self._tell(f"page {' '.join(map(str, _concerned(table)))}")

    def hear(self, message: str) -> None:
        """Hear a message of another process."""
        match message.split():
            case ["page" | "forget", *table_ids]:
                for table_id in table_ids:
                    self.watchers.changed(int(table_id))
            case ["table", table_id, _guild_id]:
                self.watchers.changed(int(table_id))
            case ["launch", user_id, table_id]:
                self.launches.remember(int(user_id), int(table_id))


def _concerned(table: Table) -> tuple[int, ...]:
    """The tables whose pages change with a table: its own, and once that of the match before."""
    is_new = table.row.rematch_of is not None and table.row.revision <= 1
    return (table.id, table.row.rematch_of or 0) if is_new else (table.id,)
