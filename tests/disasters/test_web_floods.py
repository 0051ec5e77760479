"""Pages that send too much, read too little or say nothing: the app's memory stays, and others notice nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from bot.table.limits import UNKNOWN_PAGES
from playground.client.person import Person
from tests.disasters.test_soak import memory_of
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.page_client import Disconnected, Page, Site, app_with_page
from tests.end_to_end.raw_http import PING, frame, raw_page, raw_socket, request_frame

MAX_GROWTH: Final = 6
"""MiB."""
MANY: Final = 1_000_000
FLOOD: Final = 300_000
"""Requests that no buffer of the system takes."""
MOVES: Final = 10


@asynccontextmanager
async def a_match(
    folder: Path, scale: str, constants: Mapping[str, object] | None = None
) -> AsyncIterator[tuple[AppHarness, Site, Page]]:
    """A match against AI players, on the page of Ben."""
    async with app_with_page(folder, constants, limits_scale=scale) as (harness, site):
        ben = harness.people[1]
        with harness.in_channel(harness.channel, [ben]):
            await harness.begin_match(1, ai_players=2, target=1000)
        async with site.page(ben.id) as page:
            await page.watch(1)
            yield harness, site, page


async def play(page: Page, moves: int = MOVES) -> None:
    """Make some moves."""
    for _ in range(moves):
        await page.until(page.must_act)
        await page.act()


def open_sockets(harness: AppHarness) -> int:
    """The number of sockets that the app has open."""
    assert harness.app is not None
    return sum(str(each.readlink()).startswith("socket:") for each in Path(f"/proc/{harness.app.pid}/fd").iterdir())


async def comes_true(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  # what the system says can only be polled
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "small", [frame(b""), frame(b"", PING), frame(b"{}"), request_frame("watch", table=1)], ids=repr
)
async def test_a_million_small_frames_need_no_memory_and_no_patience_of_others(tmp_path: Path, small: bytes) -> None:
    async with a_match(tmp_path, "1") as (harness, site, page), raw_page(site, harness.people[0].id) as flooding:
        await play(page, 3)
        before = memory_of(harness)
        flood = asyncio.create_task(flooding.send(small * MANY))
        await play(page)
        assert memory_of(harness) - before < MAX_GROWTH
        flood.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await flood


async def test_a_page_that_does_not_read_is_dropped(tmp_path: Path) -> None:
    constants = {"bot.web.connection.SEND_SECONDS": 0.5, "bot.web.server.OPEN_PAGES": 1}
    async with a_match(tmp_path, "1000", constants) as (harness, site, page):
        ana = harness.people[0]
        await play(page, 3)
        sockets = open_sockets(harness)
        async with raw_page(site, ana.id) as slow:
            flood = asyncio.create_task(slow.send(request_frame("watch", table=1) * FLOOD))
            await play(page)
            await comes_true(lambda: open_sockets(harness) <= sockets)
            await _opens(site, ana)
            with pytest.raises(ConnectionError):  # it wasn't all taken
                await flood


async def _opens(site: Site, person: Person) -> None:
    """Wait until a page of a user is let in."""
    async with asyncio.timeout(60):
        while True:
            with suppress(Disconnected):
                async with site.page(person.id) as page:
                    assert (await page.watch(1))["number"] == 1
                    return


async def test_pages_that_do_not_read_do_not_keep_the_app_from_ending(tmp_path: Path) -> None:
    async with a_match(tmp_path, "1000") as (harness, site, page), raw_page(site, harness.people[0].id) as slow:
        flood = asyncio.create_task(slow.send(request_frame("watch", table=1) * FLOOD))
        await play(page)
        await harness.stop_app()  # with SIGTERM; it must end with 0
        flood.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await flood


async def test_pages_that_say_nothing_keep_nobody_away(tmp_path: Path) -> None:
    async with a_match(tmp_path, "1") as (harness, site, page), AsyncExitStack() as opened:
        for _ in range(UNKNOWN_PAGES + 5):
            await opened.enter_async_context(raw_socket(site))
        async with site.page(harness.people[0].id) as new:
            assert (await new.watch(1))["number"] == 1
        await play(page, 3)
