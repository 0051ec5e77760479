"""In which servers we are, and which have thrown us out: those are forgotten after a while."""

import logging
from collections.abc import Awaitable, Callable, Iterable

import discord
from discord.ext import commands

from bot.services.guild_settings import Guilds
from bot.table.errors import StorageError

log = logging.getLogger(__name__)


class PresenceCog(commands.Cog):
    """Remembers it as Discord tells of it; `here` gives the servers in which we are."""

    def __init__(self, guilds: Guilds, here: Callable[[], Iterable[discord.Guild]]) -> None:
        self.guilds = guilds
        self.here = here

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """After a time in which anything may have happened unheard."""
        await _logged(self.guilds.sync_guilds({guild.id for guild in self.here()}))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has let us in, perhaps again."""
        await _logged(self.guilds.record_join(guild.id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has thrown us out, or is no more."""
        await _logged(self.guilds.record_leave(guild.id))


async def _logged(noting: Awaitable[None]) -> None:
    try:
        await noting
    except StorageError as error:  # it is noted when we are ready the next time
        log.warning("in which servers we are cannot be noted: %s", error)
