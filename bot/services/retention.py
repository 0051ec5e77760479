"""Delete data automatically after the periods in PRIVACY.md."""

from typing import Final

from bot.services.history import IMPORT_SECONDS
from bot.services.practice import KEPT_SECONDS
from bot.services.tables import Tables
from bot.storage import audit_log, daily, guild_settings, history, practice, retention
from bot.storage.database import Database
from bot.table.days import day_of

DAY: Final = 86_400
"""Seconds."""
GUILD_DAYS: Final = 30
"""Days to keep a guild after it removed the app."""
LOBBY_DAYS: Final = 30
"""Days to keep a table that closed before its first deal."""
CHANGE_DAYS: Final = 365
"""Days to keep an entry of the audit log."""
HOUR: Final = 3600
"""Seconds between two checks."""
BATCH_SIZE: Final = 20
"""Tables in one transaction, so that nobody waits long."""


async def delete_guild(database: Database, tables: Tables, guild_id: int, left_before: int) -> None:
    """Delete everything about a guild, if the app left it before `left_before` (UTC seconds)."""
    numbers: list[int] | None = []
    while numbers is not None:
        numbers = await database.commit(retention.delete_guild, guild_id, left_before, BATCH_SIZE)
        tables.cache.forget(*numbers or ())


class Retention:
    """Deletes data whose period is over."""

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database = database
        self._tables = tables
        self._checked_at = 0

    async def delete_expired(self, now: int) -> None:
        """Delete data whose period is over at `now` (UTC seconds)."""
        if 0 <= now - self._checked_at < HOUR:
            return
        before = now - GUILD_DAYS * DAY
        for guild_id in await self._database.fetch(guild_settings.left_before, before):
            await delete_guild(self._database, self._tables, guild_id, before)
        await self._delete_lobbies(now - LOBBY_DAYS * DAY)
        async with self._database.write() as connection:
            await audit_log.delete_before(connection, now - CHANGE_DAYS * DAY)
            await history.delete_imports(connection, now - IMPORT_SECONDS)
            await practice.delete_before(connection, 1000 * (now - KEPT_SECONDS))
            await daily.delete_marks(connection, day_of(now * 1000))
        self._checked_at = now

    async def _delete_lobbies(self, before: int) -> None:
        numbers = [0]
        while numbers:
            async with self._database.write() as connection:
                numbers = await retention.old_lobbies(connection, before, BATCH_SIZE)
                if numbers:
                    await retention.delete_tables(connection, numbers)
            self._tables.cache.forget(*numbers)
