"""Remembers which commands are published on Discord, so that they are published again only after a change."""

from bot.storage import published_commands
from bot.storage.database import Database


class PublishedCommands:
    """Stores a digest of what was published, for each application."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def digest(self, application_id: int) -> str | None:
        """The digest stored last; None before the first."""
        return await self._database.fetch(published_commands.load, application_id)

    async def save(self, application_id: int, digest: str) -> None:
        """Store the digest of what was just published."""
        await self._database.commit(published_commands.save, application_id, digest)
