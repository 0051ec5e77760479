"""Lists of finished matches: which matches they contain, and the cost among thousands of others."""

from dataclasses import replace

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.history import HistoryFilter
from bot.storage import history, matches, schema
from bot.storage.database import Database
from bot.table.model import Status
from tests.storage.sample_rows import table_row
from tests.work_counters import stepping

GUILD, BUSY, CALM, EMPTY = 7, 8, 9, 10
"""A guild and its channels."""
LIMIT = 3


async def finish(connection: AsyncConnection, channels: list[int], first: int = 1) -> list[int]:
    """Store a finished match in each of these channels. Returns the tables."""
    row = replace(table_row(status=Status.OVER), guild_id=GUILD)
    tables = [await matches.create(connection, row) for _ in channels]
    columns = {"guild_id": GUILD, "edition": "dargaud-1996", "hands": 2, "finished_at": 5, "par_due": False}
    values = [
        columns | {"table_id": table, "channel_id": channel, "people_only": True, "rated": False, "nth": nth}
        for nth, (table, channel) in enumerate(zip(tables, channels, strict=True), first)
    ]
    await connection.execute(insert(schema.matches), values)
    return tables


async def listed(connection: AsyncConnection, *channels: int, offset: int = 0) -> list[int]:
    found = await history.finished(connection, HistoryFilter(GUILD, channels=channels), offset, LIMIT)
    return [match.number for match in found]


async def test_matches_of_several_channels_are_listed_newest_first(any_database: Database) -> None:
    async with any_database.write() as connection:
        tables = await finish(connection, [CALM, BUSY, BUSY, CALM, BUSY, EMPTY])
        wanted = tables[4::-1]
        assert await listed(connection, BUSY, CALM) == wanted[:LIMIT]
        assert await listed(connection, BUSY, CALM, offset=LIMIT) == wanted[LIMIT:]
        assert await listed(connection, CALM) == [tables[3], tables[0]]


async def test_matches_of_other_channels_cost_nothing(sqlite_database: Database) -> None:
    async with sqlite_database.write() as connection:
        await finish(connection, [CALM] * LIMIT)
        async with stepping(connection) as few:
            before = [await listed(connection, CALM), await listed(connection, EMPTY)]
        await finish(connection, [BUSY] * 500, first=LIMIT + 1)
        async with stepping(connection) as many:
            assert [await listed(connection, CALM), await listed(connection, EMPTY)] == before
        assert many.number <= few.number * 1.1
        async with stepping(connection) as busy:
            assert len(await listed(connection, BUSY)) == LIMIT
        assert busy.number <= few.number
