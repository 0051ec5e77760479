"""Hands played on the page in a real browser: by taps, by dragging and by keyboard, beside people with buttons."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, Page, Route, expect

from playground.world.permissions import Permission
from tests.browser import PATIENCE
from tests.end_to_end.browser_table import (
    CARD,
    PASS,
    PHONE,
    PLAY,
    SELECTED,
    asked,
    changed,
    moment,
    opened,
    play_a_hand,
    tap_a_play,
    until_my_turn,
)
from tests.end_to_end.inspection import private
from tests.end_to_end.low_gangs import ONE, ONES, REST, TWOS, low_gangs
from tests.end_to_end.page_client import app_with_page
from tests.end_to_end.test_taps import written_down

TAPS: Final = written_down(column=2)
SHOWN: Final = """() => [".felt", ".hand", ".status", ".result"].map((part) => {
  return document.querySelector(part)?.innerText ?? "";
})"""
AT_FIRST: Final = """new MutationObserver(() => {
  const dialog = document.querySelector("[role=dialog]");
  if (dialog) window.atFirst ??= [document.activeElement.tagName, getComputedStyle(dialog).pointerEvents];
}).observe(document, { childList: true, subtree: true });"""
"""Remembers where the focus was when a dialog appeared, and whether it could be tapped."""
SMALL: Final = (240, 135)
"""A picture in picture."""
LIVE: Final = "[role=log]"
HEAR: Final = """region => {
    const live = document.querySelector(region);
    window.heard = live.textContent;
    new MutationObserver(() => { window.heard += live.textContent; }).observe(live, { childList: true });
}"""


async def test_a_hand_takes_few_taps_and_shows_its_result(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id) as page:
            most = [TAPS["Pass in the hand"], TAPS["Play a single card of my choice"], TAPS["Play a pair of my choice"]]
            for cards, taps in await play_a_hand(page, harness, []):
                assert taps <= most[min(cards, 2)]
            result = page.get_by_role("dialog")
            await expect(result.locator(".hands li")).to_have_count(4)
            await expect(result).to_contain_text("wins the hand")
            await expect(result.locator(".exchange li")).not_to_have_count(0)
            await page.reload()
            await expect(result).to_contain_text("wins the hand")
            await result.get_by_role("button", name="Continue").tap()
            await expect(result).to_have_count(0)
            await asked(page)
            await page.reload()
            await expect(page.get_by_role("heading", name="Table 1")).to_be_visible()
            await expect(result).to_have_count(0)


async def test_a_page_loaded_again_at_any_step_shows_the_same_and_a_card_is_given_back_by_two_taps(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site) as match,
        opened(browser, site, match.users[0]) as page,
        opened(browser, site, match.users[1]) as other,
    ):
        pages = (page, other)
        for cards in (ONE, ONES, TWOS, REST):
            await stay_the_same(pages, match.play(cards))
            for place in (1, 2, 3) if cards != REST else ():
                await stay_the_same(pages, match.pass_turn(place))
        await page.get_by_role("button", name="Continue").tap()
        assert await tap_a_play(page) == (1, TAPS["Give a card back after a hand"])


async def stay_the_same(pages: tuple[Page, ...], step: Coroutine[None, None, None]) -> None:
    """Take a step of a match, load pages again as soon as they show it, and wait until they show the same again."""
    before = [await moment(page) for page in pages]
    await step
    for page, shown in zip(pages, before, strict=True):
        await changed(page, shown)
        wanted = await page.evaluate(SHOWN)
        await page.reload()
        await page.wait_for_function(f"wanted => String(({SHOWN})()) === String(wanted)", arg=wanted, timeout=PATIENCE)


async def test_a_rematch_and_the_replay_stay_at_hand_after_the_match(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2, target=1)
        me = harness.people[0].id
        async with (
            opened(browser, site, me, first=AT_FIRST) as page,
            opened(browser, site, me, size=SMALL) as small,
        ):
            await play_a_hand(page, harness, [])
            result = page.get_by_role("dialog")
            await expect(result).to_contain_text("The match is over.")
            assert await page.evaluate("window.atFirst") == ["H1", "none"], "a press meant for the hand would count"
            await expect(small.locator(".status")).to_contain_text("The match is over.")
            await small.evaluate("document.documentElement.classList.add('framed')")
            assert await small.evaluate("document.elementFromPoint(120, 67).closest('.result')") is None
            harness.channel.deny(harness.world.bot, Permission.SEND_MESSAGES)
            await harness.people[0].slash(harness.channel, "gang help")  # now the app knows
            await result.get_by_role("button", name="Rematch").tap()
            await expect(result).to_contain_text("I can't write in #games")
            await page.keyboard.press("Escape")
            await expect(result).to_have_count(0)
            await expect(page.get_by_role("button", name="Rematch")).to_be_visible()
            await expect(page.get_by_role("button", name="Pass")).to_have_count(0)
            await page.get_by_role("button", name="Move by move").tap()
            await expect(page.get_by_role("slider")).to_be_visible()
            await harness.kill_app()
            await expect(page.locator(".banner")).to_be_visible()
            await page.evaluate("document.querySelector('[data-do=home]').click()")
            await harness.start_app()
            await expect(page.get_by_text("No table is open.")).to_be_visible()


async def test_the_page_follows_a_change_of_the_language(tmp_path: Path, browser: Browser) -> None:
    unknown = "Object.defineProperty(navigator, 'language', {value: 'en-US@posix'})"
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=2)
        ana = harness.people[0]
        async with opened(browser, site, ana.id, first=unknown) as page:
            await asked(page)
            await expect(page.get_by_role("button", name="Hint")).to_be_visible()
            panel = private(await ana.slash(harness.channel, "gang settings"))
            await ana.select(panel, "de", custom_id=panel.selects[2].custom_id)
            await tap_a_play(page)
            await expect(page.get_by_role("button", name="Tipp")).to_be_visible()
            await expect(page.locator("html")).to_have_attribute("lang", "de")


async def test_page_and_buttons_play_one_match(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        players = await harness.begin_match(2, ai_players=1)
        ana, ben, _, dan = harness.people
        await players[1].open()
        async with opened(browser, site, ana.id) as page, opened(browser, site, dan.id) as watching:
            assert await play_a_hand(page, harness, [players[1]])
            await expect(watching.get_by_role("dialog")).to_be_visible()
            for each in (page, watching):
                rows = await each.locator(".hands li").all_inner_texts()
                assert len(rows) == 3
                assert sum(row.startswith(("Ana", "Ben")) for row in rows) == 2
            points = await page.locator(".hands .sum").all_inner_texts()
            shown = " ".join(message.text for message in harness.messages(ben))
            assert all(text in shown for text in points if text != "0 points")


async def test_a_hand_by_keyboard_alone_and_what_a_screen_reader_hears(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id) as page:
            await page.evaluate(HEAR, LIVE)
            while await asked(page) == "turn":
                await press_a_play(page)
            await tab_to(page, "[role=dialog] button")
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("dialog")).to_have_count(0)
            await expect(page.locator(":focus")).to_have_count(1)
            for said in ("Your turn|You lead", r"🤖 \w+: \w+"):
                await page.wait_for_function(f"() => /{said}/u.test(window.heard)", timeout=PATIENCE)


async def press_a_play(page: Page) -> None:
    """Make a play with the first bright card, or pass, by keys."""
    before = await moment(page)
    await tab_to(page, CARD)
    await page.keyboard.press("Home")
    for _ in range(16):
        card = page.locator(":focus")
        if await card.get_attribute("aria-description") is None:
            break
        await page.keyboard.press("ArrowRight")
    else:
        await tab_to(page, PASS)
        await page.keyboard.press("Enter")
        return await changed(page, before)
    assert await card.get_by_role("img").get_attribute("aria-label")
    await page.keyboard.press("Space")
    await expect(page.locator(SELECTED).first).to_be_visible()
    if not await page.locator(f"{PLAY}.primary").count():
        await tab_to(page, ".offers button")
        await page.keyboard.press("Enter")
        await tab_to(page, CARD)
    await page.keyboard.press("Enter")
    return await changed(page, before)


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element that matches has the focus."""
    for _ in range(100):
        if await page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(selector)


