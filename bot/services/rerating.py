"""Compute the ratings of a guild again from its stored matches, while others play."""

import asyncio

from bot.analysis.rating import Rated, Rating
from bot.services.results import ratings_after
from bot.storage import locks, ratings
from bot.storage.database import Database
from bot.storage.ratings import RatedMatch


async def rate_again(database: Database, guild_id: int) -> None:
    """Compute all ratings of a guild again, with exactly the same results as match by match.

    They're computed in a thread and stored a few rows at a time. Matches that end in between are added in the next
    round. The members' current ratings are replaced last, in the transaction that finds no further matches.
    """
    known: dict[int, Rating] = {}
    since = 0
    while True:
        async with database.read() as connection:
            rated_matches = await ratings.rated_matches(connection, guild_id, since)
            stored = await ratings.stored(connection, guild_id, since)
        after = await asyncio.to_thread(_rate_matches, known, rated_matches)
        await _store(database, guild_id, after, stored)
        since = max([since, *(match.nth for match in rated_matches)])
        async with database.write() as connection:
            await locks.lock(connection, guild_id)
            if not await ratings.rated_matches(connection, guild_id, since):
                await ratings.replace_members(connection, guild_id, known)
                return


def _rate_matches(known: dict[int, Rating], rated_matches: list[RatedMatch]) -> dict[int, Rated]:
    """Rate matches in order. Returns the ratings by table, and updates `known`, the users' current ratings."""
    found = {}
    for match in rated_matches:
        found[match.table_id] = ratings_after(known, match.seats)
        known.update({user: new for user, new in found[match.table_id] if user is not None})
    return found


def _differences(
    guild_id: int, after: dict[int, Rated], stored: ratings.Stored
) -> tuple[list[ratings.Row], list[tuple[int, int]]]:
    """The rows to store, and the keys (table and seat) to delete."""
    rows = {(row["table_id"], row["seat"]): row for row in ratings.rows(guild_id, after)}
    return [row for key, row in rows.items() if stored.get(key) != row], sorted(stored.keys() - rows.keys())


async def _store(database: Database, guild_id: int, after: dict[int, Rated], stored: ratings.Stored) -> None:
    """Store ratings where they differ from the stored ones."""
    changed, gone = await asyncio.to_thread(_differences, guild_id, after, stored)
    for start in range(0, len(changed), ratings.BATCH_SIZE):
        await database.commit(ratings.put, changed[start : start + ratings.BATCH_SIZE])
    for start in range(0, len(gone), ratings.BATCH_SIZE):
        await database.commit(ratings.delete_rows, gone[start : start + ratings.BATCH_SIZE])
