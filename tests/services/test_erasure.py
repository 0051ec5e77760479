"""After a deletion, nothing in the open files names the user."""

from pathlib import Path
from random import Random

import pytest

from bot.services.deletions import QUIET_SECONDS, Deletions
from bot.storage.database import Database
from bot.storage.deletions import needs_cleaning
from tests.simulated_matches import Club, record
from tests.table_harness import GUILD, START, TableHarness

MINUTE = 60_000
"""Milliseconds."""
USER = 10_2030_4050_6070
NAME = "Bodhisattva"
CLUB = Club(GUILD, {f"Player {number}": 7_0000_0000_0000 + number for number in range(4)} | {NAME: USER}, targets=(2,))
TRACES = (USER.to_bytes(6, "big"), str(USER).encode(), NAME.encode())
"""SQLite stores whole numbers in 6 or 8 bytes; both end with these 6."""


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """SQLite, because only its files are the app's."""
    return sqlite_database


def traces(folder: Path) -> dict[str, int]:
    """The occurrences of the user in each file of the database."""
    files = {file.name: file.read_bytes() for file in folder.glob("gang.sqlite3*")}
    return {name: sum(map(content.count, TRACES)) for name, content in files.items()}


def deletions(harness: TableHarness) -> Deletions:
    return Deletions(harness.database, harness.tables, harness.clock.milliseconds)


async def played(harness: TableHarness) -> None:
    for number in range(40):
        await record(harness.database, number, Random(number), CLUB)


async def test_no_trace_is_left_in_the_open_files(harness: TableHarness, tmp_path: Path) -> None:
    await played(harness)
    before = traces(tmp_path)
    assert before["gang.sqlite3"]
    assert before["gang.sqlite3-wal"]
    await deletions(harness).delete(USER)
    assert set(traces(tmp_path).values()) == {0}


async def test_data_still_being_read_is_removed_a_minute_later(harness: TableHarness, tmp_path: Path) -> None:
    await played(harness)
    cleaner = deletions(harness)
    async with harness.database.read() as connection:
        await connection.exec_driver_sql("SELECT count(*) FROM tables")
        await cleaner.delete(USER)
        assert traces(tmp_path)["gang.sqlite3-wal"]
    harness.clock.now += MINUTE
    await cleaner.resume()
    assert set(traces(tmp_path).values()) == {0}


async def test_the_file_is_cleaned_at_most_once_a_minute(harness: TableHarness) -> None:
    cleaned, cleaner = list[int](), deletions(harness)

    async def look() -> None:
        if not await harness.database.fetch(needs_cleaning):
            cleaned.append(harness.clock.now - START)

    for _ in range(7):
        for user in range(3):
            await cleaner.delete(user + 1)
            await look()
        harness.clock.now += MINUTE // 3
        await cleaner.resume()
        await look()
    assert cleaned == [0, MINUTE, 2 * MINUTE]


async def test_a_large_file_is_rewritten_when_no_user_is_active_or_at_the_next_start(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unused_pages() -> int:
        async with harness.database.read() as connection:
            number: int = (await connection.exec_driver_sql("PRAGMA freelist_count")).scalar_one()
            return number

    async def delete(rows: str) -> None:
        async with harness.database.write() as connection:
            await connection.exec_driver_sql(f"DELETE FROM {rows}")
        harness.clock.now += MINUTE
        await cleaner.delete(USER)

    await played(harness)
    monkeypatch.setattr("bot.storage.database.MAX_VACUUM_BYTES", 0)
    idle = 0
    cleaner = Deletions(harness.database, harness.tables, harness.clock.milliseconds, lambda: idle)
    await delete("hand_players")
    assert await unused_pages()
    harness.clock.now, idle = harness.clock.now + MINUTE, QUIET_SECONDS
    await cleaner.resume()
    assert not await unused_pages()
    assert not await harness.database.fetch(needs_cleaning)

    idle = 0
    await delete("events")
    assert await unused_pages()
    await deletions(harness).clean()
    assert not await unused_pages()
    assert not await harness.database.fetch(needs_cleaning)
