"""Records which guilds the app is in, and greets new ones.

The data of guilds that removed the app is deleted after a while.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot.presentation.help.guide import arrival_message
from bot.presentation.text.readers import Readers, chosen_locale
from bot.services.guild_settings import Guilds
from bot.table.errors import StorageError

log = logging.getLogger(__name__)


GREETED: Final = timedelta(days=1)
"""A guild that the app joined longer ago isn't greeted. It may only look new because the database is empty."""


@dataclass(eq=False)
class PresenceCog(commands.Cog):
    """Records joins and removals."""

    guilds: Guilds
    readers: Readers
    client: discord.Client

    @commands.Cog.listener()
    async def on_guilds_known(self) -> None:
        """Compare the recorded guilds with the current ones, and greet new ones: events may have been missed."""
        current = {guild.id: guild for guild in self.client.guilds}
        try:
            for guild_id in await self.guilds.sync_guilds(current.keys()):
                if _has_just_joined(current[guild_id]):
                    await self._greet(current[guild_id])
        except StorageError as error:
            log.warning("could not record the guilds of the app: %s", error)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record that a guild has added the app, perhaps again, and post the app's first message there."""
        try:
            if await self.guilds.record_join(guild.id):
                await self._greet(guild)
        except StorageError as error:  # `on_guilds_known` repeats it
            log.warning("could not record a new guild: %s", error)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record that a guild has removed the app or was deleted."""
        try:
            await self.guilds.record_leave(guild.id)
        except StorageError as error:  # `on_guilds_known` repeats it
            log.warning("could not record that a guild is gone: %s", error)

    async def _greet(self, guild: discord.Guild) -> None:
        """Post the first message in the channel for system messages, or else in the first one that allows it."""
        await self.guilds.record_locale(guild.id, chosen_locale(guild, guild.preferred_locale), "")
        words = self.readers.public_words(await self.guilds.get(guild.id))
        for channel in filter(None, (guild.system_channel, *guild.text_channels)):
            allowed = channel.permissions_for(guild.me)
            if allowed.view_channel and allowed.send_messages:
                try:
                    await channel.send(view=arrival_message(words))
                except (discord.HTTPException, aiohttp.ClientError) as error:
                    log.warning("could not post the first message in a server: %s", error)
                return


def _has_just_joined(guild: discord.Guild) -> bool:
    joined = guild.me.joined_at
    return joined is not None and discord.utils.utcnow() - joined < GREETED
