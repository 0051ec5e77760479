"""No frame of a page holds a card that its user may not see, a seed, or the order of a deal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.engine import Line, State, evolve
from bot.engine.events import Dealt, Gave, GaveBack, HandEnded, Played
from tests.end_to_end.inspection import app_database, record_of
from tests.end_to_end.page_client import SECRET, Page, app_with_page, play_together
from tests.end_to_end.test_secrets import cards_in


def states_of(lines: list[Line]) -> list[State | None]:
    """The state of a match after each length of its log."""
    states: list[State | None] = [None]
    for line in lines:
        states.append(evolve(states[-1], line.event))
    return states


def cards_of(part: object) -> Iterator[int]:
    """The kinds of all cards in a part of a frame."""
    if isinstance(part, dict):
        if {"id", "sign"} <= part.keys():
            yield part["id"]
        for name, value in part.items():
            if name in ("cards", "playable") and isinstance(value, list):
                yield from (each for each in value if isinstance(each, int))
            yield from cards_of(value)
    elif isinstance(part, list):
        for each in part:
            yield from cards_of(each)


def public_cards(lines: list[Line], states: list[State | None], length: int) -> set[int]:
    """The cards played or given in the hand of a moment and in the one before, and those that were left in that one."""
    found: list[set[int]] = [set(), set()]
    for number, line in enumerate(lines[:length], 1):
        event, before = line.event, states[number - 1]
        if isinstance(event, Dealt):
            found.append(set())
        elif isinstance(event, Played):
            found[-1].update(event.cards)
        elif isinstance(event, Gave | GaveBack):
            found[-1].add(event.card)
        elif isinstance(event, HandEnded) and before is not None:
            found[-1].update(*before.hands)
    return found[-1] | found[-2]


def require_no_leak(page: Page, seat: int | None, lines: list[Line], seed: str) -> None:
    """Check every frame against the log."""
    states = states_of(lines)
    for picture in page.pictures:
        require_own_cards(picture, seat, lines, states)
    for text in page.texts:
        assert seed not in text
        assert SECRET not in text
    assert len(page.pictures) > 20


def require_own_cards(picture: dict[str, Any], seat: int | None, lines: list[Line], states: list[State | None]) -> None:
    """Check one picture."""
    length, state = picture["length"], states[picture["length"]]
    assert state is not None
    own = [] if seat is None or picture["status"] == "over" else list(map(int, state.hands[seat]))
    assert [card["id"] for card in picture["hand"]] == own  # in ascending order, not as dealt
    allowed = {*own} | public_cards(lines, states, length)
    assert set(cards_of(picture)) <= allowed
    assert set(map(int, cards_in(str(picture)))) <= allowed


async def test_no_frame_leaks(tmp_path: Path) -> None:
    async with app_with_page(tmp_path) as (harness, site):
        players = await harness.begin_match(3, ai_players=1, target=30)
        ana, ben, _, spectator = harness.people
        async with site.page(ana.id) as one, site.page(ben.id) as two, site.page(spectator.id) as watcher:
            pages = {one: 0, two: 1, watcher: None}
            for page in pages:
                await page.watch(1)
            await players[2].open()
            with app_database(harness) as connection:
                ((seed,),) = connection.execute("SELECT seed FROM tables").fetchall()
            await play_together(harness, [one, two], players[2:])
            for page in pages:
                await page.until(lambda: all(page.table["status"] == "over" for page in pages))
            lines = record_of(harness)
            for page, seat in pages.items():
                require_no_leak(page, seat, lines, seed.hex())
    log = harness.log.read_text()
    assert SECRET not in log
    assert "session" not in log


async def test_an_owner_who_is_away_sees_what_the_channel_shows(tmp_path: Path) -> None:
    """After conceding, the own hand is hidden like any other."""
    async with app_with_page(tmp_path) as (harness, site):
        await harness.begin_match(2, ai_players=1)
        ana, ben = harness.people[:2]
        async with site.page(ana.id) as page:
            assert len((await page.watch(1))["hand"]) == 16
            question = await harness.under_more(ana, "leave-match:1:0")
            assert question.message is not None
            await ana.click(question.message, question.message.buttons[0].label)
            await page.until(lambda: page.table["hand"] == [])
            assert "You have conceded" in page.table["notice"]
            assert page.table["can"] == []
        assert ben is not ana
