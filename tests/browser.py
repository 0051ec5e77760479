"""Chromium, for tests that look at a page as people do."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from playground import Person

CHROMIUM: Final = shutil.which("chromium")
PATIENCE: Final = 20_000
"""Milliseconds in which a page must show what a test waits for."""
PICTURES: Final = Path(__file__).parents[1] / "build" / "screenshots"
expect.set_options(timeout=PATIENCE)
_ARGUMENTS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        await browser.close()


async def open_phone(browser: Browser, person: Person) -> tuple[Page, Locator]:
    """The playground's page with one phone, and that phone."""
    page = await browser.new_page(viewport={"width": 400, "height": 844}, reduced_motion="reduce", has_touch=True)
    await page.goto(f"{person.world.assets.origin}/?people={person.id}")
    phone = page.get_by_role("region", name=f"{person.name}'s phone")
    await expect(phone).to_have_attribute("aria-busy", "false")
    return page, phone
