"""Open tables: the contents of lists, the table that a user means, and the cost among a hundred thousand tables."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import matches, open_tables
from bot.storage.database import Database
from bot.table.model import Place, Seat, Status, TableRow
from tests.storage.sample_rows import ADA, BO, JADE, table_row
from tests.work_counters import selects, stepping

GUILD, CHANNEL, OTHER, THREAD = 7, 8, 9, 90
CY = Seat("Cy", 103)
CY_FOR = Seat("Cy", 103, substitute_id=101, substitute_name="Ada")
"""Cy's seat, played by Ada."""


def table(*seats: Seat, status: Status = Status.LOBBY, **changes: Any) -> TableRow:  # noqa: ANN401  # a field each
    row = replace(table_row(seats=seats, status=status), channel_id=CHANNEL, parent_id=None, thread_id=None, awaited=())
    return replace(row, **changes)


def match(*seats: Seat, **changes: Any) -> TableRow:  # noqa: ANN401  # a field each
    return table(*seats, status=Status.PLAYING, **changes)


async def created(database: Database, *rows: TableRow) -> list[int]:
    async with database.write() as connection:
        return [await matches.create(connection, row) for row in rows]


async def nearest(database: Database, user_id: int, channel_id: int = CHANNEL) -> int | None:
    async with database.read() as connection:
        return await open_tables.nearest(connection, GUILD, user_id, channel_id)


async def test_open_tables_are_those_of_the_guild_oldest_first(any_database: Database) -> None:
    rows = [table(BO, guild_id=guild, status=status) for guild in (GUILD, 17) for status in Status]
    numbers = await created(any_database, *rows, table(BO, daily="2026-12-24"))
    async with any_database.read() as connection:
        assert await open_tables.numbers(connection, GUILD) == numbers[:2]
        assert await open_tables.numbers(connection, 99) == []
        assert await open_tables.count(connection, GUILD) == 2
        assert await open_tables.count(connection, GUILD, 101) == 2
        assert await open_tables.count(connection, GUILD, 102) == 0


async def test_an_own_table_comes_before_others_in_the_channel(any_database: Database) -> None:
    mine, _ = await created(any_database, table(ADA, channel_id=OTHER), table(BO))
    assert await nearest(any_database, 101) == mine


async def test_a_table_in_the_channel_comes_before_one_elsewhere(any_database: Database) -> None:
    here, _ = await created(any_database, table(ADA), table(ADA, channel_id=OTHER))
    assert await nearest(any_database, 101) == here


async def test_a_table_waiting_for_the_user_comes_before_a_newer_one(any_database: Database) -> None:
    turn, _ = await created(
        any_database,
        match(BO, ADA, turn=1),
        match(BO, ADA, turn=0),
    )
    assert await nearest(any_database, 101) == turn


async def test_a_match_that_the_user_plays_comes_before_a_newer_one_that_they_conceded(any_database: Database) -> None:
    conceded = replace(ADA, conceded=True)
    plays, _ = await created(any_database, match(ADA, BO, channel_id=OTHER), match(conceded, BO))
    assert await nearest(any_database, 101) == plays


async def test_a_turn_in_a_seat_played_by_a_substitute_does_not_wait(any_database: Database) -> None:
    _, newer = await created(
        any_database,
        match(BO, CY_FOR, turn=1),
        match(BO, CY),
    )
    assert await nearest(any_database, 103) == newer


async def test_a_thread_is_a_place_of_its_own(any_database: Database) -> None:
    (in_thread,) = await created(any_database, table(BO, thread_id=THREAD))
    assert await nearest(any_database, 101, THREAD) == in_thread
    assert await nearest(any_database, 101, CHANNEL) is None
    async with any_database.read() as connection:
        assert await open_tables.in_thread(connection, GUILD, THREAD) == [in_thread]
        assert await open_tables.in_thread(connection, GUILD, CHANNEL) == []
        assert await open_tables.places(connection, GUILD) == [Place(CHANNEL, THREAD)]


