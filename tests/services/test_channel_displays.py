"""Drawn revisions are stored for many tables at once, and count before that."""

from dataclasses import replace

import pytest

from bot.services.channel_displays import ChannelDisplays
from bot.services.table_cache import TableCache
from bot.storage import locks
from bot.storage.database import Database
from bot.table import play
from bot.table.errors import StaleRead, StorageError
from bot.table.model import ChannelDisplay
from bot.table.shards import Served, Shards
from tests.conftest import opened
from tests.table_harness import CY, TableHarness
from tests.work_counters import statements


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


def serving(shard: int) -> Served:
    """Serve one of two shards."""
    return lambda: Shards(2, frozenset({shard}))


def another_process(harness: TableHarness) -> ChannelDisplays:
    """The displays as another process with the same database has them."""
    return ChannelDisplays(harness.database, TableCache(harness.database))


async def drawn(harness: TableHarness, table_id: int) -> ChannelDisplay:
    """Draw the latest revision of a table. It isn't stored yet."""
    display, table = await harness.tables.displays.get(table_id), await harness.tables.get(table_id)
    shown = replace(display, revision=table.row.revision)
    await harness.tables.displays.save_drawn(table_id, shown)
    return shown


async def test_what_is_drawn_counts_at_once_and_is_stored_for_all_tables_together(harness: TableHarness) -> None:
    displays, numbers = harness.tables.displays, [(await harness.table(size)).id for size in (1, 2, 3)]
    for number in numbers:
        shown = await drawn(harness, number)
        assert await displays.get(number) == shown
        assert (await another_process(harness).get(number)).revision < shown.revision
    assert await displays.outdated() == numbers
    with statements("UPDATE") as updates:
        await displays.store_drawn()
    assert len(updates) == 1
    assert await displays.outdated() == []
    with statements("UPDATE") as updates:
        await displays.store_drawn()
    assert updates == []


async def test_only_a_revision_drawn_since_the_last_save_is_stored_later(harness: TableHarness) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    saved = await displays.save(number, replace(await displays.get(number), message_id=7))
    with statements("UPDATE") as updates:
        await displays.save_drawn(number, replace(saved, revision=saved.revision + 1))
    assert updates == []
    with statements("UPDATE") as updates:
        await displays.save_drawn(number, replace(saved, revision=saved.revision + 2, notice_id=8))
    assert len(updates) == 1


async def test_a_display_is_read_once(harness: TableHarness) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    with statements("SELECT") as reads:
        assert await displays.get(number) == await displays.get(number) == await displays.get(number)
    assert len(reads) == 1
    saved = await displays.save(number, replace(await displays.get(number), message_id=7))
    with statements("SELECT") as reads:
        assert await displays.get(number) == saved
    assert reads == []
    harness.tables.cache.forget([number])
    with statements("SELECT") as reads:
        assert await displays.get(number) == saved
    assert len(reads) == 1


async def test_a_display_is_read_again_after_another_process_has_stored_it(harness: TableHarness) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    before = await displays.get(number)
    other = await another_process(harness).save(number, replace(before, message_id=7))
    with pytest.raises(StaleRead):
        await displays.save(number, replace(before, message_id=8))
    assert await displays.get(number) == other


async def test_a_table_is_read_again_after_another_process_has_changed_it(harness: TableHarness) -> None:
    other, table = TableHarness(harness.database), await harness.table(2)
    newer = await other.tables.act(table.id, play.join, CY)
    await harness.tables.displays.get(table.id)
    assert await harness.tables.get(table.id) == newer


async def test_what_several_processes_draw_is_compared_with_the_stored_table(database: Database) -> None:
    """Each serves one shard, but direct messages and deletions also change tables of the others."""
    one, two = (TableHarness(database, served=serving(shard)) for shard in (0, 1))
    table = await one.table(2)
    shown = await drawn(one, table.id)
    assert await one.tables.displays.get(table.id) == shown  # not stored yet
    newer = await two.tables.act(table.id, play.join, CY)
    assert (await one.tables.displays.get(table.id)).revision < newer.row.revision
    assert await one.tables.get(table.id) == newer


async def test_a_process_that_drew_earlier_does_not_store_its_revision_over_a_newer_one(database: Database) -> None:
    one, two = (TableHarness(database, served=serving(shard)) for shard in (0, 1))
    table = await one.table(2)
    await drawn(one, table.id)
    await two.tables.act(table.id, play.join, CY)
    await drawn(two, table.id)
    assert await two.tables.displays.store_drawn() == set()
    assert await one.tables.displays.store_drawn() == {table.id}
    assert await one.tables.displays.outdated() == []


async def test_a_table_that_another_transaction_has_locked_is_stored_later(postgresql_url: str) -> None:
    """On PostgreSQL, where a transaction locks only its own tables."""
    async with opened(postgresql_url) as database:
        harness = TableHarness(database)
        displays, numbers = harness.tables.displays, [(await harness.table(size)).id for size in (1, 2, 3)]
        shown = {number: await drawn(harness, number) for number in reversed(numbers)}
        async with database.write() as connection:
            await locks.lock_tables(connection, numbers[1:2])
            await displays.store_drawn()
            assert await displays.outdated() == numbers[1:2]
        await displays.store_drawn()
        assert await displays.outdated() == []
        assert {number: await displays.get(number) for number in numbers} == shown


async def test_only_displays_that_another_process_has_stored_are_read_again(harness: TableHarness) -> None:
    displays, numbers = harness.tables.displays, [(await harness.table(size)).id for size in (1, 2, 3)]
    shown = {number: await drawn(harness, number) for number in numbers}
    before = await another_process(harness).get(numbers[1])
    shown[numbers[1]] = await another_process(harness).save(numbers[1], replace(before, message_id=7))
    assert await displays.store_drawn() == {numbers[1]}
    with statements("SELECT") as reads:
        assert {number: await displays.get(number) for number in numbers} == shown
    assert len(reads) == 1
    assert await displays.outdated() == [numbers[1]]


async def test_a_display_that_was_stored_meanwhile_is_kept(harness: TableHarness) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    before = await displays.get(number)
    await drawn(harness, number)
    other = await another_process(harness).save(number, replace(before, message_id=7))
    await displays.store_drawn()
    assert await displays.get(number) == other


async def test_a_display_that_was_read_before_can_be_saved_afterwards(harness: TableHarness) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    shown = await drawn(harness, number)
    await displays.store_drawn()
    saved = await displays.save(number, replace(shown, message_id=7))
    assert await displays.get(number) == saved == replace(shown, message_id=7)


async def test_what_could_not_be_stored_is_stored_later(harness: TableHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    displays, number = harness.tables.displays, (await harness.table(2)).id
    shown = await drawn(harness, number)
    with monkeypatch.context() as failing:
        failing.setattr(harness.database, "write", _fail)
        await displays.store_drawn()
    assert await displays.get(number) == shown
    await displays.store_drawn()
    assert await another_process(harness).get(number) == shown


def _fail(**_options: object) -> None:
    raise StorageError("the disk is full")
