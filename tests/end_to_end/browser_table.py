"""The table in a real browser: opens it for a user, and plays on it as a person does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Literal

from playwright.async_api import Browser, ConsoleMessage, Frame, Locator, Page

from tests.browser import PATIENCE
from tests.end_to_end.app_harness import AppHarness, Player
from tests.end_to_end.page_client import Site

PHONE: Final = (390, 844)
CARD, PLAY, PASS = ".hand > .card", "[data-key=play]", "[data-do=pass]"
SELECTED: Final = f'{CARD}[aria-pressed="true"]'
STATE: Final = """() => {
  if (document.querySelector("[role=dialog]")) return "over";
  return document.querySelector(".status.mine, [data-do=pass]:not([aria-disabled=true])") ? "turn" : null;
}"""
"""What the page asks of its viewer."""


@asynccontextmanager
async def opened(
    browser: Browser,
    site: Site,
    user_id: int | None,
    path: str = "?table=1",
    *,
    size: tuple[int, int] = PHONE,
    theme: Literal["light", "dark"] = "light",
    motion: Literal["reduce", "no-preference"] = "reduce",
    language: str = "en-US",
    first: str = "",
) -> AsyncIterator[Page]:
    """The page of a user who has logged in, or of a visitor, after the script `first`. Nothing on it may fail."""
    faults: list[str] = []
    width, height = size
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        reduced_motion=motion,
        locale=language,
        has_touch=True,
    )
    await context.add_init_script(first)
    if user_id is not None:
        await context.add_cookies([{"name": "session", "value": site.sessions.begin(user_id), "url": site.url}])
    page = await context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if _is_fault(message) else None)
    await page.goto(f"{site.url}/{path}")
    await page.locator("main").wait_for(timeout=PATIENCE)
    yield page
    await context.close()
    assert not faults, faults


def _is_fault(message: ConsoleMessage) -> bool:
    """True for an error, except that the app can't be reached while a test has killed it.

    Chromium loads the page's icon late: a kill right after the page is shown may come before.
    """
    is_icon = "net::ERR_CONNECTION" in message.text and message.location["url"].endswith("/page/icon.svg")
    return message.type == "error" and "WebSocket connection to" not in message.text and not is_icon


async def asked(page: Page) -> str:
    """Wait until the viewer must act: "turn"; or until a hand is over: "over"."""
    return str(await (await page.wait_for_function(STATE, timeout=PATIENCE)).json_value())


async def moment(page: Page | Frame) -> str:
    """What changes with each move: the ring of arrows is a new one."""
    return str(await page.locator(".direction").get_attribute("data-key"))


async def tap(page: Page | Frame, target: Locator) -> None:
    """Tap, or in a frame click: Chromium 150 sends a tap in a frame of another origin to the wrong place."""
    await (target.click() if isinstance(page, Frame) else target.tap())


async def tap_a_play(page: Page | Frame) -> tuple[int, int]:
    """Make a play with the first bright card, or pass, or give a card back. Returns the cards played and the taps."""
    before, cards, taps = await moment(page), 0, 1
    bright = page.locator(f"{CARD}:not(.dim)")
    if await bright.count() == 0:
        await tap(page, page.locator(PASS))
    else:
        await tap(page, bright.first)
        taps = 2
        if await page.locator(f"{PLAY}.primary:not([aria-disabled=true])").count() == 0:
            await tap(page, page.locator(".offers button").first)
            taps = 3
        cards = await page.locator(SELECTED).count()
        await tap(page, page.locator(PLAY))
    await changed(page, before)
    return cards, taps


async def changed(page: Page | Frame, before: str) -> None:
    """Wait until the page shows another moment."""
    async with asyncio.timeout(PATIENCE / 1000):
        while await moment(page) == before:
            await page.wait_for_timeout(20)


async def until_my_turn(page: Page, others: list[Player]) -> None:
    """Let others play with buttons until it's the viewer's turn."""
    async with asyncio.timeout(PATIENCE / 1000):
        while await page.evaluate(STATE) != "turn":
            mover = next((each for each in others if each.must_act()), None)
            await (page.wait_for_timeout(20) if mover is None else mover.act())


async def play_a_hand(page: Page, harness: AppHarness, others: list[Player]) -> list[tuple[int, int]]:
    """Play a hand by taps, with others by buttons. Returns the cards and taps of each turn."""
    turns: list[tuple[int, int]] = []
    waited = 0
    while waited < PATIENCE:
        waited += 20
        mover = next((each for each in others if each.must_act()), None)
        if mover is not None:
            await mover.act()
            waited = 0
        elif await page.evaluate(STATE) == "turn":
            turns.append(await tap_a_play(page))
            waited = 0
        elif await page.evaluate(STATE) == "over":
            return turns
        else:
            await page.wait_for_timeout(20)
    raise AssertionError(await page.locator("main").inner_text())
