"""What a server has set for everybody in it."""

from dataclasses import replace
from typing import Any

from bot.storage import guilds
from bot.storage.database import Database
from bot.storage.guilds import Server


class Servers:
    """Asks and changes what a server has set."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild_id: int) -> Server:
        """What a server has set, or what every server begins with."""
        async with self._database.read() as connection:
            return await guilds.load(connection, guild_id)

    async def hear(self, guild_id: int, locale: str) -> None:
        """Remember what Discord says is the language of a server."""
        if (await self.get(guild_id)).locale != locale:
            await self._set(guild_id, locale=locale)

    async def set_language(self, guild_id: int, language: str) -> Server:
        """Have public messages in this language; empty: in Discord's."""
        return await self._set(guild_id, language=language)

    async def set_celebrates(self, guild_id: int, *, celebrates: bool) -> Server:
        """Have gangs celebrated, or not."""
        return await self._set(guild_id, celebrates=celebrates)

    async def _set(self, guild_id: int, **changes: Any) -> Server:  # noqa: ANN401  # a field each
        async with self._database.write() as connection:
            server = replace(await guilds.load(connection, guild_id), **changes)
            await guilds.save(connection, guild_id, server)
        return server
