"""Tables when the app starts on a database that was restored from a backup."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import make_url

from bot.engine import Options
from bot.storage.backup import back_up, file_of, restore
from bot.table import play
from bot.table.model import Status
from tests.conftest import opened
from tests.table_harness import ADA, EVE, OPENER, TableHarness


def quiet(_done: int, _of: int) -> None:
    pass


@asynccontextmanager
async def restored(
    url: str, before: Callable[[TableHarness], Awaitable[None]], after: Callable[[TableHarness], Awaitable[None]]
) -> AsyncIterator[TableHarness]:
    """The table services on a backup that was made between two actions, and restored when the app had stopped."""
    file = file_of(str(make_url(url)))
    backup = Path(f"{file}.backup")
    async with opened(url) as database:
        harness = TableHarness(database)
        await before(harness)
        await asyncio.to_thread(back_up, file, backup, quiet)
        await after(harness)
    await asyncio.to_thread(restore, file, backup, quiet)
    async with opened(url) as database:
        yield TableHarness(database)


async def test_a_table_is_as_it_was_and_drawn_again(sqlite_url: str) -> None:
    async def before(harness: TableHarness) -> None:
        await harness.match(3, 0, Options(target=300))

    async def after(harness: TableHarness) -> None:
        await harness.act(await harness.tables.get(1))
        assert (await harness.tables.get(1)).length == 3

    async with restored(sqlite_url, before, after) as harness:
        assert (await harness.tables.get(1)).length == 2
        assert await harness.tables.displays.outdated() == [1]


async def test_a_table_opened_since_is_closed(sqlite_url: str) -> None:
    async def before(_harness: TableHarness) -> None:
        pass

    async def after(harness: TableHarness) -> None:
        await harness.match(3, 0, Options(target=300))

    async with restored(sqlite_url, before, after) as harness:
        assert (await harness.tables.displays.get(1)).revision == -1
        assert (await harness.tables.get(1)).row.status is Status.CLOSED


async def test_the_message_that_has_shown_a_closed_table_since_is_kept(sqlite_url: str) -> None:
    async def before(harness: TableHarness) -> None:
        table = await harness.table(1)
        await harness.tables.act(table.id, play.leave_for_good, ADA.user_id)
        await post(harness, 7)

    async def after(harness: TableHarness) -> None:
        await post(harness, 8)

    async with restored(sqlite_url, before, after) as harness:
        assert (await harness.tables.displays.get(1)).message_id == 8


async def post(harness: TableHarness, message_id: int) -> None:
    displays = harness.tables.displays
    await displays.save(1, replace(await displays.get(1), message_id=message_id))


async def test_a_duplicate_match_opened_since_is_dissolved(sqlite_url: str) -> None:
    """The first table existed before, and becomes ordinary again. The second one is closed."""

    async def before(harness: TableHarness) -> None:
        await harness.table(3)

    async def after(harness: TableHarness) -> None:
        first = await harness.tables.get(1)
        await harness.tables.duplicate(1, first.row.channel_id, EVE, OPENER)

    async with restored(sqlite_url, before, after) as harness:
        rows = [(await harness.tables.get(number)).row for number in (1, 2)]
    assert [row.status for row in rows] == [Status.LOBBY, Status.CLOSED]
    assert [(row.duplicate_of, row.deals_secret) for row in rows] == [(None, False)] * 2
