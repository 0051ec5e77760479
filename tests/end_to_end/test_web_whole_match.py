"""Whole matches by page and by buttons: what every frame and message shows, pages of one user, and old pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from bot.engine.events import Declared, Event, Gave, GaveBack, HandEnded, MatchEnded, Played
from bot.engine.verification import verify
from playground.client.person import Person
from playground.world.changes import Change, MessageShown
from tests.disasters.expected_state import expected_states
from tests.disasters.page_match import differences, still, update
from tests.end_to_end.app_harness import MY_HAND, AppHarness, Player, can_press
from tests.end_to_end.inspection import app_database, record_of
from tests.end_to_end.page_client import Page, Site, app_with_page, play_together
from tests.end_to_end.page_secrets import FrameCheck, Truth
from tests.end_to_end.test_secrets import A_FINISHED_HAND, A_HAND_IN_PLAY, Onlooker, cards_in, open_cards

DAY = 24 * 3_600_000
OFTEN = {"bot.services.deadlines.MAX_SLEEP": 0.2}
"""Let the app look at its clock often."""


class PrivateMessages:
    """Every version of the private messages of some people, with the length of the log when they saw it."""

    def __init__(self, harness: AppHarness, people: list[Person]) -> None:
        self._harness = harness
        self._people = people
        self.seen: list[tuple[Person, int, set[int]]] = []
        harness.world.change_listeners.append(self._see)

    def _see(self, change: Change) -> None:
        if isinstance(change, MessageShown) and change.message.reader in self._people:
            cards = cards_in(str(change.message.components))
            if cards:
                self.seen.append((change.message.reader, length_of(self._harness), cards))

    def check(self, truth: Truth) -> None:
        """Each person saw only their own cards and those that lay on the table."""
        for person, rows, cards in self.seen:
            length = rows or len(truth.events)  # a finished log is packed: it has no rows
            own = truth.own(length, self._harness.people.index(person))
            assert cards <= own | truth.open(length, hands=2), (person.name, length, cards)


def length_of(harness: AppHarness, table: int = 1) -> int:
    """The length of the log of a match that is being played."""
    with app_database(harness) as connection:
        (length,) = connection.execute("SELECT count(*) FROM events WHERE table_id = ?", (table,)).fetchone()
    return int(length)


@asynccontextmanager
async def watching(site: Site, people: list[Person], table: int = 1) -> AsyncIterator[list[Page]]:
    """A page of each person at a table."""
    async with AsyncExitStack() as opened:
        pages = [await opened.enter_async_context(site.page(person.id)) for person in people]
        for page in pages:
            await page.watch(table)
        yield pages


def check_public_messages(onlooker: Onlooker, events: list[Event]) -> None:
    """No public message showed a card that didn't lie on the table, or the seed before the end."""
    seen = open_cards(events)
    seed = next(event.seed for event in events if isinstance(event, MatchEnded))
    for version in onlooker.versions:
        hand = A_HAND_IN_PLAY.search(version.text)
        if hand or not A_FINISHED_HAND.search(version.text):
            assert cards_in(version.text) <= (seen[int(hand[1])] if hand else set().union(*seen.values()))
        assert version.is_over or seed not in version.raw