async def test_nearest_ignores_finished_tables_other_guilds_and_hands_of_the_day(any_database: Database) -> None:
    await created(
        any_database,
        table(ADA, status=Status.OVER),
        table(ADA, guild_id=17),
        table(BO, channel_id=OTHER),
        table(ADA, daily="2026-12-24"),
    )
    assert await nearest(any_database, 101) is None


async def test_the_lobby_of_a_host_is_one_in_the_channel_or_else_the_newest(any_database: Database) -> None:
    here, *_, newest, _, _ = await created(
        any_database,
        table(ADA),
        table(ADA, channel_id=OTHER),
        table(ADA, channel_id=OTHER),
        match(ADA),
        table(BO, host_id=102),
    )

    async def lobby_of(user_id: int, channel_id: int, guild_id: int = GUILD) -> int | None:
        async with any_database.read() as connection:
            return await open_tables.nearest_lobby(connection, guild_id, user_id, channel_id)

    assert await lobby_of(101, CHANNEL) == here
    assert await lobby_of(101, THREAD) == newest
    assert await lobby_of(103, CHANNEL) is None
    assert await lobby_of(101, CHANNEL, 17) is None


async def test_a_page_has_visible_and_own_tables(any_database: Database) -> None:
    numbers = await created(
        any_database,
        table(BO),
        table(BO, channel_id=OTHER),
        table(BO, CY_FOR, channel_id=OTHER),
        table(BO, thread_id=THREAD),
        table(BO, guild_id=17),
    )
    async with any_database.read() as connection:
        every, found = await open_tables.page(connection, GUILD, 101, {CHANNEL}, 0, 10)
        assert (every, [row.id for row, _ in found]) == (2, [numbers[2], numbers[0]])
        assert found[0][0].seats == (BO, CY_FOR)
        assert await open_tables.page(connection, GUILD, 99, set(), 0, 10) == (0, [])
        every, found = await open_tables.page(connection, GUILD, 101, {CHANNEL, OTHER, THREAD}, 2, 2)
        assert (every, [row.id for row, _ in found]) == (4, [numbers[1], numbers[0]])


async def test_a_listed_table_equals_the_stored_one(any_database: Database) -> None:
    row = match(ADA, BO, JADE, turn=1)
    (number,) = await created(any_database, row)
    async with any_database.read() as connection:
        _, (listed,) = await open_tables.page(connection, GUILD, 101, set(), 0, 1)
    assert listed == (replace(row, id=number, seed=b""), None)


async def test_tables_involve_their_players_and_invited_users(any_database: Database) -> None:
    sitting = replace(CY, substitute_id=101, substitute_name="Ada")
    numbers = await created(
        any_database,
        table(ADA, BO, JADE),
        match(BO, sitting, JADE),
        table(BO, JADE, awaited=(101, 103)),
        table(BO, JADE),
        table(ADA, BO, JADE, guild_id=17),
        table(ADA, BO, JADE, status=Status.OVER),
        table(ADA, BO, JADE, status=Status.CLOSED),
        match(ADA, sitting, JADE),
    )

    async def involving(user_id: int, guild_id: int = GUILD) -> list[int]:
        async with any_database.read() as connection:
            found = await open_tables.involving(connection, guild_id, user_id)
        return [row.id for row, _ in found]

    assert await involving(101) == [numbers[0], numbers[1], numbers[2], numbers[7]]
    assert await involving(103) == [numbers[1], numbers[2], numbers[7]]
    assert await involving(101, 17) == [numbers[4]]
    assert await involving(99) == []
    async with any_database.read() as connection:
        assert [row.id for row, _ in await open_tables.elsewhere(connection, GUILD, 101)] == [numbers[4]]


async def test_turns_with_a_deadline_are_found_in_all_guilds(any_database: Database) -> None:
    numbers = await created(
        any_database,
        match(ADA, BO, turn=0),
        match(ADA, BO, turn=1),
        match(BO, ADA, guild_id=17, turn=1),
        match(BO, CY_FOR, turn=1),
        match(ADA, BO, turn=0, clock=None),
        table(ADA, BO, status=Status.OVER),
    )
    async with any_database.read() as connection:
        found = await open_tables.with_deadline(connection, 101)
    assert found == [numbers[0], numbers[2], numbers[3]]


