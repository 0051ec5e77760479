"""Transactions that change a row of every member: others wait for them, so their statements are few."""

from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.analysis.rating import Rating
from bot.analysis.titles import TitleStats
from bot.storage import ratings, recount
from bot.storage.database import Database
from bot.storage.schema import members, scores, title_stats
from tests.work_counters import statements

GUILD, OTHER = 7, 8
PEOPLE = range(1, 401)
LEFT = 50
"""The users after this one lose their data."""


@pytest.fixture
async def database(any_database: Database) -> Database:
    """Two guilds with many rated members, on both engines."""
    known = {"name": "Ada", "mu": 25.0, "sigma": 8.0, "rated": 3}
    rows = [{"guild_id": guild, "user_id": user, **known} for guild in (GUILD, OTHER) for user in PEOPLE]
    async with any_database.write() as connection:
        await connection.execute(insert(members), rows)
    return any_database


def sums(guild: int, user: int, number: int) -> dict[str, Any]:
    """A row of `scores` in which every sum is `number`."""
    key = {"guild_id": guild, "period": "all", "user_id": user, "channel_id": 1, "edition": "x", "people_only": True}
    return {column.name: key.get(column.name, number) for column in scores.c}


async def test_ratings_of_all_members_are_replaced_with_few_statements(database: Database) -> None:
    new = {user: Rating(25.0 + user, 7.0, user) for user in PEOPLE if user > LEFT}
    async with database.write() as connection:
        with statements("INSERT", "UPDATE", "DELETE") as found:
            await ratings.replace_members(connection, GUILD, new)
    assert len(found) == 2
    assert await database.fetch(ratings.of_guild, GUILD) == new
    assert await database.fetch(ratings.of_guild, OTHER) == dict.fromkeys(PEOPLE, Rating(25.0, 8.0, 3))
    async with database.write() as connection:
        with statements("INSERT", "UPDATE", "DELETE") as found:
            await ratings.replace_members(connection, GUILD, new)
    assert len(found) == 1


async def test_sums_of_all_members_are_replaced_with_few_statements(database: Database) -> None:
    stats = {user: TitleStats(gangs=user) for user in PEOPLE}
    others = [sums(OTHER, user, 1) for user in PEOPLE]
    async with database.write() as connection:
        await recount.replace_sums(connection, GUILD, [sums(GUILD, user, 1) for user in PEOPLE[:-LEFT]], stats)
        await connection.execute(insert(scores), others)
    new = [sums(GUILD, user, 1 if user % 9 else 2) for user in PEOPLE if user > LEFT]
    kept = {user: TitleStats(gangs=user + user % 3) for user in PEOPLE if user > LEFT}
    unchanged = sum(LEFT < user <= PEOPLE[-LEFT - 1] and user % 9 > 0 for user in PEOPLE)
    async with database.write() as connection:
        with statements("INSERT", "UPDATE", "DELETE") as found:
            changed = await recount.replace_sums(connection, GUILD, new, kept)
    assert len(found) == 4
    assert changed == len(PEOPLE) - unchanged
    async with database.read() as connection:
        stored = (await connection.execute(select(scores).order_by(scores.c.guild_id, scores.c.user_id))).mappings()
        assert [dict(row) for row in stored] == new + others
        gangs = select(title_stats.c.user_id, title_stats.c.gangs)
        found_gangs = {row.user_id: row.gangs for row in await connection.execute(gangs)}
    assert found_gangs == {user: each.gangs for user, each in kept.items()}
