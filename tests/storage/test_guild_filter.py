"""The condition on the shard of a guild, on SQLite and PostgreSQL."""

from sqlalchemy import insert, select

from bot.storage.database import Database
from bot.storage.guild_filter import GuildFilter
from bot.storage.schema import table_alerts
from bot.table.guild import own_guild_id
from tests.storage.sample_rows import HUGE

GUILDS = [*(number << 21 for number in range(1, 12)), HUGE, HUGE >> 3]
OUTSIDE = [own_guild_id(HUGE), own_guild_id(HUGE >> 3)]
"""The places of direct messages, which Discord sends to shard 0."""


async def test_the_guilds_of_a_shard_are_those_that_discord_sends_to_it(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(
            insert(table_alerts), [{"guild_id": guild, "user_id": 1} for guild in (*GUILDS, *OUTSIDE)]
        )
        for count, ids in ((2, {0}), (2, {1}), (5, {0, 3}), (5, set()), (1, {0})):
            chosen = GuildFilter(count, frozenset(ids)).condition(table_alerts.c.guild_id)
            query = select(table_alerts.c.guild_id).where(chosen)
            expected = {guild for guild in GUILDS if (guild >> 22) % count in ids}  # as Discord documents it
            expected.update(OUTSIDE if 0 in ids else ())
            assert {*await connection.scalars(query)} == expected
            assert {guild for guild in (*GUILDS, *OUTSIDE) if GuildFilter(count, frozenset(ids)).has(guild)} == expected