MANY = 100_000
"""Open tables in other guilds, and as many finished ones in this guild."""
FILLING = """
WITH RECURSIVE counting(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counting WHERE n < :many)
INSERT INTO tables ({columns}) SELECT {values} FROM tables, counting WHERE tables.id = :template
"""

SEATING = """
INSERT INTO seats (table_id, seat, user_id, name, ai_style, conceded, bank, orders, missed)
SELECT tables.id, 0, 101, 'Ada', 'steady', false, 0, '', false FROM tables LEFT JOIN seats ON table_id = id
WHERE table_id IS NULL
"""


async def fill(connection: AsyncConnection, template: int, guild: str, many: int = MANY) -> None:
    """Copy a table many times, with Ada in each. `guild` is the SQL for the copies' guild; n is the copy's number."""
    found = await connection.execute(text("SELECT * FROM tables WHERE id = :id"), {"id": template})
    names = [f'"{name}"' for name in found.keys() if name != "id"]  # noqa: SIM118  # of a result, not a dict
    values = [guild if name == '"guild_id"' else f"tables.{name}" for name in names]
    statement = FILLING.format(columns=", ".join(names), values=", ".join(values))
    await connection.execute(text(statement), {"many": many, "template": template})
    await connection.execute(text(SEATING))


Ask = Callable[[AsyncConnection], Awaitable[object]]
QUERIES: dict[str, Ask] = {
    "numbers": lambda connection: open_tables.numbers(connection, GUILD),
    "count": lambda connection: open_tables.count(connection, GUILD),
    "count of a host": lambda connection: open_tables.count(connection, GUILD, 101),
    "in a thread": lambda connection: open_tables.in_thread(connection, GUILD, THREAD),
    "nearest": lambda connection: open_tables.nearest(connection, GUILD, 101, CHANNEL),
    "nearest of a stranger": lambda connection: open_tables.nearest(connection, GUILD, 99, CHANNEL),
    "lobby of a host": lambda connection: open_tables.nearest_lobby(connection, GUILD, 101, CHANNEL),
    "places": lambda connection: open_tables.places(connection, GUILD),
    "page": lambda connection: open_tables.page(connection, GUILD, 101, {CHANNEL}, 0, 8),
    "concerning": lambda connection: open_tables.involving(connection, GUILD, 101),
}


async def work(database: Database) -> dict[str, int]:
    """The cost of each query."""
    found = {}
    async with database.read() as connection:
        for name, ask in QUERIES.items():
            await ask(connection)  # SQLite reads its schema for the first query
            async with stepping(connection) as steps:
                await ask(connection)
            found[name] = steps.number
    return found


async def test_a_hundred_thousand_other_tables_cost_nothing(sqlite_database: Database) -> None:
    database = sqlite_database  # only SQLite's work can be counted
    over, *_ = await created(database, table(ADA, status=Status.OVER), *[table(ADA, BO) for _ in range(5)])
    (elsewhere,) = await created(database, table(ADA, guild_id=17))
    before = await work(database)
    async with database.write() as connection:
        await fill(connection, over, str(GUILD))
        await fill(connection, elsewhere, "100 + counting.n % 1000")
    after = await work(database)
    assert {name: after[name] - before[name] for name in QUERIES} == dict.fromkeys(QUERIES, 0)
    assert max(after.values()) < 3000


@pytest.mark.parametrize("ask", QUERIES.values(), ids=QUERIES)
async def test_every_query_of_tables_reads_the_index_of_open_ones(any_database: Database, ask: Ask) -> None:
    (over,) = await created(any_database, table(BO, status=Status.OVER))
    async with any_database.write() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite:  # PostgreSQL plans by the data
            await fill(connection, over, str(GUILD), 10_000)
            await connection.execute(text("ANALYZE"))
    async with any_database.read() as connection:
        with selects() as statements:
            await ask(connection)
        for statement, values in statements:
            if "FROM tables" in statement:
                explain = "EXPLAIN QUERY PLAN" if is_sqlite else "EXPLAIN"
                plan = await connection.exec_driver_sql(f"{explain} {statement}", values)
                assert "ix_tables_open" in " ".join(str(line) for line in plan)
