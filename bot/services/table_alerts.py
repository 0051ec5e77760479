"""Users who want to hear when a table opens in a guild."""

from collections.abc import Callable
from typing import Final

from bot.storage import table_alerts, user_settings
from bot.storage.database import Database
from bot.table.model import Status
from bot.table.quiet_hours import is_free
from bot.table.snapshot import Table
from bot.table.user import NotificationMode

MAX_ASKED: Final = 20
"""Users who are considered for one table. Each table begins with another one."""


class TableAlerts:
    """Stores which users want to hear about new tables (`now`: UTC milliseconds)."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def wants(self, guild_id: int, user_id: int) -> bool:
        """True if a user wants to hear about new tables of a guild."""
        return await self._database.fetch(table_alerts.wants, guild_id, user_id)

    async def set(self, guild_id: int, user_id: int, *, wanted: bool) -> None:
        """Store whether a user wants to hear about new tables of a guild."""
        async with self._database.write() as connection:
            await (table_alerts.add if wanted else table_alerts.remove)(connection, guild_id, user_id)

    async def listeners(self, table: Table) -> list[int]:
        """The users to tell about a new table: those who want it, have no seat there, and may be disturbed now."""
        row = table.row
        if row.status is not Status.LOBBY or len(row.seats) == row.size or row.settings.private:
            return []
        async with self._database.read() as connection:
            users = await table_alerts.users(connection, row.guild_id)
            users = [user for user in users if not row.has_owner(user) and user not in row.invited]
            start = row.id % max(len(users), 1)
            users = [*users[start:], *users[:start]][:MAX_ASKED]
            settings = {user: await user_settings.load(connection, user) for user in users}
        return [
            user
            for user, each in settings.items()
            if each.notifications is not NotificationMode.NEVER and is_free(self._now(), each)
        ]
