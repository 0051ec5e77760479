"""The messages that show each table in its channel, and how much of the table they show."""

from bot.services.table_cache import TableCache
from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import ChannelDisplay
from bot.table.refusals import NoSuchTable
from bot.table.shards import ALL_SHARDS, Shards


class ChannelDisplays:
    """Reads and stores the `ChannelDisplay` of tables."""

    def __init__(self, database: Database, cache: TableCache) -> None:
        self._database = database
        self._cache = cache

    async def get(self, table_id: int) -> ChannelDisplay:
        """Raises `NoSuchTable` if the table has been deleted."""
        _, found = await self.get_with_revision(table_id)
        return found

    async def get_with_revision(self, table_id: int) -> tuple[int, ChannelDisplay]:
        """The same, after the table's revision. After a restore, tables in memory are dropped first."""
        async with self._database.read() as connection:
            found = await matches.revision_and_display(connection, table_id)
            await self._cache.check_generation(connection)
        if found is None:
            raise NoSuchTable
        return found

    async def save(self, table_id: int, display: ChannelDisplay) -> ChannelDisplay:
        """Store a display. Returns it as stored; only that one can be saved next.

        Raises `StaleRead` if another process has stored one since this was read.
        """
        async with self._database.write(durable=False) as connection:  # if it's lost, the message is found by its nonce
            return await matches.save_display(connection, table_id, display)

    async def outdated(self, guild_id: int | None = None, shards: Shards = ALL_SHARDS) -> list[int]:
        """Tables of a guild, or of all in these shards, whose messages don't show their latest change."""
        return await self._database.fetch(matches.outdated, guild_id, shards)
