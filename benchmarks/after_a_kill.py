"""The time after a kill of the app until an open page is right again.

The app is killed with SIGKILL and started again after a pause. Measured are the seconds from the end of its start until
the page has no banner and selects a card by a tap.
"""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from playwright.async_api import Page, expect

from tests.browser import CHROMIUM, PATIENCE, chromium
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.browser_table import CARD, SELECTED, opened
from tests.end_to_end.page_client import app_with_page

PAUSES: Final = (0, 0, 1, 2, 4, 8, 15)
"""Seconds for which the app is off. The longer it is, the longer the page waits between two attempts."""
LIMIT: Final = 3.0
"""Seconds after the app's start."""


async def seconds_after_a_kill(harness: AppHarness, page: Page, pause: int) -> tuple[float, float]:
    """Kill the app. Returns the seconds of its start, and those from then until the page is right."""
    await harness.kill_app()
    await expect(page.locator(".banner")).to_be_visible(timeout=PATIENCE)
    await asyncio.sleep(pause)
    begun = perf_counter()
    await harness.start_app()
    ready = perf_counter()
    await expect(page.locator(".banner")).to_have_count(0, timeout=PATIENCE)
    was = await page.locator(SELECTED).count()
    await page.locator(CARD).first.tap()
    await expect(page.locator(SELECTED)).to_have_count(1 - was, timeout=PATIENCE)
    return ready - begun, perf_counter() - ready


async def main() -> None:
    """Measure, and print."""
    if CHROMIUM is None:
        print("after a kill: needs Chromium")
        return
    with TemporaryDirectory() as folder:
        async with app_with_page(Path(folder)) as (harness, site), chromium() as browser:
            await harness.begin_match(4)
            async with opened(browser, site, harness.people[0].id) as page:
                await expect(page.locator(CARD)).to_have_count(16, timeout=PATIENCE)
                seen = []
                for pause in PAUSES:
                    start, again = await seconds_after_a_kill(harness, page, pause)
                    seen.append(again)
                    print(f"off for {pause:>2} s, started in {start:.2f} s: right {again:.2f} s later", flush=True)
    longest = max(seen)
    print(
        f"page right after a kill      {longest:.2f} s  {'met' if longest <= LIMIT else 'missed'}: at most {LIMIT:g} s"
    )


if __name__ == "__main__":
    asyncio.run(main())
