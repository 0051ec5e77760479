"""Drawn revisions are stored for many tables at once, and count before that."""

from dataclasses import replace

import pytest

from bot.services.channel_displays import ChannelDisplays
from bot.storage import locks
from bot.table.errors import StorageError
from bot.table.model import ChannelDisplay
from tests.conftest import opened
from tests.table_harness import TableHarness
from tests.work_counters import statements


def another_process(harness: TableHarness) -> ChannelDisplays:
    """The displays as another process with the same database has them."""
    return ChannelDisplays(harness.database)


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
    displays.forget_all()
    with statements("SELECT") as reads:
        assert await displays.get(number) == saved
    assert len(reads) == 1


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
