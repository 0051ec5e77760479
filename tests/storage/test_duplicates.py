"""The two tables of a duplicate match, on SQLite and PostgreSQL."""

from dataclasses import replace

from bot.storage import duplicates, matches, retention
from bot.storage.database import Database
from bot.table.model import Status, TableRow
from tests.storage.sample_rows import ADA, BO, CY, HUGE, JADE, table_row


async def stored(database: Database, row: TableRow) -> int:
    async with database.write() as connection:
        return await matches.create(connection, row)


async def load(database: Database, number: int) -> TableRow:
    async with database.read() as connection:
        row = await matches.load(connection, number)
    assert row is not None
    return row


async def test_is_open_of_open_finished_and_deleted_tables(any_database: Database) -> None:
    first = await stored(any_database, table_row())
    for status in Status:
        second = await stored(any_database, table_row(status=status))
        async with any_database.write() as connection:
            assert await duplicates.is_open(connection, second, first) is status.is_open
    async with any_database.write() as connection:
        assert not await duplicates.is_open(connection, 999, first)


async def test_has_any_finds_owners_and_all_substitutes(any_database: Database) -> None:
    number = await stored(any_database, table_row(seats=(ADA, JADE, CY)))
    other = await stored(any_database, table_row(seats=(BO,)))
    row = await load(any_database, number)
    async with any_database.write() as connection:
        alone = replace(row, seats=(ADA, JADE, replace(CY, substitute_id=None, substitute_name=None)), revision=1)
        await matches.save(connection, alone, row)
    async with any_database.read() as connection:
        assert ADA.user_id is not None
        assert await duplicates.has_any(connection, number, [5, ADA.user_id])
        assert await duplicates.has_any(connection, number, [HUGE])  # Cy's former substitute
        assert not await duplicates.has_any(connection, number, [5, 102])
        assert not await duplicates.has_any(connection, other, [ADA.user_id])
        assert not await duplicates.has_any(connection, number, [])


async def test_revealing_the_deals_changes_the_table(any_database: Database) -> None:
    first, second = [await stored(any_database, table_row(revision=4)) for _ in range(2)]
    async with any_database.write() as connection:
        await duplicates.reveal_deals(connection, first, second)
        await duplicates.reveal_deals(connection, second, None)
    rows = [await load(any_database, number) for number in (first, second)]
    assert [(row.duplicate_of, row.deals_secret, row.revision) for row in rows] == [
        (second, False, 5),
        (None, False, 5),
    ]


async def test_a_deleted_table_is_not_listed_as_a_duplicate(any_database: Database) -> None:
    gone = await stored(any_database, table_row())
    left = await stored(any_database, replace(table_row(), duplicate_of=gone))
    async with any_database.write() as connection:
        await retention.delete_tables(connection, [gone])
    row = await load(any_database, left)
    assert (row.duplicate_of, row.deals_secret, row.revision) == (None, False, 1)
