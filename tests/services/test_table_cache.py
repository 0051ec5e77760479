"""Tables are dropped from memory after a restore, even if their revision is the same."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.engine import Options
from bot.storage.backup import back_up, file_of, restore
from bot.storage.database import Database
from bot.table import play
from bot.table.errors import StaleRead
from bot.table.model import Status
from tests.table_harness import ADA, BO, EVE, OPENER, TableHarness


def quiet(_done: int, _of: int) -> None:
    pass


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """SQLite, because the app restores nothing else."""
    return sqlite_database


@pytest.fixture
def file(sqlite_url: str) -> Path:
    return file_of(str(make_url(sqlite_url)))


async def test_a_restored_log_of_the_same_length_replaces_the_cached_table(
    harness: TableHarness, sqlite_url: str, file: Path, tmp_path: Path
) -> None:
    backup, other = tmp_path / "backup.sqlite3", TableHarness(Database(sqlite_url))
    table = await harness.match(3, 0, Options(target=300))
    for _ in range(4):
        table = await harness.act(table)
    await asyncio.to_thread(back_up, file, backup, quiet)
    forgotten = await harness.act(table)
    await asyncio.to_thread(restore, file, backup, quiet)
    conceded = await other.tables.act(table.id, play.concede, BO.user_id)
    assert conceded.row.revision == forgotten.row.revision

    after = await harness.tables.act(table.id, play.concede, table.row.host_id)

    assert sum(seat.conceded for seat in after.seats) == 2
    assert after.length == table.length + 2
    assert (harness.tables.cache.restore_generation, other.tables.cache.restore_generation) == (1, 1)
    await other.database.close()


async def test_reads_return_the_restored_data(harness: TableHarness, file: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    table = await harness.match(3, 0, Options(target=300))
    await asyncio.to_thread(back_up, file, backup, quiet)
    later = await harness.act(table)
    assert (await harness.tables.get(table.id)).length == later.length
    await asyncio.to_thread(restore, file, backup, quiet)
    await harness.tables.cache.check_for_restore()
    assert (await harness.tables.get(table.id)).length == table.length
    assert table.id in await harness.tables.displays.outdated()


async def test_a_channel_is_not_drawn_from_a_table_of_before_the_restore(
    harness: TableHarness, file: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite3"
    await asyncio.to_thread(back_up, file, backup, quiet)
    later = await harness.match(3, 0, Options(target=300))
    await asyncio.to_thread(restore, file, backup, quiet)
    assert (await harness.tables.displays.get(later.id)).revision == -1
    shown = await harness.tables.get(later.id)
    assert shown.row.status is Status.CLOSED


async def test_what_was_drawn_before_a_restore_does_not_count(
    harness: TableHarness, file: Path, tmp_path: Path
) -> None:
    """The restored table has the revision that was drawn, but perhaps other cards."""
    backup, displays = tmp_path / "backup.sqlite3", harness.tables.displays
    table = await harness.match(3, 0, Options(target=300))
    before = await displays.get(table.id)
    await asyncio.to_thread(back_up, file, backup, quiet)
    await asyncio.to_thread(restore, file, backup, quiet)
    await displays.save_drawn(table.id, replace(before, revision=table.row.revision + 100))
    await displays.store_drawn()
    assert table.id in await displays.outdated()
    assert (await displays.get(table.id)).revision == -1


async def test_a_restore_keeps_the_message_that_has_shown_a_closed_table_since(
    harness: TableHarness, file: Path, tmp_path: Path
) -> None:
    backup, displays = tmp_path / "backup.sqlite3", harness.tables.displays
    table = await harness.table(1)
    await harness.tables.act(table.id, play.leave_for_good, ADA.user_id)
    before = await displays.save(table.id, replace(await displays.get(table.id), message_id=7))
    await asyncio.to_thread(back_up, file, backup, quiet)
    await displays.save(table.id, replace(before, message_id=8))
    await asyncio.to_thread(restore, file, backup, quiet)
    await harness.tables.cache.check_for_restore()
    assert (await displays.get(table.id)).message_id == 8


async def test_a_message_from_before_a_restore_is_not_stored(harness: TableHarness, file: Path, tmp_path: Path) -> None:
    backup, displays = tmp_path / "backup.sqlite3", harness.tables.displays
    table = await harness.match(3, 0, Options(target=300))
    before = await displays.get(table.id)
    await asyncio.to_thread(back_up, file, backup, quiet)
    await asyncio.to_thread(restore, file, backup, quiet)
    with pytest.raises(StaleRead):
        await displays.save(table.id, replace(before, message_id=8))
    assert (await displays.get(table.id)).message_id is None


async def test_a_restore_dissolves_a_duplicate_match_opened_since(
    harness: TableHarness, file: Path, tmp_path: Path
) -> None:
    """The first table existed before, and becomes ordinary again. The second one is closed."""
    backup = tmp_path / "backup.sqlite3"
    first = await harness.table(3)
    await asyncio.to_thread(back_up, file, backup, quiet)
    second = await harness.tables.duplicate(first.id, first.row.channel_id, EVE, OPENER)
    await asyncio.to_thread(restore, file, backup, quiet)
    await harness.tables.cache.check_for_restore()
    rows = [(await harness.tables.get(number)).row for number in (first.id, second.id)]
    assert [row.status for row in rows] == [Status.LOBBY, Status.CLOSED]
    assert [(row.duplicate_of, row.deals_secret) for row in rows] == [(None, False)] * 2
