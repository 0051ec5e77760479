"""The buttons of the hand in a real browser, and cards dragged by touch."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Self

from playwright.async_api import Browser, CDPSession, Locator, Page, expect

from bot.engine import parse_card
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.browser_table import CARD, PLAY, SELECTED, asked, opened
from tests.end_to_end.inspection import shown
from tests.end_to_end.low_gangs import low_gangs
from tests.end_to_end.page_client import Page as PlainPage
from tests.end_to_end.page_client import app_with_page

DECLARE, UNDO, HINT, WHY = (f"[data-do={name}]" for name in ("declare", "undo", "hint", "why"))
IDS: Final = "cards => cards.map((card) => Number(card.dataset.card))"
COLORS: Final = ("green", "yellow", "red", "multi")
SAY: Final = 'Play and say "Last card!"'
COUNT_HINTS: Final = """() => {
  const send = WebSocket.prototype.send;
  window.hints = 0;
  WebSocket.prototype.send = function (text) {
    window.hints += JSON.parse(text).do === "hint";
    send.call(this, text);
  };
}"""
NO_STORE: Final = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); },
});"""
"""A browser that blocks the stores of frames."""
TARGET = 25
"""A casual match has hints, and moves can be taken back."""


class Leader:
    """A player who leads every trick, because the others pass."""

    def __init__(self, pages: Sequence[PlainPage]) -> None:
        self._pages = pages
        (self.seat,) = (seat for seat, page in enumerate(pages) if page.must_act())
        self.plain = pages[self.seat]

    async def lead(self, cards: Sequence[int]) -> None:
        """Play cards without "Last card!", and wait until it's this player's turn again."""
        mover = await self._move(self.plain, "play", cards=cards, last_card=False)
        while mover is not self.plain:
            mover = await self._move(mover, "pass")

    async def _move(self, mover: PlainPage, do: str, **fields: object) -> PlainPage:
        """Make a move. Returns whose turn it is then."""
        moment = mover.table["moment"]
        await mover.do(do, table=1, moment=moment, **fields)

        def next_mover() -> PlainPage | None:
            return next((page for page in self._pages if page.must_act() and page.table["moment"] > moment), None)

        found = await mover.until(next_mover)
        assert found is not None
        return found

    def plays(self, number: int) -> list[list[int]]:
        """The legal plays with a number of cards."""
        return [each["cards"] for each in self.plain.table["choices"] if len(each["cards"]) == number]


@asynccontextmanager
async def leading(folder: Path, browser: Browser, first: str = "") -> AsyncIterator[tuple[AppHarness, Leader, Page]]:
    """A casual match of three people. Yields the leader of the first hand, and their page (see `opened`)."""
    async with app_with_page(folder) as (harness, site), AsyncExitStack() as stack:
        await harness.begin_match(3, target=TARGET)
        people = harness.people[:3]
        plain = [await stack.enter_async_context(site.page(person.id)) for person in people]
        for each in plain:
            await each.watch(1)
        leader = Leader(plain)
        async with opened(browser, site, people[leader.seat].id, first=first) as page:
            await asked(page)
            yield harness, leader, page


def is_on(page: Page, button: str) -> Locator:
    """A button, if it can be pressed."""
    return page.locator(f"{button}:not([aria-disabled=true])")


async def hand(page: Page) -> list[int]:
    """The cards of the hand in their order."""
    return list(await page.locator(CARD).evaluate_all(IDS))


async def colors(page: Page) -> list[int]:
    """The colors of the hand in their order."""
    faces = await page.locator(f"{CARD} .face").evaluate_all("faces => faces.map((face) => face.classList[1])")
    return [COLORS.index(face) for face in faces]


