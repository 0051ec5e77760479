"""The messages that show each table in its channel, and how much of the table they show."""

from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import ChannelDisplay
from bot.table.refusals import NoSuchTable


class ChannelDisplays:
    """Reads and stores the `ChannelDisplay` of tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, table_id: int) -> ChannelDisplay:
        """Raises `NoSuchTable` if the table has been deleted."""
        async with self._database.read() as connection:
            found = await matches.display(connection, table_id)
        if found is None:
            raise NoSuchTable
        return found

    async def save(self, table_id: int, display: ChannelDisplay) -> ChannelDisplay:
        """Store a display. Returns it as stored; only that one can be saved next.

        Raises `StaleDisplay` if another process has stored one since this was read.
        """
        async with self._database.write() as connection:
            return await matches.save_display(connection, table_id, display)

    async def outdated(self, guild_id: int | None = None) -> list[int]:
        """Tables of a guild, or of all guilds, whose messages don't show their latest change."""
        async with self._database.read() as connection:
            return await matches.outdated(connection, guild_id)

    async def active_since(self, moment: int) -> list[int]:
        """Tables that may have changed since a moment (UTC milliseconds)."""
        async with self._database.read() as connection:
            return await matches.active_since(connection, moment)
