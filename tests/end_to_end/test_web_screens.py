"""All screens of the page in a real browser: without faults for axe-core, and within the window at each size."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from bot.presentation.text.i18n import languages
from tests.browser import PATIENCE, PICTURES
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.browser_table import asked, opened, play_a_hand
from tests.end_to_end.low_gangs import ONE, ONES, TWOS, low_gangs
from tests.end_to_end.page_client import Site, app_with_page

AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SIZES: Final = {
    "corner": (240, 135),
    "360": (360, 740),
    "844x390": (844, 390),
    "932x430": (932, 430),
    "1280x600": (1280, 600),
    "1366x650": (1366, 650),
    "1280": (1280, 800),
    "390": (390, 844),
}
"""The first is for picture in picture."""
LAYOUTS: Final = ("corner", "360", "844x390", "1280")
"""A size of each layout, for axe-core."""
FRAMED: Final = "isFramed => document.documentElement.classList.toggle('framed', isFramed)"
"""Lets the page look as in Discord's frame."""
FULL_HOUSES: Final = ("1M 1G 1G 2G 2G", "4G 4G 4Y 5G 5G", "6Y 6Y 6R 7G 7G", "9G 9G 9Y 10G 10G")
"""A cycle in which each player of `low_gangs` plays five cards."""
REACH: Final = 44
"""Pixels of a card that a finger must reach."""
OUTSIDE: Final = """() => [...document.querySelectorAll("main button, main select, .seat")].filter((each) => {
  if (document.querySelector("[role=dialog]") && !each.closest("[role=dialog]")) return false;
  const { left, right, top, bottom } = each.getBoundingClientRect();
  if (each.scrollWidth > each.clientWidth + 1 && each.matches(".seat, .bar button")) return true;
  const scrolls = each.closest(".offers, .lobby, .home-screen, .result");
  return right > left && !scrolls && (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1);
}).map((each) => each.ariaLabel || each.textContent)"""
"""The buttons that aren't within the window, and the parts that overflow. Parts that scroll and parts behind a dialog
don't count."""
NARROWEST: Final = """() => {
  const boxes = [...document.querySelectorAll(".hand > .card")].map((card) => card.getBoundingClientRect());
  if (boxes.length > 16) return Infinity;
  const middles = boxes.map(({ left, right }) => (left + right) / 2);
  const gaps = middles.slice(1).map((middle, place) => middle - middles[place]).filter((gap) => gap > 0);
  return Math.min(...gaps);
}"""
"""The distance between two cards of the hand, unless one is to be given back."""


COVERED: Final = """() => [...document.querySelectorAll(".play :is(.card, .caption, bdi)")].filter((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  if (document.querySelector("[role=dialog]") || !each.checkVisibility()) return false;
  const seen = document.elementFromPoint(left + width / 8, top + height / 2);
  return !width || seen?.closest(".play") !== each.closest(".play");
}).map((each) => each.textContent)"""
"""The parts of the cycle's plays that something covers, or that have no room."""
UNDER_EDGES: Final = """(side) => {
  const dialog = document.querySelector("[role=dialog]");
  return [...(dialog ?? document).querySelectorAll("button, .seat, .hands li")].filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return right > left && !each.closest(".offers") && (left < side || right > innerWidth - side);
  }).map((each) => each.textContent);
}"""
"""The texts of all parts that are under the sides of a phone, except for the plays, which scroll."""


@asynccontextmanager
async def screens(harness: AppHarness, site: Site, browser: Browser) -> AsyncIterator[dict[str, Page]]:
    """Pages with all screens before and in a match, by name."""
    ana, ben, *_ = harness.people
    async with (
        opened(browser, site, None, "") as login,
        opened(browser, site, ana.id, "") as home,
        opened(browser, site, ana.id, "?table=2") as lobby,
        opened(browser, site, ana.id, "?table=1") as table,
        opened(browser, site, ben.id, "?table=1") as spectator,
        opened(browser, site, ben.id, "?table=99") as unknown,
    ):
        await expect(login.get_by_role("button", name="Log in with Discord")).to_be_visible()
        await expect(lobby.get_by_role("heading", name="Options")).to_be_visible()
        await asked(table)
        yield {"login": login, "home": home, "lobby": lobby, "table": table, "spectator": spectator, "none": unknown}


