"""The titles of a guild, awarded again after each match."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.titles import NO_MATCH, HeldTitle, MemberMatch, TitleChange, TitleStats, add_match, award_titles
from bot.storage import locks, profile, titles
from bot.storage.database import Database


class Titles:
    """Reads the titles of guilds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def held(self, guild_id: int) -> dict[str, HeldTitle]:
        """The titles held in a guild, by title."""
        return await self._database.fetch(titles.held, guild_id)

    async def changes(self, guild_id: int, table_id: int) -> list[TitleChange]:
        """The titles that a match has given to their current holders."""
        return await self._database.fetch(titles.changes, guild_id, table_id)


async def count_match(connection: AsyncConnection, guild_id: int, table_id: int, at: int) -> None:
    """Count a stored match, and award the titles again (`at`: UTC seconds)."""
    played = await played_in(connection, table_id)
    before = await titles.title_stats_of(connection, guild_id, played)
    after = {user: add_match(before.get(user, TitleStats()), *each) for user, each in played.items()}
    await titles.save_title_stats(connection, guild_id, after)
    await reassign_titles(connection, guild_id, at, table_id)


async def played_in(connection: AsyncConnection, table_id: int) -> dict[int, MemberMatch]:
    """The hands and the match result of each user in a stored match."""
    hands = await profile.hands_in(connection, table_id)
    ended = {match.user_id: match for match in await profile.matches_in(connection, table_id)}
    users = {hand.user_id for hand in hands} | ended.keys()
    return {user: ([hand for hand in hands if hand.user_id == user], ended.get(user)) for user in users}


async def reassign_titles(connection: AsyncConnection, guild_id: int, at: int, table_id: int = NO_MATCH) -> None:
    """Give each title to the member with the best statistics (`at`: UTC seconds)."""
    await locks.lock(connection, guild_id)
    every = await titles.all_title_stats(connection, guild_id)
    held = await titles.holders(connection, guild_id)
    now_held = await asyncio.to_thread(award_titles, held, every, table_id, at)
    await titles.replace_holders(connection, guild_id, now_held)
