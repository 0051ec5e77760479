"""Records which guilds the app is in. The data of guilds that removed it is deleted after a while."""

import logging
from collections.abc import Awaitable, Callable, Iterable

import discord
from discord.ext import commands

from bot.services.guild_settings import Guilds
from bot.table.errors import StorageError

log = logging.getLogger(__name__)


class PresenceCog(commands.Cog):
    """Records joins and removals. `current_guilds` returns the guilds that the app is in."""

    def __init__(self, guilds: Guilds, current_guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        self.guilds = guilds
        self.current_guilds = current_guilds

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Compare the recorded guilds with the current ones: events may have been missed."""
        await _record(self.guilds.sync_guilds({guild.id for guild in self.current_guilds()}))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that a guild has added the app, perhaps again."""
        await _record(self.guilds.record_join(guild.id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that a guild has removed the app or was deleted."""
        await _record(self.guilds.record_leave(guild.id))


async def _record(recording: Awaitable[None]) -> None:
    try:
        await recording
    except StorageError as error:  # `on_ready` repeats it
        log.warning("could not record the guilds of the app: %s", error)