class Inspection:
    """Looks at screens, and keeps what is wrong."""

    def __init__(self, *themes: Literal["light", "dark"]) -> None:
        self._themes = themes
        self._axe = AXE.read_text() if AXE.is_file() else ""
        self.wrong: list[str] = []
        PICTURES.mkdir(parents=True, exist_ok=True)

    async def look(self, screen: str, page: Page) -> None:
        """Look at a screen at each size. Leaves a picture of each in each theme."""
        if self._axe:
            await page.evaluate(self._axe)
        for size, (width, height) in SIZES.items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(FRAMED, size == "corner")
            self.wrong += [f"{screen} {size}: {each} is outside" for each in await page.evaluate(OUTSIDE)]
            if size != "corner":  # the status names the play there
                self.wrong += [f"{screen} {size}: {each} is covered" for each in await page.evaluate(COVERED)]
            if await page.evaluate(NARROWEST) < REACH - 0.5:
                self.wrong.append(f"{screen} {size}: the cards are too close")
            for theme in self._themes:
                await page.emulate_media(color_scheme=theme)
                await page.screenshot(path=PICTURES / f"web-{screen}-{size}-{theme}.png")
                if self._axe and size in LAYOUTS:
                    found = await page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
                    nodes = [(each["id"], node["html"][:200]) for each in found["violations"] for node in each["nodes"]]
                    self.wrong += [f"{screen} {size} {theme}: {name}: {html}" for name, html in nodes]

    def conclude(self) -> None:
        """Nothing may be wrong. Skips the test if axe-core couldn't look."""
        assert self.wrong == [], "\n".join(self.wrong)
        if not self._axe:
            pytest.skip("axe-core isn't installed here: make web installs it")


async def test_all_screens_fit_and_are_accessible(tmp_path: Path, browser: Browser) -> None:
    inspection = Inspection("light", "dark")
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3, target=25)
        await harness.open_table(harness.people[0])
        async with screens(harness, site, browser) as pages:
            for name, page in pages.items():
                await inspection.look(name, page)
            home, table = pages["home"], pages["table"]
            await home.get_by_role("button", name="Hand of the day").tap()
            await expect(home.get_by_role("button", name="Deal")).to_be_visible()
            await inspection.look("daily-offer", home)
            await play_a_hand(table, harness, [])
            await inspection.look("result", table)
            await table.goto(f"{site.url}/?match=1&moment=9")
            await expect(table.get_by_role("button", name="Start the replay")).to_be_visible()
            await inspection.look("replay", table)
    inspection.conclude()


async def test_a_table_is_accessible_at_each_step_of_a_hand(tmp_path: Path, browser: Browser) -> None:
    inspection = Inspection("light")
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site) as match,
        opened(browser, site, match.users[0]) as page,
    ):

        async def looked(name: str, sign: str, number: int) -> None:
            """Look once the page has so many of a sign."""
            await expect(page.locator(sign)).to_have_count(number)
            await inspection.look(name, page)

        await match.play(ONE)
        for place in (1, 2):
            await match.pass_turn(place)
        await looked("passed", ".seat.passed", 2)
        await match.pass_turn(3)
        await match.play(ONES)
        await looked("gang", ".to-beat .card", 6)
        for place in (1, 2, 3):
            await match.pass_turn(place)
        await match.play(TWOS)
        for place in (1, 2, 3):
            await match.pass_turn(place)
        await match.play("3G 3G", last_card=True)
        await looked("last card", ".to-beat .card", 2)
        for place in (1, 2, 3):
            await match.pass_turn(place)
        await match.play("3Y")
        await page.get_by_role("dialog").get_by_role("button").first.tap(timeout=PATIENCE)
        await looked("exchange", ".middle .exchange li", 1)
    inspection.conclude()


async def test_the_labels_of_each_language_fit(tmp_path: Path, browser: Browser) -> None:
    wrong: list[str] = []
    async with app_with_page(tmp_path) as (harness, site):
        ana = harness.people[0]
        await harness.begin_match(1, ai_players=3)
        await harness.open_table(ana)
        for language in languages():
            for screen in ("?table=1", "?table=2", ""):
                async with opened(browser, site, ana.id, screen, language=language) as page:
                    await expect(page.locator("html")).to_have_attribute("lang", language)
                    for size in ("360", "844x390"):
                        width, height = SIZES[size]
                        await page.set_viewport_size({"width": width, "height": height})
                        found = [*await page.evaluate(OUTSIDE), *await page.evaluate(COVERED)]
                        wrong += [f"{language} {screen} {size}: {each}" for each in found]
    assert wrong == []


async def test_no_play_of_a_cycle_is_covered_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site) as match,
        opened(browser, site, match.users[0]) as page,
        opened(browser, site, match.users[0], language="de") as german,  # it has the longest names of plays
    ):
        for place, cards in enumerate(FULL_HOUSES):
            await match.play(cards, place)
        for each, name in ((page, "full house: three 9s"), (german, "Full House: 9er-Drilling")):
            await expect(each.locator(".to-beat")).to_contain_text(name)
            for width in range(360, 431, 5):
                for height in (680, 740, 844):
                    await each.set_viewport_size({"width": width, "height": height})
                    await expect(each.locator(".play:not(.to-beat)")).not_to_have_count(0)
                    assert await each.evaluate(COVERED) == [], (name, width, height)


async def test_nothing_lies_under_the_sides_of_a_phone(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        async with opened(browser, site, harness.people[0].id, size=SIZES["844x390"]) as page:
            devtools = await page.context.new_cdp_session(page)
            insets = {"top": 0, "left": 47, "right": 47, "bottom": 21}
            await devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
            await asked(page)
            assert await page.evaluate(UNDER_EDGES, 47) == []
            await play_a_hand(page, harness, [])
            assert await page.evaluate(UNDER_EDGES, 47) == []
