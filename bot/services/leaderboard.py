"""The leaderboards of guilds."""

import asyncio
from collections.abc import Callable

from bot.analysis.leaderboard import (
    Board,
    Order,
    Period,
    Place,
    periods,
    ranked,
)
from bot.storage import leaderboard, ratings, seasons
from bot.storage.database import Database
from bot.storage.leaderboard import Scope


class Leaderboards:
    """Computes leaderboards from finished matches."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        """UTC milliseconds."""

    async def places(self, guild_id: int, board: Board) -> list[Place]:
        """All lines of a leaderboard, best first. Empty for the current season if there is none."""
        async with self._database.read() as connection:
            season = await seasons.current(connection, guild_id)
            number = None if season is None else season.number
            period = self._period_key(board.period, number)
            if period is None:
                return []
            scope = Scope(guild_id, period, board.channel_id, board.edition, board.people_only)
            standings = await leaderboard.standings(connection, scope)
            rated = await ratings.of_guild(connection, guild_id)
        return await asyncio.to_thread(ranked, standings, rated, board.order)

    async def completed_period(self, guild_id: int, period: str) -> list[Place]:
        """All lines of the leaderboard for a completed period (a key of `periods`), best first."""
        async with self._database.read() as connection:
            standings = await leaderboard.standings(connection, Scope(guild_id, period, people_only=True))
        return await asyncio.to_thread(ranked, standings, {}, Order.WINS)

    def _period_key(self, period: Period, season: int | None) -> str | None:
        every, month, week, *of_season = periods(self._now() // 1000, season)
        return {
            Period.ALL: every,
            Period.MONTH: month,
            Period.WEEK: week,
            Period.SEASON: of_season[0] if of_season else None,
        }[period]
