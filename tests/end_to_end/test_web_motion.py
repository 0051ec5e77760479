"""Animations and sounds of the page: plays, gangs, deals, the exchange and three tones."""

import json
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page, expect

from tests.browser import PATIENCE
from tests.end_to_end.browser_table import opened
from tests.end_to_end.low_gangs import ONE, ONES, REST, TWOS, low_gangs
from tests.end_to_end.page_client import app_with_page

KINDS: Final = (".to-beat .card", ".to-beat b", ".felt", ".hand > .card", ".middle .exchange li", ".seat")
WATCH_MOTION: Final = """
window.moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (steps, options) {
  const motion = animate.call(this, steps, options);
  const isMoving = new Set(steps.map((step) => JSON.stringify(step))).size > 1;
  if (isMoving && document.getAnimations().includes(motion)) moves.push(KINDS.find((kind) => this.matches(kind)));
  return motion;
};
window.isMotion = ({ animationName }) => !animationName?.startsWith("settle");
for (const kind of ["transitionrun", "animationstart"]) {
  document.addEventListener(kind, (event) => isMotion(event) && moves.push(kind), true);
}
""".replace("KINDS", json.dumps(KINDS))
"""Records which elements move, and the animations of style sheets, but not the pause before a result can be tapped."""
WATCH_TONES: Final = """
window.tones = [];
window.contexts = 0;
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) { tones.push(this.frequency.value); start.call(this, at); };
window.AudioContext = class extends AudioContext { constructor() { super(); contexts += 1; } };
"""
"""Records the frequencies of all tones."""
PLAY, TURN, GANG = [330], [523, 659], [392, 523, 784]


async def moved(page: Page, expected: dict[str, int]) -> None:
    """Wait until as many of each kind have moved as expected, and no others of these kinds since the last time."""
    enough = "kinds => Object.entries(kinds).every(([kind, n]) => moves.filter((each) => each === kind).length >= n)"
    await page.wait_for_function(enough, arg=expected, timeout=PATIENCE)
    moves = await page.evaluate("moves.splice(0)")
    assert {kind: moves.count(kind) for kind in KINDS} == dict.fromkeys(KINDS, 0) | expected


async def heard(page: Page, expected: list[int]) -> None:
    """Wait until these tones have sounded, and no others since the last time."""
    await page.wait_for_function("number => tones.length >= number", arg=len(expected), timeout=PATIENCE)
    assert await page.evaluate("tones.splice(0).map(Math.round)") == expected


async def test_plays_gangs_passes_exchanges_and_deals_move_unless_the_viewer_wants_less_motion(
    tmp_path: Path, browser: Browser
) -> None:
    async with app_with_page(tmp_path) as (harness, site), low_gangs(harness, site) as match:
        holder, following, *_ = match.users
        async with (
            opened(browser, site, holder, motion="no-preference", first=WATCH_MOTION) as page,
            opened(browser, site, following, motion="no-preference", first=WATCH_MOTION) as other,
            opened(browser, site, following, first=WATCH_MOTION) as still,
        ):
            for cards in (ONE, ONES, TWOS):
                await match.play(cards)
                gang = int(len(cards.split()) > 3)
                for each in (page, other):
                    await moved(each, {".to-beat .card": len(cards.split()), ".to-beat b": gang, ".felt": gang})
                for place in (1, 2, 3):
                    await match.pass_turn(place)
                    for each in (page, other):
                        await moved(each, {".seat": 1})
            await match.play(REST)
            for place, each in enumerate((page, other)):
                hand = await match.hand(2, place)
                await moved(each, {".hand > .card": len(hand), ".middle .exchange li": 1})
            await match.give_back()
            for each in (page, other):
                await moved(each, {".middle .exchange li": 2})
            await expect(still.locator(".middle .exchange li")).to_have_count(2)
            assert await still.evaluate("[moves, document.getAnimations().filter(isMotion)]") == [[], []]


async def test_three_tones_are_off_until_the_viewer_turns_them_on(tmp_path: Path, browser: Browser) -> None:
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site) as match,
        opened(browser, site, match.users[2], first=WATCH_TONES) as page,
    ):
        await match.play(ONE)
        await match.pass_turn(1)
        await expect(page.locator(".status.mine")).to_be_visible()
        assert await page.evaluate("[tones, contexts]") == [[], 0]
        await page.get_by_role("button", name="Turn sounds on").tap()
        await heard(page, TURN)
        for cards, tones in (("3G 3G", PLAY), (ONES, GANG)):
            await match.pass_turn(2)
            await match.pass_turn(3)
            await match.play(cards)
            await heard(page, tones)
            await match.pass_turn(1)
            await heard(page, TURN)
        await page.get_by_role("button", name="Turn sounds off").tap()
        await match.pass_turn(2)
        await match.pass_turn(3)
        await match.play(TWOS)
        await expect(page.locator(".to-beat .card")).to_have_count(6)
        await match.pass_turn(1)
        await expect(page.locator(".status.mine")).to_be_visible()
        assert await page.evaluate("[tones, contexts]") == [[], 1]
