"""Mentions the users who want to hear when a table opens with free seats."""

import logging
from collections.abc import AsyncIterator

import aiohttp
import discord

from bot.presentation.table.opening import forming_message
from bot.presentation.text.i18n import Words
from bot.presentation.text.permissions import may_read
from bot.services.rate_limiter import Actor, RateLimiter
from bot.services.table_alerts import TableAlerts
from bot.table.limits import Action
from bot.table.refusals import TryAgainLater
from bot.table.snapshot import Table

log = logging.getLogger(__name__)


class TableAlertPosts:
    """Posts one message for a new table, within the limits of mentions."""

    def __init__(self, alerts: TableAlerts, limiter: RateLimiter) -> None:
        self._alerts = alerts
        self._limiter = limiter

    async def post(self, table: Table, channel: discord.abc.GuildChannel | discord.Thread, words: Words) -> None:
        """Mention those who can see the channel. A failure is logged: the table is open anyway."""
        if not isinstance(channel, discord.abc.Messageable):
            return
        try:
            users = [user async for user in self._readers_of(channel, await self._alerts.listeners(table))]
            users = [user for user in users if self._may_mention(table, user)]
            if users:
                mention = discord.AllowedMentions(
                    everyone=False, roles=False, users=[discord.Object(user) for user in users]
                )
                await channel.send(view=forming_message(table, users, words), allowed_mentions=mention)
        except (discord.HTTPException, aiohttp.ClientError) as error:
            log.warning("could not tell about table %s: %s", table.id, error)

    async def _readers_of(
        self, channel: discord.abc.GuildChannel | discord.Thread, users: list[int]
    ) -> AsyncIterator[int]:
        """The users who are still members and can see the channel."""
        for user in users:
            try:
                member = await channel.guild.fetch_member(user)
            except discord.NotFound:
                continue
            if may_read(channel, member):
                yield user

    def _may_mention(self, table: Table, user_id: int) -> bool:
        try:
            self._limiter.spend(Action.ALERT, Actor(user_id, table.row.guild_id))
        except TryAgainLater:
            return False
        return True
