"""Mentions the users who want to hear when a table opens with free seats."""

import logging
from collections.abc import AsyncIterator
from contextlib import ExitStack

import aiohttp
import discord

from bot.presentation.table.opening import forming_message
from bot.presentation.text.i18n import Words
from bot.presentation.text.permissions import may_read
from bot.services.rate_limiter import Actor, RateLimiter
from bot.services.table_alerts import TableAlerts
from bot.table.errors import StorageError
from bot.table.limits import Action
from bot.table.refusals import TryAgainLater
from bot.table.snapshot import Table

log = logging.getLogger(__name__)


class TableAlertPosts:
    """Posts one message for a new table, within the limits of its host and of the users whom it mentions."""

    def __init__(self, alerts: TableAlerts, limiter: RateLimiter) -> None:
        self._alerts = alerts
        self._limiter = limiter

    async def post(self, table: Table, channel: discord.abc.GuildChannel | discord.Thread, words: Words) -> None:
        """Mention those who can see the channel. A failure is logged: the table is open anyway."""
        if not isinstance(channel, discord.abc.Messageable):
            return
        try:
            with ExitStack() as counted:
                users = await self._mentioned(table, channel, counted)
                if users:
                    mention = discord.AllowedMentions(users=[discord.Object(user) for user in users])
                    await channel.send(**forming_message(table, users, words).sent(), allowed_mentions=mention)
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError, StorageError) as error:
            log.warning("could not announce the new table %s: %s", table.id, error)

    async def _mentioned(
        self, table: Table, channel: discord.abc.GuildChannel | discord.Thread, counted: ExitStack
    ) -> list[int]:
        """The users to mention. Each of them counts, and the table counts for its host."""
        listeners = await self._alerts.listeners(table)
        if not listeners or not self._counts(counted, Action.ANNOUNCE, table, table.row.host_id):
            return []
        users = [user async for user in self._readers_of(channel, listeners)]
        return [user for user in users if self._counts(counted, Action.ALERT, table, user)]

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

    def _counts(self, counted: ExitStack, action: Action, table: Table, user_id: int) -> bool:
        """Count an action for a user. False if that exceeds a limit."""
        try:
            counted.enter_context(self._limiter.spending(action, Actor(user_id, table.row.guild_id)))
        except TryAgainLater:
            return False
        return True
