"""Posts that don't belong to a table: scheduled leaderboards and the podiums of seasons.

The database keeps each post until it's done. The channel is searched first, so that nothing is posted twice.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import aiohttp
import discord

from bot.analysis.leaderboard import Order, RankedMember
from bot.analysis.schedules import CompletedPeriod, latest_period
from bot.presentation.channel.idempotent_posts import ChannelClient, nonce_in, post_once
from bot.presentation.channel.refresh_queue import FORBIDDEN_AFTER
from bot.presentation.records.leaderboard import leaderboard_lines
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.presentation.ui.components import Layout
from bot.services.guild_settings import Guilds
from bot.services.leaderboard import Leaderboards
from bot.table.guild import Podium, Schedule, Season

log = logging.getLogger(__name__)

NO_READER: Final = 0
"""The reader of a public message."""
GIVE_UP_AFTER: Final = 86_400
"""Seconds after which a post without permission is dropped."""


def scheduled_leaderboard_message(period: CompletedPeriod, places: list[RankedMember], words: Words) -> Layout:
    """The leaderboard of a completed period."""
    first, last = words.day(period.first), words.day(period.last)
    title = "### " + words.say("Leaderboard from {first} to {last}", first=first, last=last)
    return Layout("\n".join([title, *leaderboard_lines(places, Order.WINS, NO_READER, words)]))


def podium_message(season: Season, places: list[RankedMember], words: Words) -> Layout:
    """The best players of a season that is over."""
    title = "### " + words.say("🏆 The season {name} is over", name=labels.safe(season.name))
    best = [place for place in places if place.number in labels.MEDALS]
    if not best:
        return Layout(f"{title}\n" + words.say("No matches were finished this season."))
    lines = leaderboard_lines(best, Order.WINS, NO_READER, words)
    marked = [f"{labels.MEDALS[place.number]} {line}" for place, line in zip(best, lines, strict=False)]
    return Layout("\n".join([title, *marked]))


class ScheduledPosts:
    """Posts leaderboards and podiums that are due."""

    def __init__(self, guilds: Guilds, leaderboards: Leaderboards, readers: Readers, channels: ChannelClient) -> None:
        self._guilds = guilds
        self._leaderboards = leaderboards
        self._readers = readers
        self._channels = channels
        self._forbidden: dict[int, tuple[int, int]] = {}
        """Channels in which a post lacked a permission: since when, and when to try again (UTC seconds)."""

    async def post(self, now: int) -> None:
        """Post what is due at `now` (UTC seconds). Failed posts are retried by a later call."""
        for podium in await self._guilds.podiums():
            place = podium.guild_id, podium.channel_id
            if await self._is_settled(*place, now, partial(self._post_podium, podium)):
                await self._guilds.record_podium_posted(podium)
        for guild_id, schedule in (await self._guilds.due_posts(now)).items():
            place = guild_id, schedule.channel_id
            if await self._is_settled(*place, now, partial(self._post_leaderboard, guild_id, schedule, now)):
                await self._guilds.record_posted(guild_id, schedule, now)

    async def _post_podium(self, podium: Podium) -> None:
        guild_id, season = podium.guild_id, podium.season
        places = await self._leaderboards.completed_period(guild_id, f"s{season.number}")
        view = podium_message(season, places, self._readers.public_words(await self._guilds.get(guild_id)))
        await self._post_once(podium.channel_id, view, f"s{season.number}.{season.ended_at}")

    async def _post_leaderboard(self, guild_id: int, schedule: Schedule, now: int) -> None:
        period = latest_period(now, schedule.every)
        places = await self._leaderboards.completed_period(guild_id, period.key)
        if places:
            words = self._readers.public_words(await self._guilds.get(guild_id))
            view = scheduled_leaderboard_message(period, places, words)
            await self._post_once(schedule.channel_id, view, period.key)

    async def _post_once(self, channel_id: int, view: Layout, nonce: str) -> None:
        await post_once(self._channels, channel_id, view, nonce_in(channel_id, nonce), search=True)

    async def _is_settled(self, guild_id: int, channel_id: int, now: int, post: Callable[[], Awaitable[None]]) -> bool:
        """Post unless it's too early for a retry. False if a later attempt may help.

        Nothing is posted to a channel of another guild, even if one is stored.
        """
        since, retry_at = self._forbidden.get(channel_id, (now, now))
        if now < retry_at:
            return False
        try:
            if await self._channels.is_in_guild(channel_id, guild_id):
                await post()
            else:
                log.warning("skipped a scheduled post whose channel belongs to another guild")
        except discord.NotFound as error:
            log.warning("skipped a scheduled post whose channel was deleted: %s", error)
        except discord.Forbidden as error:
            if now < since + GIVE_UP_AFTER:
                log.info("could not make a scheduled post, trying again later: %s", error)
                self._forbidden[channel_id] = since, now + FORBIDDEN_AFTER
                return False
            log.warning("skipped a scheduled post after a permission was missing for a day: %s", error)
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
            log.warning("could not make a scheduled post: %s", error)
            return False
        self._forbidden.pop(channel_id, None)
        return True