async def test_every_play_is_offered_with_each_of_its_cards_or_selected_card_by_card(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site) as match,
        opened(browser, site, match.users[0]) as page,
        opened(browser, site, match.users[1]) as waiting,
    ):
        await asked(page)
        await expect(page.locator(f"{HINT}, {UNDO}")).to_have_count(0)  # the match is rated
        # Its pair isn't the lowest, nor are its 1s.
        wanted = [int(parse_card(text)) for text in ("1M", "1R", "1R", "3Y", "3G")]
        offer = page.locator(f'[data-offer="{" ".join(map(str, sorted(wanted)))}"]')
        await expect(offer).to_have_count(0)
        for card in set(wanted):
            tapped = page.locator(f'{CARD}[data-card="{card}"]').first
            await tapped.tap()
            assert await page.locator(".offers ul").evaluate("list => list.scrollLeft") == 0
            await offer.tap()
            assert sorted(await page.locator(SELECTED).evaluate_all(IDS)) == sorted(wanted)
            await page.keyboard.press("Escape")
            await expect(page.locator(SELECTED)).to_have_count(0)
        await page.locator(f'{CARD}[data-card="{wanted[0]}"]').focus()
        for _ in range(3):  # a key that is held down
            await page.keyboard.down("Enter")
        await page.keyboard.up("Enter")
        await page.keyboard.press("Escape")
        for card in wanted:
            await page.locator(f'{CARD}[data-card="{card}"]:not([aria-pressed="true"])').first.tap()
        await expect(page.locator(SELECTED)).to_have_count(len(wanted))
        assert sorted(await page.locator(SELECTED).evaluate_all(IDS)) == sorted(wanted)
        for place in (0, 1, 2):
            await waiting.locator(CARD).nth(place).tap()
        for left in (2, 1, 0):
            await waiting.locator(SELECTED).first.tap()
            await expect(waiting.locator(SELECTED)).to_have_count(left)
        await page.locator(PLAY).tap()
        await expect(page.locator(CARD)).to_have_count(16 - len(wanted))
        await match.play("5G 5G 5Y 4G 4G", 1)
        await match.pass_turn(2)
        await match.play("9G 9G 9Y 10G 10G", 3)
        await match.pass_turn(0)
        await match.play("4Y 4Y 4R 4R", 1)
        await match.pass_turn(2)
        await match.play("10Y 10Y 10R 10R", 3)
        await match.pass_turn(0)
        advice = waiting.locator(".offers p")
        await expect(advice).to_have_text("Nothing in your hand beats this.")
        hand_before = await waiting.locator(".hand").bounding_box()
        await waiting.locator(CARD).first.tap()
        await waiting.locator(WHY).tap()
        await expect(waiting.locator(".status.note")).to_be_visible()
        await expect(advice).to_be_hidden()
        assert await waiting.locator(".hand").bounding_box() == hand_before


async def test_a_hint_selects_the_play_that_it_names(tmp_path: Path, browser: Browser) -> None:
    async with leading(tmp_path, browser) as (_, leader, page):
        await page.evaluate(COUNT_HINTS)
        await page.locator(HINT).evaluate("button => { button.click(); button.click(); }")
        await expect(page.locator(".status")).to_contain_text("💡 Hint: ")
        assert await page.evaluate("window.hints") == 1
        hint = await leader.plain.do("hint", table=1, moment=leader.plain.table["moment"])
        await expect(page.locator(".status")).to_have_text(hint["text"])
        chosen = await page.locator(SELECTED).evaluate_all(IDS)
        assert sorted(chosen) == sorted(hint["cards"])
        assert chosen
        before = await hand(page)
        await page.locator(PLAY).tap()
        await expect(page.locator(CARD)).to_have_count(len(before) - len(chosen))
        await expect(is_on(page, HINT)).to_have_count(0)


async def test_the_last_card_is_said_with_the_play_or_after_it_and_a_play_is_taken_back(
    tmp_path: Path, browser: Browser
) -> None:
    async with leading(tmp_path, browser) as (_, leader, page):
        while (left := len(leader.plain.table["hand"])) > 2:
            await leader.lead(next(plays for size in range(left - 2, 0, -1) for plays in leader.plays(size)))
        await expect(page.locator(CARD)).to_have_count(2)
        await asked(page)
        before, declare = await hand(page), page.locator(DECLARE)
        await expect(is_on(page, DECLARE)).to_have_count(0)
        await page.locator(CARD).first.tap()
        for pressed, label in (("true", SAY), ("false", "Play"), ("true", SAY)):
            await expect(declare).to_have_attribute("aria-pressed", pressed)
            await expect(page.locator(f"{PLAY} > span")).to_have_text(label)
            await declare.tap()
        await page.locator(PLAY).tap()
        await expect(page.locator(CARD)).to_have_count(1)
        alarm = page.locator(".seat.you .alarm")
        await expect(alarm).to_have_count(0)
        await expect(is_on(page, DECLARE)).not_to_have_attribute("aria-pressed", re.compile(""))
        await declare.tap()
        await expect(alarm).to_have_text("❗ Last card!")
        await expect(is_on(page, DECLARE)).to_have_count(0)
        await page.locator(UNDO).tap()
        await expect(page.locator(CARD)).to_have_count(2)
        assert await hand(page) == before
        await expect(alarm).to_have_count(0)
        await expect(is_on(page, UNDO)).to_have_count(0)
        await page.locator(CARD).first.tap()
        await expect(page.locator(f"{PLAY} > span")).to_have_text(SAY)
        await page.locator(PLAY).tap()
        await expect(alarm).to_have_text("❗ Last card!")
        await expect(page.locator(CARD)).to_have_count(1)


