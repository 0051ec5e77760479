"""The replay of a finished match in a real browser: its steps, its views, its link, and the coach."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, Page, expect

from bot.services.thinking import COACH_SECONDS
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.browser_table import opened
from tests.end_to_end.page_client import Page as PlainPage
from tests.end_to_end.page_client import Site, app_with_page, play_together

LINK: Final = "?match=1&moment=2"
"""The third move. There are always eight: with gangs of 7 and 5 cards, nobody is out before the seventh."""
FASTEST, PAUSE = "4×", 375
"""A speed of the replay, and its milliseconds between two moves."""
EVERY_MOVE_IS_A_MISTAKE: Final = {
    "bot.analysis.coaching.LEAST_POINTS": -1000,
    "bot.analysis.coaching.SURE_ERRORS": -1000,
}


@asynccontextmanager
async def finished(
    folder: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> AsyncIterator[tuple[AppHarness, Site, PlainPage]]:
    """A match of one hand that is over, and a page of its player without a browser."""
    async with app_with_page(folder, constants, **settings) as (harness, site):
        await harness.begin_match(1, ai_players=2, target=1)
        async with site.page(harness.people[0].id) as plain:
            await plain.watch(1)
            await play_together(harness, [plain], [])
            yield harness, site, plain


async def shows(page: Page, number: int) -> int:
    """Wait until the page shows a move, and the address names it. Returns the number of moves."""
    place = page.locator(".topbar p")
    await expect(place).to_have_text(re.compile(rf"^Move {number} of \d+$"))
    await expect(page).to_have_url(re.compile(rf"\?match=1&moment={number - 1}$"))
    return int((await place.inner_text()).split()[-1])


async def press(page: Page, name: str) -> None:
    """Tap a button."""
    await page.get_by_role("button", name=name, exact=True).tap()


async def test_the_slider_keeps_its_place_while_moves_are_asked_for(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, _), opened(browser, site, harness.people[0].id, LINK) as page:
        last = await shows(page, 3)
        await page.get_by_role("slider").focus()
        for _ in range(5):
            await page.keyboard.press("ArrowRight")
            await page.wait_for_timeout(40)
        await shows(page, min(3 + 5, last))


async def test_a_link_opens_its_move_and_the_buttons_step_from_there(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, _), opened(browser, site, harness.people[0].id, LINK) as page:
        last = await shows(page, 3)
        for name, number in (("Next ▶", 4), ("◀ Back", 3), ("First", 1), ("Last", last), ("◀ Back", last - 1)):
            await press(page, name)
            await shows(page, number)
        await page.evaluate(
            "['first', 'next', 'next'].map((step) => document.querySelector(`[data-do=${step}]`).click())"
        )
        await shows(page, 3)
        await press(page, "Last")
        await shows(page, last)
        for name in ("Next ▶", "Last", "Start the replay"):
            await expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-disabled", "true")
        await page.get_by_role("slider").fill("0")
        await shows(page, 1)
        for name in ("First", "◀ Back"):
            await expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-disabled", "true")
        await page.get_by_role("slider").fill("5")
        await shows(page, 6)
        await press(page, "Next ▶")
        await shows(page, 7)
        await expect(page.get_by_role("slider")).to_have_value("6")


async def test_quick_steps_need_one_request_at_a_time(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, _), opened(browser, site, harness.people[0].id, LINK) as page:
        sent = Counter[str]()
        page.on("websocket", lambda socket: socket.on("framesent", lambda _text: sent.update(["frames"])))
        await page.reload()
        await shows(page, 3)
        before = sent.total()
        await page.evaluate("for (let n = 0; n < 4; n++) document.querySelector('[data-do=next]').click()")
        await shows(page, 7)
        assert sent.total() == before + 2


async def test_a_replay_runs_by_itself_until_it_is_stopped_or_over(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, _), opened(browser, site, harness.people[0].id, LINK) as page:
        last = await shows(page, 3)
        sent = Counter[str]()
        page.on("websocket", lambda socket: socket.on("framesent", lambda _text: sent.update(["frames"])))
        await page.clock.install()
        await page.clock.pause_at(datetime.now(UTC) + timedelta(days=1))
        await page.reload()
        await shows(page, 3)
        await page.get_by_label("Speed").select_option(FASTEST)
        start, stop = (page.get_by_role("button", name=name) for name in ("Start the replay", "Stop the replay"))
        await start.tap()
        for number in (4, 5):
            await expect(stop).to_be_visible()
            await page.clock.run_for(PAUSE)
            await shows(page, number)
        await stop.tap()
        await expect(start).to_be_visible()
        requests = sent.total()
        await page.clock.run_for(10 * PAUSE)
        await press(page, "Next ▶")
        await shows(page, 6)
        assert sent.total() == requests + 1
        await page.get_by_role("slider").fill(str(last - 2))
        await shows(page, last - 1)
        await start.tap()
        await expect(stop).to_be_visible()
        await page.clock.run_for(PAUSE)
        await shows(page, last)
        await expect(start).to_have_attribute("aria-disabled", "true")


async def test_a_replay_shows_all_hands_or_that_of_one_seat(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, plain), opened(browser, site, harness.people[1].id, LINK) as page:
        await shows(page, 3)
        hands = (await plain.do("replay", match=1, moment=2))["hands"]
        for seat, hand in enumerate(hands):
            assert await cards(page, f"[data-seat='{seat}'] .open") == sorted(card["id"] for card in hand)
        await expect(page.locator(".hold")).to_have_count(0)
        for seat, hand in enumerate(hands):
            await page.get_by_label("Whose cards are shown").select_option(str(seat))
            await expect(page.locator(f".seat.you[data-seat='{seat}']")).to_have_count(1)
            assert await cards(page, ".hold") == sorted(card["id"] for card in hand)
            await expect(page.locator(".seat .open")).to_have_count(0)
            await expect(page.locator(".seat .held")).to_have_count(len(hands) - 1)
        await press(page, "Next ▶")
        await shows(page, 4)
        await expect(page.locator(".hold")).to_have_count(1)
        await page.get_by_label("Whose cards are shown").select_option("All hands face up")
        await expect(page.locator(".seat .open")).to_have_count(len(hands))


async def cards(page: Page, place: str) -> list[int]:
    """The cards in a part of the page."""
    shown = page.locator(f"{place} [data-card]")
    return sorted(await shown.evaluate_all("cards => cards.map((card) => Number(card.dataset.card))"))


async def test_the_copied_link_opens_the_same_move(tmp_path: Path, browser: Browser) -> None:
    async with finished(tmp_path) as (harness, site, _), opened(browser, site, harness.people[0].id, LINK) as page:
        await shows(page, 3)
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await press(page, "Next ▶")
        last, text = await shows(page, 4), await page.locator(".status").inner_text()
        await press(page, "Copy the link to this move")
        await expect(page.locator(".status")).to_have_text("The link is copied.")
        link = await page.evaluate("navigator.clipboard.readText()")
        async with opened(browser, site, harness.people[1].id, link.removeprefix(f"{site.url}/")) as other:
            assert other.url == link
            assert await shows(other, 4) == last
            await expect(other.locator(".status")).to_have_text(text)


@pytest.mark.usefixtures("machine_code")
async def test_the_coach_marks_moves_and_leads_from_one_to_the_next(tmp_path: Path, browser: Browser) -> None:
    async with (
        finished(tmp_path, EVERY_MOVE_IS_A_MISTAKE, AI_WORKER="true") as (harness, site, plain),
        opened(browser, site, harness.people[0].id, "?match=1") as page,
    ):
        await shows(page, 1)
        coach = page.get_by_role("button", name="Coach")
        await expect(coach).to_have_attribute("aria-disabled", "true")
        await page.get_by_label("Whose cards are shown").select_option("0")
        await expect(coach).not_to_have_attribute("aria-disabled", "true")
        await coach.tap()
        forward = page.get_by_role("button", name="Next mistake")
        await expect(forward).to_be_visible(timeout=COACH_SECONDS * 1000)
        review = await plain.do("coach", match=1, hand=1, seat=0)
        assert review["moves"]
        await expect(page.locator(".status")).to_have_text(review["text"])
        await expect(page.locator(".coach-mark")).to_have_count(len(review["moves"]))
        await press(page, "Last")  # the first mistake may be the move that the page opened with
        await shows(page, int(await page.get_by_role("slider").get_attribute("max") or 0) + 1)
        for move in [*review["moves"], review["moves"][0]]:
            await forward.tap()
            await shows(page, move["moment"] + 1)
            await expect(page.locator(".coach")).to_have_text(f"Coach {move['text']}")
        await page.evaluate("[1, 2].map(() => document.querySelector('[data-do=coach]').click())")
        third = review["moves"][2 % len(review["moves"])]
        await shows(page, third["moment"] + 1)
        await page.get_by_label("Whose cards are shown").select_option("1")
        await expect(coach).to_be_visible()
        await expect(page.locator(".coach, .coach-mark")).to_have_count(0)