@pytest.mark.parametrize("size", [PHONE, (844, 390)], ids=["upright", "on its side"])
async def test_a_card_dragged_to_the_table_is_played(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id, size=size) as page:
            await asked(page)
            for _ in range(30):
                if await page.locator(f"{CARD}:not(.dim)").count():
                    break
                before = await moment(page)
                await page.locator(PASS).tap()
                await changed(page, before)
                await asked(page)
            await page.locator(f"{CARD}:not(.dim)").first.click()
            if not await page.locator(f"{PLAY}.primary").count():
                await page.locator(".offers button").first.click()
            selected = await page.locator(SELECTED).count()
            held = await page.locator(CARD).count()
            await drag(page, SELECTED, ".middle")
            await expect(page.locator(CARD)).to_have_count(held - selected)


async def test_another_finger_does_not_drop_a_dragged_card(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id) as page:
            await asked(page)
            box = await page.locator(CARD).last.bounding_box()
            assert box is not None
            at = {"clientX": box["x"] + 9, "clientY": box["y"] + 9, "bubbles": True, "button": 0}
            card, dragged = page.locator(CARD).last, page.locator(".dragged")
            await card.dispatch_event("pointerdown", {**at, "pointerId": 7})
            await card.dispatch_event("pointermove", {**at, "pointerId": 7, "clientX": box["x"] + 40})
            await expect(dragged).to_have_count(1)
            for kind in ("pointerup", "pointercancel"):
                await page.locator(".felt").dispatch_event(kind, {**at, "pointerId": 8, "clientY": 5})
                await expect(dragged).to_have_count(1)
            await card.dispatch_event("pointercancel", {**at, "pointerId": 7})
            await expect(dragged).to_have_count(0)


