"""The app's real page as an Activity on a phone of the playground: from the button of a table to the table."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.web.files import has_sdk
from tests.browser import PATIENCE, PICTURES, open_phone
from tests.end_to_end.page_client import app_with_page

pytestmark = [
    pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)"),
]


async def test_a_button_opens_the_table_as_an_activity(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, _):
        await harness.begin_match(2, ai_players=2)
        ana, *_ = harness.people
        page, phone = await open_phone(browser, ana)
        await phone.get_by_role("button", name="Open the table").first.click()
        question = phone.get_by_role("dialog", name="The App wants to access your account")
        await question.get_by_role("button", name="Authorize").click(timeout=PATIENCE)
        frame = page.frame_locator("iframe[name^='activity-']")
        await expect(frame.get_by_role("heading", name="Table 1")).to_be_visible(timeout=PATIENCE)
        await expect(frame.get_by_text("Ben").first).to_be_visible(timeout=PATIENCE)
        PICTURES.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=PICTURES / "activity-table.png")
        assert [each.channel for each in harness.world.activities.running] == [harness.channel]
        await phone.get_by_role("button", name="Close the Activity").click()
        await expect(phone.get_by_role("button", name="Open the table").first).to_be_visible(timeout=PATIENCE)
        assert harness.world.activities.running == []
        assert harness.world.violations == []
