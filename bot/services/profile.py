"""The statistics of a member, and of two members against each other."""

import asyncio
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.profile import MAX_IN_GRID, Duel, Meetings, Profile, Versus, most_met, profile
from bot.analysis.rating import Rating
from bot.storage import profile as profiles
from bot.storage import ratings, user_settings
from bot.storage.database import Database
from bot.table.refusals import StatisticsHidden


class Profiles:
    """Computes statistics from finished matches. Raises `StatisticsHidden` for other members who hide theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, guild_id: int, user_id: int, reader: int) -> Profile | None:
        """The profile of a member; None without a finished match or hand in the guild."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            if name is None:
                return None
            rated = await ratings.of_guild(connection, guild_id, [user_id])
            rating = rated.get(user_id, Rating())
            hands = await profiles.hands_of(connection, guild_id, user_id)
            matches = await profiles.matches_of(connection, guild_id, user_id)
            against = await profiles.against(connection, guild_id, user_id)
            luck = await profiles.luck_of(connection, guild_id, user_id)
        if not matches and not hands:  # a substitute whose hands went to others
            return None
        found = await asyncio.to_thread(profile, user_id, name, rating, matches, hands, against)
        return replace(found, luck=luck)

    async def versus(self, guild_id: int, one: int, two: int | None, reader: int) -> Versus | None:
        """Two members, by default the first and their most frequent opponent; None if one has no finished match."""
        async with self._database.read() as connection:
            if two is None:
                two = most_met(await profiles.against(connection, guild_id, one))
            if two is None:
                return None
            await _require_shown(connection, reader, one, two)
            first, second = [await profiles.name_of(connection, guild_id, user) for user in (one, two)]
            if first is None or second is None:
                return None
            duels = await profiles.duels(connection, guild_id, (one, two))
            hands = await profiles.against(connection, guild_id, one, two)
        return Versus((first, second), duels.get((one, two), Duel(0, 0, 0)), hands[0] if hands else None)

    async def ratings(self, guild_id: int, user_id: int, reader: int) -> tuple[str, list[Rating]]:
        """A member's name, and their rating after each rated match, the oldest first."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            return name or "", await profiles.ratings_of(connection, guild_id, user_id)

    async def penalties(self, guild_id: int, user_id: int, reader: int) -> tuple[str, dict[int, int]]:
        """A member's name, and their number of hands by penalty points."""
        async with self._database.read() as connection:
            await _require_shown(connection, reader, user_id)
            name = await profiles.name_of(connection, guild_id, user_id)
            return name or "", await profiles.penalties_of(connection, guild_id, user_id)

    async def meetings(self, guild_id: int, reader: int) -> Meetings:
        """The most active members, and their results against each other."""
        async with self._database.read() as connection:
            people = await profiles.most_active(connection, guild_id, MAX_IN_GRID, reader)
            duels = await profiles.duels(connection, guild_id, [user_id for user_id, _ in people])
        return Meetings(tuple(people), duels)


async def _require_shown(connection: AsyncConnection, reader: int, *users: int) -> None:
    for user in users:
        if user != reader and await user_settings.is_hidden(connection, user):
            raise StatisticsHidden
