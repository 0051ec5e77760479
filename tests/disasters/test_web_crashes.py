"""The app is killed at many points while people play on the page: nothing is lost or doubled, and the page goes on."""

from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import ClientError

from bot.engine import verify
from bot.engine.events import MatchEnded
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import record_of
from tests.end_to_end.page_client import Page, Site, app_with_page

POINTS: Final = range(1, 51, 5)
"""The steps of the app from the beginning of a move to its crash."""


async def test_a_page_goes_on_after_each_crash(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2, target=25)
        token, crashes, points = site.sessions.begin(harness.people[0].id), 0, iter(POINTS)
        while not is_finished(harness):
            before = record_of(harness)
            with suppress(ClientError, ConnectionError):
                await play(harness, site, token, crash_after=next(points, None))
            if not await harness.cancel_crash():
                harness.app, crashes = None, crashes + 1
                await harness.start_app()
            assert record_of(harness)[: len(before)] == before
        assert crashes >= len(POINTS) // 2  # a move may need fewer steps
        verify(record_of(harness))


def is_finished(harness: AppHarness) -> bool:
    """True if the log has the end of the match."""
    return isinstance(record_of(harness)[-1].event, MatchEnded)


async def play(harness: AppHarness, site: Site, token: str, crash_after: int | None) -> None:
    """Make a move on a new page, in which the app may crash."""
    async with site.connected(token) as page:
        await page.watch(1)
        await page.until(lambda: page.must_act() or page.is_closed or is_over(page))
        if crash_after is not None:
            harness.crash_after(crash_after)
        if page.must_act():
            await move(page)


async def move(page: Page) -> None:
    """Make the first move that is offered. The page may be closed before its answer."""
    table = page.table
    facts = {"table": 1, "moment": table["moment"]}
    if "give_back" in table["can"]:
        number = await page.send("give_back", card=table["hand"][0]["id"], **facts)
    elif table["choices"]:
        choice = table["choices"][-1]
        number = await page.send("play", cards=choice["cards"], last_card=choice["last_card"], **facts)
    else:
        number = await page.send("pass", **facts)
    await page.until(lambda: page.is_closed or any(frame.get("id") == number for frame in page.frames))


def is_over(page: Page) -> bool:
    """True if a page shows the end of the match."""
    return bool(page.table["status"] == "over")