async def test_a_whole_match_by_two_pages_and_two_by_buttons_and_its_rematch(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        ana, ben, cleo, dan = harness.people
        onlooker, private = Onlooker(harness), PrivateMessages(harness, [cleo, dan])
        players = await harness.begin_match(4, target=100)
        async with watching(site, [ana, ben, ana, cleo, harness.manager]) as pages:
            for player in players[2:]:
                await player.open()
            await play_together(harness, pages[:2], players[2:])
            await pages[0].until(lambda: {page.table["status"] for page in pages} == {"over"})
            check = await asyncio.to_thread(_check_match, harness, pages)  # meanwhile the pages answer pings
            await asyncio.to_thread(private.check, check.truth)
            await asyncio.to_thread(check_public_messages, onlooker, list(check.truth.events))
            await _play_the_rematch(harness, pages[:2], players[2:])


def _check_match(harness: AppHarness, pages: list[Page]) -> FrameCheck:
    """Check the record of the first match, and every frame."""
    lines = record_of(harness)
    verify(lines)
    check = FrameCheck(harness, [line.event for line in lines])
    for page in pages:
        check.check(page)
    seen = {type(event) for event in check.truth.events}
    assert {Gave, GaveBack, HandEnded, MatchEnded} <= seen
    assert any(
        isinstance(event, Declared) or (isinstance(event, Played) and event.last_card) for event in check.truth.events
    )
    assert all(page.table["ranking"][0]["place"] == 1 for page in pages)
    assert all(page.table["can"] == ["rematch", "replay"] for page in pages[:2])
    kinds = {event["kind"] for shown in pages[0].updates for event in shown["events"]}
    assert {"play", "pass", "exchange", "last_card", "hand_over", "match_over"} <= kinds
    return check


async def _play_the_rematch(harness: AppHarness, pages: list[Page], players: list[Player]) -> None:
    """Open the rematch on one page, join it on the other and by buttons, and play to a gang or to its end.

    It starts when all are there.
    """
    ana, ben = pages
    number = (await ana.do("rematch", table=1))["table"]
    assert (await ben.until(lambda: ben.table["rematch"])) == number
    assert (await ben.do("rematch", table=1)) == {"table": number}
    for page in pages:
        await page.watch(number)
    await harness.people[0].until(lambda: can_press(harness.table(), "Join"))  # the channel follows the page
    for player in players:
        await harness.press(player.person, "Join")
    await ana.until(lambda: ana.table["status"] == "playing")

    def has_seen_a_gang() -> bool:
        shown = (each for each in ana.updates if each["number"] == number)
        return any(event["kind"] == "gang" for each in shown for event in each["events"])

    await harness.people[0].until(lambda: can_press(harness.table(), MY_HAND))
    for player in players:
        await player.open()
    await play_together(harness, pages, players, lambda: has_seen_a_gang() or harness.is_over())
    events = [line.event for line in record_of(harness, number)]
    check = FrameCheck(harness, events, number)
    await ana.until(lambda: all(page.table["length"] == len(events) for page in pages))
    for shown in (each for page in pages for each in page.updates if each["number"] == number):
        check.check_update(shown)


async def test_a_page_left_open_for_two_days_has_to_log_in_again_and_is_right(tmp_path: Path) -> None:
    async with app_with_page(tmp_path, OFTEN) as (harness, site):
        ana, ben, *_ = harness.people
        await harness.begin_match(2, ai_players=1, target=1000, pace="day")
        async with watching(site, [ana, ben]) as pages:
            mover = await pages[0].until(lambda: next(filter(Page.must_act, pages), None))
            assert mover is not None
            await mover.act()
            before = mover.table
            await harness.looks_after_deadlines()
            shown = [len(page.frames) for page in pages]
            for _ in range(4):
                harness.advance_clock_to(harness.now() + DAY // 2)
                await harness.has_looked()
            for page, length in zip(pages, shown, strict=True):
                if not page.is_closed:
                    await page.send("home")
                await page.until(partial(is_closed, page))
                assert page.frames[-1] == {"bye": ""}
                assert not any("ok" in frame for frame in page.frames[length:])
        async with watching(site, [ana, ben]) as pages:
            for page, person in zip(pages, (ana, ben), strict=True):
                await page.until(partial(_is_right, harness, page, person))
            assert pages[0].table["revision"] > before["revision"]  # the clock of the turn went on


def is_closed(page: Page) -> bool:
    return page.is_closed


def _is_right(harness: AppHarness, page: Page, person: Person) -> bool:
    """True if a page shows the table as it's stored."""
    return not differences(still(page.table), update(expected_states(harness)[1], person.id))
