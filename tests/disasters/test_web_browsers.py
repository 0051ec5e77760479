"""A whole match and its rematch: one person in an Activity's frame, one in a browser tab, and two with buttons.

The tab is loaded again before each of its turns, and the app is killed now and then. The match goes to 10 points, with
`GANG_OF_FOUR_SOAK` to 100. Only the long one is sure to have an exchange, a gang and a last card.
"""

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser, Frame, Page, WebSocket, expect

from bot.engine.cards import is_gang
from bot.engine.events import Event, Gave, GaveBack, Passed, Played
from bot.engine.state import replay
from bot.engine.verification import verify
from bot.web.files import has_sdk
from playground.client.person import Person
from tests.browser import PATIENCE, open_phone
from tests.end_to_end.app_harness import AppHarness, Player, can_press
from tests.end_to_end.browser_table import (
    CARD,
    STATE,
    opened,
    tap,
    tap_a_play,
)
from tests.end_to_end.inspection import record_of
from tests.end_to_end.page_client import app_with_page
from tests.end_to_end.page_secrets import FrameCheck

pytestmark = [
    pytest.mark.skipif(not has_sdk(), reason="the page isn't built (make web)"),
]

IS_LONG: Final = "GANG_OF_FOUR_SOAK" in os.environ
CRASH_EVERY: Final = 12
"""Turns of the pages between two crashes."""


class Frames:
    """The frames that the app has sent to a browser."""

    def __init__(self, page: Page) -> None:
        self.texts: list[str] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        if "/api/socket" in socket.url:
            socket.on("framereceived", lambda payload: self.texts.append(str(payload)))

    @property
    def updates(self) -> list[dict[str, Any]]:
        """The updates of the first table."""
        found: list[dict[str, Any]] = [{}]
        for frame in map(json.loads, self.texts):
            if "table" in frame:
                found.append(frame["table"])
            elif "changes" in frame:
                found.append(found[-1] | frame["changes"])
        return [each for each in found if each.get("number") == 1]

    @property
    def own_turns(self) -> set[int]:
        """The lengths of the log at which the viewer had the turn."""
        return {each["length"] for each in self.updates if each["turn"] and each["turn"]["seat"] == each["you"]}


async def launched(browser: Browser, person: Person) -> tuple[Frame, Frames]:
    """The table in an Activity on a person's phone, opened by the button of its message, and what the app sends it."""
    page, phone = await open_phone(browser, person)
    frames = Frames(page)
    await phone.get_by_role("button", name="Open the table").first.click()
    question = phone.get_by_role("dialog", name="The App wants to access your account")
    await question.get_by_role("button", name="Authorize").click(timeout=PATIENCE)
    await expect(page.frame_locator("iframe[name^='activity-']").locator(CARD)).to_have_count(16)
    return next(each for each in page.frames if each.name.startswith("activity-")), frames


async def test_a_match_in_a_frame_in_a_tab_and_by_buttons(tmp_path: Path, browser: Browser) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, *others = harness.people
        await harness.begin_match(4, target=100 if IS_LONG else 10)
        players = [Player(harness, person, likes_gangs=True) for person in others]
        frame, framed = await launched(browser, ana)
        async with opened(browser, site, ben.id) as tab:
            tabbed = Frames(tab)
            for player in players:
                await player.open()
            await play(harness, frame, tab, players)
            await begin_the_rematch(harness, frame, tab, players)
        lines = record_of(harness)
        verify(lines)
        events = [line.event for line in lines]
        check = FrameCheck(harness, events)
        for seat, frames in enumerate((framed, tabbed)):
            own_turns = [each for each in events if isinstance(each, Played | Passed) and each.seat == seat]
            assert len(frames.own_turns) >= len(own_turns) > 0
            for update in frames.updates:
                check.check_update(update)
        if IS_LONG:
            check_that_all_happened(events)
        assert harness.world.violations == []


async def begin_the_rematch(harness: AppHarness, frame: Frame, tab: Page, players: list[Player]) -> None:
    """Begin the rematch in both browsers and with buttons. Both browsers show the new hand."""
    for each in (frame, tab):
        await tap(each, each.get_by_role("dialog").get_by_role("button", name="Rematch"))
        await expect(each.get_by_role("dialog")).to_have_count(0)
    await harness.people[0].until(lambda: can_press(harness.table(), "Join"))  # the channel follows the page
    for player in players:
        await harness.press(player.person, "Join")
    for each in (frame, tab):
        await expect(each.locator(CARD)).to_have_count(16)


def check_that_all_happened(events: list[Event]) -> None:
    """A match to 100 has exchanges, a gang and a last card, and someone reaches 100."""
    plays = [event for event in events if isinstance(event, Played)]
    assert any(is_gang(play.cards) for play in plays)
    assert any(play.last_card for play in plays)
    assert {Gave, GaveBack} <= {type(event) for event in events}
    assert max(replay(events).totals) >= 100


async def play(harness: AppHarness, frame: Frame, tab: Page, players: list[Player]) -> None:
    """Play to the end of the match."""
    turns = 0
    while not harness.is_over():
        mover = next((each for each in players if each.must_act()), None)
        if mover is not None:
            await mover.act()
            continue
        for each in (frame, tab):
            state = await each.evaluate(STATE)
            if state == "turn":
                turns += 1
                await prepare(harness, tab if each is tab else None, frame, players if turns % CRASH_EVERY == 0 else [])
                await tap_a_play(each)
            elif state == "over" and await each.get_by_role("button", name="Continue").count():
                await tap(each, each.get_by_role("button", name="Continue").first)
        await tab.wait_for_timeout(20)


async def prepare(harness: AppHarness, tab: Page | None, frame: Frame, reopening: list[Player]) -> None:
    """Load the tab again if it's its turn; now and then kill the app, after which open hands don't change."""
    if reopening:
        await harness.kill_app()
        await expect(frame.locator(".banner")).to_be_visible()
        await harness.start_app()
        await expect(frame.locator(".banner")).to_have_count(0)
        for player in reopening:
            await player.open()
    if tab is not None:
        held = await tab.locator(CARD).count()
        await tab.reload()
        await expect(tab.locator(CARD)).to_have_count(held)
