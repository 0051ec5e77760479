"""The page in Discord's frame, with Discord's own SDK in a real browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.web.files import has_sdk
from bot.web.sessions import SESSION_SECONDS
from tests.browser import PATIENCE
from tests.disasters.test_web_browsers import launched
from tests.end_to_end.browser_table import CARD, tap_a_play
from tests.end_to_end.page_client import app_with_page

pytestmark = [
    pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)"),
]


async def test_an_activity_whose_session_has_expired_begins_another_one_or_says_why_not(
    tmp_path: Path, browser: Browser
) -> None:
    async with app_with_page(tmp_path) as (harness, _):
        await harness.begin_match(1, ai_players=2)
        ana = harness.people[0]
        frame, _ = await launched(browser, ana)
        await expect(frame.locator(".status.mine")).to_be_visible(timeout=PATIENCE)
        harness.advance_clock_to(harness.now() + SESSION_SECONDS * 1000)
        await frame.locator(CARD).first.click()
        await frame.get_by_role("button", name="Why?").click()
        await expect(frame.locator(".banner")).to_have_count(0)
        cards, _ = await tap_a_play(frame)
        await expect(frame.locator(CARD)).to_have_count(16 - cards, timeout=PATIENCE)

        harness.advance_clock_to(harness.now() + SESSION_SECONDS * 1000)
        harness.world.faults.next("POST", "/oauth2/token", status=500)
        await frame.get_by_role("button", name="Open tables").dispatch_event("click")  # a notification lies above
        again = frame.get_by_role("button", name="Try again")
        await expect(again).to_be_visible(timeout=PATIENCE)
        await expect(frame.locator("[role=status]")).to_have_text("Discord has not let the table know who you are.")
        await again.click()
        await expect(frame.locator(".tables li")).to_contain_text("Table 1", timeout=PATIENCE)
