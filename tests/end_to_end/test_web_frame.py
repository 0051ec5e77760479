"""The page in an Activity's frame: without its bundle or the viewer's consent, and after its session has expired."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, FrameLocator, Locator, expect

from bot.web.files import has_sdk
from bot.web.sessions import SESSION_SECONDS
from tests.browser import PATIENCE, open_phone
from tests.disasters.test_web_browsers import launched as opened_by_button
from tests.end_to_end.browser_table import CARD, tap_a_play
from tests.end_to_end.page_client import app_with_page


@asynccontextmanager
async def launched(
    folder: Path, browser: Browser, constants: dict[str, object] | None = None
) -> AsyncIterator[tuple[Locator, FrameLocator]]:
    """A player's phone that has launched the Activity in the channel of their match, and the Activity's frame."""
    async with app_with_page(folder, constants) as (harness, _):
        await harness.begin_match(1, ai_players=2)
        page, phone = await open_phone(browser, harness.people[0])
        await harness.people[0].launch(harness.channel)
        yield phone, page.frame_locator("iframe[name^='activity-']")


async def test_a_page_in_a_frame_that_is_not_built_says_so(tmp_path: Path, browser: Browser) -> None:
    async with launched(tmp_path, browser, {"bot.web.files.BUILT": "none"}) as (_, frame):
        await expect(frame.locator("main")).to_contain_text("The Activity isn't set up at this bot.")
        await expect(frame.get_by_role("button")).to_have_count(0)


@pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)")
async def test_a_viewer_who_does_not_agree_can_try_again(tmp_path: Path, browser: Browser) -> None:
    async with launched(tmp_path, browser) as (phone, frame):
        question = phone.get_by_role("dialog", name="The App wants to access your account")
        await question.get_by_role("button", name="Cancel").click(timeout=PATIENCE)
        await expect(frame.locator("main")).to_contain_text("Discord has not let the table know who you are.")
        await frame.get_by_role("button", name="Try again").click()
        await question.get_by_role("button", name="Authorize").click(timeout=PATIENCE)
        await expect(frame.locator(".tables li")).to_contain_text("Table 1")


@pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)")
async def test_an_activity_that_is_open_shows_the_table_whose_button_is_pressed(
    tmp_path: Path, browser: Browser
) -> None:
    async with app_with_page(tmp_path) as (harness, _):
        ana = harness.people[0]
        await harness.begin_match(1, ai_players=2)
        first = harness.table()
        frame, _ = await opened_by_button(browser, ana)
        await harness.begin_match(1, ai_players=2)
        for table, title in ((harness.table(), "Table 2"), (first, "Table 1")):
            await ana.click(table, "Open the table")
            await expect(frame.locator("h1")).to_contain_text(title)


@pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)")
async def test_an_activity_whose_session_has_expired_begins_another_one_or_says_why_not(
    tmp_path: Path, browser: Browser
) -> None:
    async with app_with_page(tmp_path) as (harness, _):
        await harness.begin_match(1, ai_players=2)
        ana = harness.people[0]
        frame, _ = await opened_by_button(browser, ana)
        await expect(frame.locator(".status.mine")).to_be_visible()
        harness.advance_clock_to(harness.now() + SESSION_SECONDS * 1000)
        await frame.locator(CARD).first.click()
        await frame.get_by_role("button", name="Why?").click()
        await expect(frame.locator(".banner")).to_have_count(0)
        cards, _ = await tap_a_play(frame)
        await expect(frame.locator(CARD)).to_have_count(16 - cards)

        harness.world.faults.next("POST", "/oauth2/token", status=500)
        harness.advance_clock_to(harness.now() + SESSION_SECONDS * 1000)
        await frame.evaluate("document.querySelector('[data-do=home]')?.click()")  # gone if another's move came before
        again = frame.get_by_role("button", name="Try again")
        await expect(again).to_be_visible()
        await expect(frame.locator("[role=status]")).to_have_text("Discord has not let the table know who you are.")
        await again.click()
        await expect(frame.locator(".tables li")).to_contain_text("Table 1")
