"""The time until a phone shows the first card of the page, bundled by `make web` and as separate files.

The phone is Chromium with a CPU four times slower, 1.6 megabits a second and 150 ms for each request. Each visit is
the first: nothing is in its cache.
"""

import asyncio
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from playwright.async_api import Browser

from bot.web.files import has_sdk
from tests.browser import CHROMIUM, chromium
from tests.end_to_end.browser_table import CARD, PHONE
from tests.end_to_end.page_client import Site, app_with_page

VISITS: Final = 7
LIMIT: Final = 1.0
"""Seconds until the first card, if the page is bundled."""
LINE: Final = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""Milliseconds, and bytes a second: "Fast 3G"."""
FIRST: Final = f"""new Promise((shown) => {{
  const look = () => document.querySelector("{CARD}") ? shown(performance.now()) : requestAnimationFrame(look);
  look();
}})"""
"""Milliseconds from the start of the visit to a frame in which a card is there."""


async def visit(browser: Browser, site: Site, user_id: int) -> float:
    """Open the table on a slow phone that has never seen the page. Returns the seconds until the first card."""
    context = await browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    await context.add_cookies([{"name": "session", "value": site.sessions.begin(user_id), "url": site.url}])
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    await devtools.send("Network.emulateNetworkConditions", LINE)
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    await page.goto(f"{site.url}/?table=1", wait_until="commit")
    milliseconds: float = await page.evaluate(FIRST)
    await context.close()
    return milliseconds / 1000


async def measured(folder: Path, **constants: str) -> list[float]:
    """The seconds of some visits to an app of its own, without the first, which starts parts of the browser."""
    async with app_with_page(folder, constants) as (harness, site), chromium() as browser:
        await harness.begin_match(4)
        ana, *_ = harness.people
        return [await visit(browser, site, ana.id) for _ in range(VISITS + 1)][1:]


async def main() -> None:
    """Measure both, and print them."""
    if CHROMIUM is None or not has_sdk():
        print("first card: needs Chromium, and the page as `make web` builds it")
        return
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        bundled = await measured(Path(one))
        apart = await measured(Path(other), **{"bot.web.files.BUILT": "none"})
    print(f"first card, separate files   {median(apart):.2f} s (longest {max(apart):.2f} s)")
    print(f"first card, bundled          {median(bundled):.2f} s (longest {max(bundled):.2f} s)")
    print(f"bundled / separate           {median(bundled) / median(apart):.2f}")
    print(f"{'met' if median(bundled) <= LIMIT else 'missed'}: at most {LIMIT:g} s if the page is bundled")


if __name__ == "__main__":
    asyncio.run(main())
