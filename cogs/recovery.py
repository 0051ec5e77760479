"""What stood in the way of telling may have gone: told of by the gateway, so that nobody has to ask for it."""

import logging

import discord
from discord.ext import commands

from bot.presentation.channel.announcer import Announcer
from bot.services.tables import Tables
from bot.table.errors import StorageError

log = logging.getLogger(__name__)


class RecoveryCog(commands.Cog):
    """Has told what is untold, whenever it may be possible again."""

    def __init__(self, tables: Tables, announcer: Announcer) -> None:
        self.tables = tables
        self.announcer = announcer
        self._lost: set[int] = set()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """After a time in which anything may have happened unheard."""
        await self._catch_up(None)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has let us in again."""
        await self._catch_up(guild.id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Discord has lost a server for a while."""
        self._lost.add(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """It has found it again; at the start it says so of every server, for which `on_ready` is enough."""
        if guild.id in self._lost:
            self._lost.discard(guild.id)
            await self._catch_up(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """The permissions in a channel may be others."""
        await self._catch_up(after.guild.id)

    @commands.Cog.listener()
    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """A thread may be open again."""
        await self._catch_up(after.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread has been deleted, also one that we did not know of: what stood there is posted elsewhere."""
        try:
            found = await self.tables.open.in_thread(payload.guild_id, payload.thread_id)
        except StorageError as error:
            log.warning("whose thread was deleted cannot be read: %s", error)
            return
        for number in found:
            self.announcer.repost(number)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """A role may do more."""
        await self._catch_up(after.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """We have other roles; Discord tells us of nobody else's."""
        await self._catch_up(after.guild.id)

    async def _catch_up(self, guild_id: int | None) -> None:
        try:
            await self.announcer.catch_up(guild_id)
        except StorageError as error:
            log.warning("what is untold cannot be read: %s", error)
