"""The table on the page: in each state of a hand it agrees with the update that the viewer gets."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Page

from tests.browser import PATIENCE
from tests.end_to_end.browser_table import opened
from tests.end_to_end.low_gangs import ONE, ONES, TWOS, low_gangs
from tests.end_to_end.page_client import app_with_page

WIDE: Final = (1280, 800)
"""A window with room for all earlier plays of the cycle."""
SIDES: Final = ("bottom", "right", "top", "left")
"""The sides of the table, counter-clockwise from the viewer."""
SHOWN: Final = """() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const [middle, center] = [felt.left + felt.width / 2, felt.top + felt.height / 2];
  const side = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [right, down] = [left + width / 2 - middle, top + height / 2 - center];
    if (Math.abs(right) > felt.width / 8) return right > 0 ? "right" : "left";
    return down > 0 ? "bottom" : "top";
  };
  const text = (element, kind) => element.querySelector(kind)?.textContent ?? null;
  const seat = (element) => ({
    seat: Number(element.dataset.seat),
    side: side(element),
    name: text(element, ".name"),
    backs: element.querySelectorAll(".fan use").length,
    left: text(element, ".left"),
    facts: text(element, ".facts"),
    points_at: getComputedStyle(element.querySelector(".name"), "::before").content.includes("▶"),
    is_pale: [...element.querySelectorAll(".held svg")].some((fan) => getComputedStyle(fan).opacity < 1),
    alarm: text(element, ".alarm"),
    note: text(element, "[data-key=note]"),
    until: Number(element.querySelector(".time")?.dataset.until ?? 0),
  });
  const play = (element) => ({
    seat: Number(element.dataset.seat),
    cards: [...element.querySelectorAll(".card")].map((card) => Number(card.dataset.card)),
    text: text(element, "b"),
    who: text(element, "bdi"),
  });
  const plays = [...document.querySelectorAll(".trick > .play")];
  const tops = plays.map((element) => element.getBoundingClientRect().top);
  return {
    seats: [...document.querySelectorAll(".seats > .seat")].map(seat),
    plays: plays.map(play),
    are_beneath: tops.slice(1).every((top) => top > tops[0]),
  };
}"""


def expected(table: dict[str, Any]) -> dict[str, Any]:
    """The text and marks that the page must have after an update."""
    you, plays = table["you"], table["plays"][::-1]
    order = [(you + table["direction"] * step) % 4 for step in (1, 2, 3, 4)]
    newest = [plays[0]["text"], *[None] * (len(plays) - 1)] if plays else []
    return {
        "seats": [seat_of(table, seat) for seat in order],
        "plays": [
            {
                "seat": play["seat"],
                "cards": [card["id"] for card in play["cards"]],
                "text": text,
                "who": table["seats"][play["seat"]]["name"],
            }
            for play, text in zip(plays, newest, strict=True)
        ],
        "are_beneath": True,
    }


def seat_of(table: dict[str, Any], number: int) -> dict[str, Any]:
    """The text and marks expected at a seat. The viewer's hand and status are below the table."""
    seat, is_you = table["seats"][number], number == table["you"]
    cards = "1 card" if seat["cards_left"] == 1 else f"{seat['cards_left']} cards"
    return {
        "seat": number,
        "side": SIDES[(number - table["you"]) % 4],
        "name": seat["name"],
        "backs": 0 if is_you else seat["cards_left"],
        "left": None if is_you else str(seat["cards_left"]),
        "facts": f"{cards} · {seat['total']} points" if is_you else f"{seat['total']} points",
        "points_at": seat["is_turn"],
        "is_pale": seat["passed"] and not is_you,
        "alarm": "❗ Last card!" if seat["last_card"] else None,
        "note": None if is_you and seat["is_turn"] else seat["note"] or None,
        "until": table["turn"]["until"] if seat["is_turn"] else 0,
    }


async def test_the_felt_shows_seats_marks_plays_and_the_time_left(tmp_path: Path, browser: Browser) -> None:
    async with (
        app_with_page(tmp_path) as (harness, site),
        low_gangs(harness, site, pace="live") as match,
        opened(browser, site, match.users[2], size=WIDE) as page,
    ):
        viewer, seen = match.pages[2], set[str | None]()

        async def look() -> dict[str, Any]:
            """Compare the page with the newest update of its viewer."""
            shown = await shows(page, expected(viewer.table))
            await check_time(page, viewer.table)
            seen.update(text for seat in shown["seats"] for text in (seat["alarm"], seat["note"]))
            return shown

        await look()
        await match.play(ONE)
        await look()
        await match.play("3Y", 1)
        await look()
        await match.play("6Y", 2)
        await look()
        await match.pass_turn(3)
        shown = await look()
        assert len(shown["plays"]) == 3
        for cards, says in ((ONES, False), (TWOS, False), ("3G 3G", True), ("3Y", False)):
            await match.play(cards, last_card=says)
            await look()
            for place in (1, 2, 3) if cards != "3Y" else ():
                await match.pass_turn(place)
                await look()
        assert seen >= {
            "❗ Last card!",
            "✋ passed",
            "to lead",
            "to lead with the multicolored 1",
            "to give a card back",
        }
        assert {seat["side"] for seat in shown["seats"]} == set(SIDES)


async def shows(page: Page, wanted: dict[str, Any]) -> dict[str, Any]:
    """Wait until the page shows this."""
    shown: dict[str, Any] = {}
    try:
        async with asyncio.timeout(PATIENCE / 1000):
            while (shown := await page.evaluate(SHOWN)) != wanted:
                await page.wait_for_timeout(20)
    except TimeoutError:
        assert shown == wanted
    return shown


async def check_time(page: Page, table: dict[str, Any]) -> None:
    """Check that the time shown is at most that of the update, and at least the time left now."""
    until, begun = table["turn"]["until"], table["now"]
    (text,) = await page.locator(".time").all_inner_texts()
    found = re.fullmatch(r"⏳ (\d+):(\d\d)", text)
    assert found is not None, text
    left = 60 * int(found[1]) + int(found[2])
    assert (until - time.time() * 1000) // 1000 - 1 <= left <= (until - begun) // 1000 + 1
