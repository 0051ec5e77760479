"""Leaderboards and podiums are posted automatically, also in channels where that failed at first."""

from typing import Any

import discord
import pytest

from bot.base.fair_queue import Requester
from bot.presentation.channel import refresh_queue, scheduled_posts
from bot.presentation.channel.scheduled_posts import ScheduledPosts
from bot.presentation.text.emojis import CardEmojis
from bot.presentation.text.readers import Readers
from bot.services.guild_settings import Guilds
from bot.services.leaderboard import Leaderboards
from bot.services.user_settings import Users
from bot.storage.database import Database

GUILD, CHANNEL = 1, 3
MANAGER = Requester(GUILD, 2)
START = 1_800_000_000


class Channel:
    """The channel for posts. If closed, it refuses like Discord without a permission."""

    def __init__(self) -> None:
        self.is_closed = True
        self.attempts = 0
        self.posted = 0

    def get_partial_messageable(self, _channel_id: int) -> "Channel":
        """The channel itself."""
        return self

    async def is_in_guild(self, _channel_id: int, _guild_id: int) -> bool:
        """It is."""
        return True

    async def find_message(self, _channel_id: int, _mark: int) -> None:
        """Nothing was posted before."""

    async def send(self, **_message: object) -> discord.Object:
        """Post something."""
        self.attempts += 1
        if self.is_closed:
            response: Any = type("Response", (), {"status": 403, "reason": "Forbidden"})()
            raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})
        self.posted += 1
        return discord.Object(1)


@pytest.fixture
async def guilds(database: Database) -> Guilds:
    """A server in which a season has just ended."""
    guilds = Guilds(database, lambda: START * 1000)
    await guilds.record_join(GUILD)
    await guilds.begin_season(MANAGER, "Winter")
    await guilds.end_season(MANAGER, 1, CHANNEL)
    return guilds


def poster_to(channel: Any, database: Database, guilds: Guilds) -> ScheduledPosts:  # noqa: ANN401  # some of a client
    emojis = CardEmojis(channel, None)
    leaderboards = Leaderboards(database, lambda: START * 1000)
    return ScheduledPosts(guilds, leaderboards, Readers(Users(database), guilds, emojis), channel)


async def test_a_podium_is_posted_when_a_permission_has_returned(database: Database, guilds: Guilds) -> None:
    channel = Channel()
    poster = poster_to(channel, database, guilds)
    for seconds in range(0, refresh_queue.FORBIDDEN_AFTER, 60):
        await poster.post(START + seconds)
    assert channel.attempts == 1
    channel.is_closed = False
    await poster.post(START + refresh_queue.FORBIDDEN_AFTER)
    await poster.post(START + refresh_queue.FORBIDDEN_AFTER + 60)
    assert channel.posted == 1


async def test_a_podium_whose_channel_stays_closed_is_given_up(database: Database, guilds: Guilds) -> None:
    channel = Channel()
    poster = poster_to(channel, database, guilds)
    await poster.post(START)
    await poster.post(START + scheduled_posts.GIVE_UP_AFTER)
    channel.is_closed = False
    await poster.post(START + 2 * scheduled_posts.GIVE_UP_AFTER)
    assert (channel.attempts, channel.posted) == (2, 0)
