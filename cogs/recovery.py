"""Refreshes channels after gateway events that may have removed an obstacle."""

import logging
from typing import TypeAlias

import discord
from discord.ext import commands

from bot.presentation.channel.announcer import Announcer
from bot.services.tables import Tables
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

Changed: TypeAlias = discord.abc.GuildChannel | discord.Thread | discord.Role | discord.Member


class RecoveryCog(commands.Cog):
    """Catches up on outdated messages when posting may work again."""

    def __init__(self, tables: Tables, announcer: Announcer) -> None:
        self.tables = tables
        self.announcer = announcer
        self._unavailable: set[int] = set()

    @commands.Cog.listener()
    async def on_guilds_known(self) -> None:
        """Refresh everything: events may have been missed."""
        await self._catch_up(None)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Refresh a guild that has added the app again."""
        await self._catch_up(guild.id)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Remember that a guild is unavailable."""
        self._unavailable.add(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Refresh a guild after an outage. At startup each becomes available, and `on_guilds_known` is enough."""
        if guild.id in self._unavailable:
            self._unavailable.discard(guild.id)
            await self._catch_up(guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Post the tables of a deleted thread in its channel. The thread may not be in the cache."""
        try:
            found = await self.tables.open.in_thread(payload.guild_id, payload.thread_id)
        except StorageError as error:
            log.warning("could not read the tables of a deleted thread: %s", error)
            return
        for number in found:
            self.announcer.repost(number)

    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_thread_update")
    @commands.Cog.listener("on_guild_role_update")
    @commands.Cog.listener("on_member_update")
    async def on_change(self, _before: Changed, after: Changed) -> None:
        """Refresh after a change of permissions, of an archived thread or of the app's roles.

        Discord sends no updates of other members.
        """
        await self._catch_up(after.guild.id)

    async def _catch_up(self, guild_id: int | None) -> None:
        try:
            await self.announcer.catch_up(guild_id)
        except StorageError as error:
            log.warning("could not read the outdated tables: %s", error)
