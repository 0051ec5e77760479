"""After a deletion nothing in the files names the user, while the app has them open."""

from pathlib import Path
from random import Random

import pytest

from bot.services.deletions import Deletions
from tests.services.house import GUILD, START, House
from tests.services.played import Club, record

MINUTE = 60_000
"""Milliseconds."""
USER = 10_2030_4050_6070
NAME = "Bodhisattva"
CLUB = Club(GUILD, {f"Player {number}": 7_0000_0000_0000 + number for number in range(4)} | {NAME: USER}, targets=(2,))
TRACES = (USER.to_bytes(6, "big"), str(USER).encode(), NAME.encode())
"""SQLite stores whole numbers in 6 or 8 bytes; both end with these 6."""


def traces(folder: Path) -> dict[str, int]:
    """How often the files of the database name the user, by file."""
    files = {file.name: file.read_bytes() for file in folder.glob("gang.sqlite3*")}
    return {name: sum(map(content.count, TRACES)) for name, content in files.items()}


def deletions(house: House) -> Deletions:
    return Deletions(house.database, house.tables, house.clock.milliseconds)


async def played(house: House) -> None:
    for number in range(40):
        await record(house.database, number, Random(number), CLUB)


async def test_no_trace_stays_in_the_open_files(house: House, tmp_path: Path) -> None:
    await played(house)
    before = traces(tmp_path)
    assert before["gang.sqlite3"]
    assert before["gang.sqlite3-wal"]
    await deletions(house).delete(USER)
    assert set(traces(tmp_path).values()) == {0}


async def test_what_others_still_read_is_removed_a_minute_later(house: House, tmp_path: Path) -> None:
    await played(house)
    cleaner = deletions(house)
    async with house.database.read() as connection:
        await connection.exec_driver_sql("SELECT count(*) FROM tables")
        await cleaner.delete(USER)
        assert traces(tmp_path)["gang.sqlite3-wal"]
    house.clock.now += MINUTE
    await cleaner.resume()
    assert set(traces(tmp_path).values()) == {0}


async def test_the_file_is_cleaned_once_a_minute_at_most(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned, clean, cleaner = list[int](), house.database.clean, deletions(house)

    async def count() -> bool:
        cleaned.append(house.clock.now - START)
        return await clean()

    monkeypatch.setattr(house.database, "clean", count)
    for _ in range(7):
        for user in range(3):
            await cleaner.delete(user + 1)
        house.clock.now += MINUTE // 3
        await cleaner.resume()
    assert cleaned == [0, MINUTE, 2 * MINUTE]