async def test_a_connection_that_has_fallen_silent_is_replaced(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        async with opened(browser, site, harness.people[0].id) as page:
            await asked(page)
            connections: list[str] = []
            page.on("websocket", lambda socket: connections.append(socket.url))
            await page.evaluate("dispatchEvent(new Event('online'))")
            assert connections == []
            await page.evaluate("{ const now = Date.now; Date.now = () => now() + 60_000; }")
            async with asyncio.timeout(PATIENCE / 1000):
                while not connections:
                    await page.wait_for_timeout(20)
            await expect(page.locator(".banner")).to_have_count(0)
            await tap_a_play(page)


async def test_a_visitor_whose_labels_come_late_is_asked_to_log_in(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (_, site):
        context = await browser.new_context()
        page, is_refused = await context.new_page(), asyncio.Event()

        async def hold(route: Route) -> None:
            """Let the labels come when the server has closed the connection."""
            await is_refused.wait()
            await route.continue_()

        page.on("websocket", lambda socket: socket.on("close", lambda _: is_refused.set()))
        await page.route("**/api/texts*", hold)
        await page.goto(site.url)
        await expect(page.get_by_role("button", name="Log in with Discord")).to_be_visible()
        await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        await expect(page.locator(".banner")).to_have_count(0)
        await context.close()


async def drag(page: Page, start: str, end: str) -> None:
    """Drag one element to another."""
    for selector in (start, end):
        box = await page.locator(selector).first.bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        if selector == start:
            await page.mouse.down()
    await page.mouse.up()


async def test_a_refusal_is_shown_as_the_server_says_it(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(1, ai_players=3)
        ana, *_ = harness.people
        async with opened(browser, site, ana.id) as page, site.page(ana.id) as plain:
            await asked(page)
            await page.locator(CARD).last.tap()
            ids = await page.locator(SELECTED).evaluate_all("cards => cards.map((card) => Number(card.dataset.card))")
            table = await plain.watch(1)
            answer = await plain.ask("why", table=1, moment=table["moment"], cards=ids)
            await page.get_by_role("button", name="Why?").tap()
            await expect(page.locator(".status")).to_have_text(answer["ok"]["text"])


async def test_a_page_reloaded_in_a_hand_and_one_that_loses_the_app_go_on(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        players = await harness.begin_match(3)
        others = [each for each in players if each.person is not harness.people[0]]
        for other in others:
            await other.open()
        async with opened(browser, site, harness.people[0].id) as page:
            for _ in range(2):  # a hand takes more turns than these and the last ones
                await until_my_turn(page, others)
                await tap_a_play(page)  # nobody moves after that
                hand = await page.locator(CARD).count()
                await page.reload()
                await expect(page.locator(CARD)).to_have_count(hand)
            await until_my_turn(page, others)
            await harness.kill_app()
            await expect(page.locator(".banner")).to_be_visible()
            await page.locator(CARD).last.tap()
            await page.locator(CARD).last.press("Enter")
            await harness.start_app()
            await expect(page.locator(".banner")).to_have_count(0)
            await expect(page.locator(".note")).to_have_count(0)  # of the move that couldn't be sent
            for other in others:
                await other.open()
            await until_my_turn(page, others)
            await tap_a_play(page)
