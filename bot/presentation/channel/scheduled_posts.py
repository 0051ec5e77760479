"""What is posted in a channel by itself, apart from tables: leaderboards on schedule, and the podiums of seasons.

What is to be posted stands in the database until it has been. In doubt the channel is looked through first, so that
nothing stands there twice.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import aiohttp
import discord

from bot.analysis.leaderboard import Order, Place
from bot.analysis.schedules import CompletedPeriod, latest_period
from bot.presentation.channel.idempotent_posts import Channels, mark_of
from bot.presentation.records.leaderboard import board_lines
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.presentation.ui.custom_ids import layout
from bot.services.guild_settings import Guilds
from bot.services.leaderboard import Leaderboards
from bot.table.guild import Podium, Schedule, Season

log = logging.getLogger(__name__)

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
NOBODY: Final = 0
"""The reader of what everybody reads."""
FORBIDDEN_AFTER: Final = 600
"""Seconds until a post that lacked a permission is tried again, as a permission can return without an event."""
GIVEN_UP_AFTER: Final = 86_400
"""Seconds for which a post that lacks a permission is tried."""


def leaderboard(period: CompletedPeriod, places: list[Place], words: Words) -> discord.ui.LayoutView:
    """The leaderboard of a completed period."""
    first, last = words.day(period.first), words.day(period.last)
    title = "### " + words.say("Leaderboard from {first} to {last}", first=first, last=last)
    return layout(discord.ui.TextDisplay("\n".join([title, *board_lines(places, Order.WINS, NOBODY, words)])))


def podium_message(season: Season, places: list[Place], words: Words) -> discord.ui.LayoutView:
    """Who has won a season."""
    title = "### " + words.say("🏆 The season {name} is over", name=labels.safe(season.name))
    best = [place for place in places if place.number in MEDALS]
    if not best:
        return layout(discord.ui.TextDisplay(f"{title}\n" + words.say("No match was finished in it.")))
    lines = board_lines(best, Order.WINS, NOBODY, words)
    marked = [f"{MEDALS[place.number]} {line}" for place, line in zip(best, lines, strict=False)]
    return layout(discord.ui.TextDisplay("\n".join([title, *marked])))


class ScheduledPosts:
    """Posts what is to be posted."""

    def __init__(self, guilds: Guilds, leaderboards: Leaderboards, readers: Readers, channels: Channels) -> None:
        self._guilds = guilds
        self._leaderboards = leaderboards
        self._readers = readers
        self._channels = channels
        self._forbidden: dict[int, tuple[int, int]] = {}
        """Channels in which a post lacked a permission: since when, and when to try again (UTC seconds)."""

    async def post(self, now: int) -> None:
        """Post what is due `now` (UTC seconds); what cannot be posted now is tried again at a later look."""
        for podium in await self._guilds.podiums():
            place = podium.guild_id, podium.channel_id
            if await self._is_done(*place, now, partial(self._post_podium, podium)):
                await self._guilds.record_podium_posted(podium)
        for guild_id, schedule in (await self._guilds.due_posts(now)).items():
            place = guild_id, schedule.channel_id
            if await self._is_done(*place, now, partial(self._post_board, guild_id, schedule, now)):
                await self._guilds.record_posted(guild_id, schedule, now)

    async def _post_podium(self, podium: Podium) -> None:
        guild_id, season = podium.guild_id, podium.season
        places = await self._leaderboards.completed_period(guild_id, f"s{season.number}")
        view = podium_message(season, places, self._readers.in_public(await self._guilds.get(guild_id)))
        await self._say(podium.channel_id, view, f"{guild_id}.s{season.number}.{season.ended_at}")

    async def _post_board(self, guild_id: int, schedule: Schedule, now: int) -> None:
        period = latest_period(now, schedule.every)
        places = await self._leaderboards.completed_period(guild_id, period.key)
        if places:
            view = leaderboard(period, places, self._readers.in_public(await self._guilds.get(guild_id)))
            await self._say(schedule.channel_id, view, f"{guild_id}.{period.key}")

    async def _say(self, channel_id: int, view: discord.ui.LayoutView, what: str) -> None:
        view.children[0].id = mark = mark_of(what)
        if await self._channels.find_message(channel_id, mark) is None:
            channel = self._channels.get_partial_messageable(channel_id)
            await channel.send(view=view, nonce=str(mark), allowed_mentions=discord.AllowedMentions.none())

    async def _is_done(self, guild_id: int, channel_id: int, now: int, post: Callable[[], Awaitable[None]]) -> bool:
        """Post unless it is too early to try again. Returns False if a later attempt may help.

        Nothing is posted to a channel of another guild, even if one is stored.
        """
        since, again = self._forbidden.get(channel_id, (now, now))
        if now < again:
            return False
        try:
            if await self._channels.is_in_guild(channel_id, guild_id):
                await post()
            else:
                log.warning("a leaderboard is not posted, as its channel belongs to another server")
        except discord.NotFound as error:
            log.warning("a leaderboard cannot be posted, as its channel is gone: %s", error)
        except discord.Forbidden as error:
            if now < since + GIVEN_UP_AFTER:
                log.info("a leaderboard cannot be posted until a permission returns: %s", error)
                self._forbidden[channel_id] = since, now + FORBIDDEN_AFTER
                return False
            log.warning("a leaderboard is given up, as a permission is missing: %s", error)
        except (discord.HTTPException, aiohttp.ClientError, TimeoutError) as error:
            log.warning("a leaderboard could not be posted: %s", error)
            return False
        self._forbidden.pop(channel_id, None)
        return True
