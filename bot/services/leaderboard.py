"""The leaderboards of guilds."""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.analysis.leaderboard import LeaderboardQuery, Order, Period, RankedMember, periods, ranked
from bot.storage import leaderboard, ratings, seasons
from bot.storage.database import Database
from bot.storage.leaderboard import Scope

_PERIODS: Final = (Period.ALL, Period.MONTH, Period.WEEK, Period.SEASON)
"""In the order of `periods`, which has no last key without a season."""


class Leaderboards:
    """Computes leaderboards from finished matches."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        """UTC milliseconds."""

    async def places(self, guild_id: int, query: LeaderboardQuery) -> list[RankedMember]:
        """All lines of a leaderboard, best first. Empty for the current season if there is none."""
        async with self._database.read() as connection:
            season = await seasons.current(connection, guild_id)
            keys = periods(self._now() // 1000, None if season is None else season.number)
            key_of = dict(zip(_PERIODS, keys, strict=False))
            if query.period not in key_of:
                return []
            scope = Scope(guild_id, key_of[query.period], query.channel_id, query.edition, query.people_only)
            with_skill = query.order is Order.SKILL
            standings = await leaderboard.standings(connection, scope, with_skill=with_skill)
            rated = await ratings.of_guild(connection, guild_id)
        return await asyncio.to_thread(ranked, standings, rated, query.order)

    async def completed_period(self, guild_id: int, period: str) -> list[RankedMember]:
        """All lines of the leaderboard for a completed period (a key of `periods`), best first."""
        standings = await self._database.fetch(leaderboard.standings, Scope(guild_id, period, people_only=True))
        return await asyncio.to_thread(ranked, standings, {}, Order.WINS)