async def test_choices_hold_until_the_page_is_closed_if_the_browser_keeps_nothing(
    tmp_path: Path, browser: Browser
) -> None:
    async with leading(tmp_path, browser, NO_STORE) as (_, _, page):
        await page.get_by_role("button", name="Sort by color").tap()
        await expect(page.get_by_role("button", name="Sort by number")).to_be_visible()
        assert await colors(page) == sorted(await colors(page))
        await page.get_by_role("button", name="Turn sounds on").tap()
        await expect(page.get_by_role("button", name="Turn sounds off")).to_be_visible()


async def test_cards_are_sorted_an_order_is_canceled_and_a_pause_ends(tmp_path: Path, browser: Browser) -> None:
    async with leading(tmp_path, browser) as (harness, leader, page):
        by_number = await hand(page)
        assert await colors(page) != sorted(await colors(page))
        await page.get_by_role("button", name="Sort by color").tap()
        await expect(page.get_by_role("button", name="Sort by number")).to_be_visible()
        by_color = await hand(page)
        assert await colors(page) == sorted(await colors(page))
        assert sorted(by_color) == sorted(by_number)
        await page.reload()
        await asked(page)
        assert await hand(page) == by_color
        await page.get_by_role("button", name="Sort by number").tap()
        await expect(page.get_by_role("button", name="Sort by color")).to_be_visible()
        assert await hand(page) == by_number

        me = harness.people[leader.seat]
        menu = shown(await me.click(await harness.open_hand(me), "More"))
        (orders, *_) = menu.selects
        await me.select(menu, orders.options[-1].value)
        cancel = page.get_by_role("button", name="Cancel auto-pass")
        await expect(cancel).to_be_visible()
        await expect(page.locator(".status")).to_contain_text("Auto-pass: ")
        await cancel.tap()
        await expect(cancel).to_have_count(0)
        await expect(page.locator(".status")).not_to_contain_text("Auto-pass")

        for person in harness.people[:3]:
            await harness.under_more(person, "pause:1:0:on")
        resume = page.get_by_role("button", name="Resume")
        await expect(resume).to_be_visible()
        await expect(page.locator(".status")).to_contain_text("paused")
        await resume.tap()
        await expect(resume).to_have_count(0)
        await expect(page.locator(".status.mine")).to_contain_text("You lead")


async def test_cards_are_dragged_by_touch(tmp_path: Path, browser: Browser) -> None:
    async with leading(tmp_path, browser) as (_, leader, page):
        await leader.lead(leader.plays(1)[0])  # of 15 cards, two are a pair
        await expect(page.locator(CARD)).to_have_count(15)
        await asked(page)
        finger, pair = await Finger.on(page), leader.plays(2)[0]
        selected = page.locator(SELECTED)
        for number, card in enumerate(pair, 1):  # a short move is a tap
            await finger.drag(page.locator(f"{CARD}[data-card='{card}'][aria-pressed=false]").first, 6, moved=0)
            await expect(selected).to_have_count(number)
        await finger.drag(page.locator(f"{CARD}[aria-pressed=false]").first, 30, moved=1)  # a long one isn't
        await finger.drag(selected.first, 30, moved=2)
        await expect(selected).to_have_count(2)
        await finger.drag(selected.first, -300, moved=2)
        await expect(page.locator(CARD)).to_have_count(13)
        assert sorted(await page.locator(".to-beat [data-card]").evaluate_all(IDS)) == sorted(pair)


class Finger:
    """A finger that touches a page (DevTools)."""

    def __init__(self, page: Page, devtools: CDPSession) -> None:
        self._page = page
        self._devtools = devtools

    @classmethod
    async def on(cls, page: Page) -> Self:
        """A finger on a page."""
        return cls(page, await page.context.new_cdp_session(page))

    async def drag(self, card: Locator, down: int, *, moved: int) -> None:
        """Drag a card down by some pixels, and check how many cards move with it."""
        box = await card.bounding_box()
        assert box is not None
        x, y = box["x"] + 14, box["y"] + 20  # where no other card lies on it
        await self._touch("touchStart", x, y)
        for step in (0.3, 0.6, 1.0):
            await self._touch("touchMove", x, y + step * down)
        dragged = self._page.locator(f"{CARD}.dragged")
        await expect(dragged).to_have_count(moved)
        await self._touch("touchEnd")
        await expect(dragged).to_have_count(0)

    async def _touch(self, kind: str, *place: float) -> None:
        points = [dict(zip("xy", place, strict=True))] if place else []
        await self._devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
