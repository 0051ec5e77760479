"""Pictures of many tables: complete, legal, and without what their viewer may not see."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.engine import Cards, Combination, State, View
from bot.engine.legality import cheapest_with
from bot.presentation.text.cards import describe
from bot.presentation.text.i18n import Words, languages, words_in
from bot.table.model import ClockStage, Status
from bot.table.snapshot import Table
from bot.web.card_json import Json
from bot.web.connection import dumps
from bot.web.table_json import Viewer, table_json
from tests.presentation.sample_tables import CLOCK, people, random_tables

STRANGER = 999
BOTH = {False, True}
SEAT = ("cards_left", "total", "is_turn", "passed", "last_card")
"""The public facts about a seat."""


def tables() -> Iterator[Table]:
    for size in (3, 4):
        for table in random_tables(7, size):
            if table.row.status is Status.LOBBY or table.public is not None:
                yield table


def views(table: Table) -> Iterator[tuple[int, View]]:
    if table.row.status is Status.PLAYING:
        for seat in table.seats:
            if seat.user_id is not None:
                yield seat.user_id, table.view_of(seat.user_id)


def plays_now(table: Table, user_id: int) -> bool:
    """True if a user plays their seat, and the match isn't paused."""
    return table.row.paused_at is None and user_id in (seat.player_id for seat in table.seats)


def update(table: Table, user_id: int, words: Words) -> Json:
    return table_json(table, Viewer(user_id, words), 0)


@pytest.mark.parametrize("language", languages())
def test_every_table_has_a_picture_for_everyone(language: str) -> None:
    words = words_in(language)
    for number, table in enumerate(tables()):
        if number % 20 == 0:
            for user_id in (STRANGER, *(seat.user_id or 0 for seat in table.seats)):
                shown = json.loads(dumps(update(table, user_id, words)))
                assert len(dumps(shown)) < 20_000
                assert not markup_in(shown)


def markup_in(part: Any) -> bool:  # noqa: ANN401  # JSON
    """True if a text has Discord's markdown, apart from names."""
    if isinstance(part, dict):
        return any(markup_in(value) for name, value in part.items() if name not in ("name", "text", "notice", "note"))
    if isinstance(part, list):
        return any(map(markup_in, part))
    return isinstance(part, str) and ("**" in part or "<@" in part or "<t:" in part)


def ids(play: Combination) -> tuple[int, ...]:
    return tuple(map(int, play.cards))


def holds(choice: Json, cards: Cards) -> bool:
    return set(map(int, cards)) <= set(choice["cards"])


def test_all_legal_plays_are_sent_with_the_cheapest_of_equal_strength_first() -> None:
    words = words_in("en")
    for table in tables():
        for user_id, view in views(table):
            shown = update(table, user_id, words)
            plays = view.plays() if plays_now(table, user_id) else ()
            assert [tuple(choice["cards"]) for choice in shown["choices"]] == [ids(play) for play in plays]
            for selected in ((), *((card,) for card in view.hand)):
                offered = {
                    choice["strength"]: choice for choice in reversed(shown["choices"]) if holds(choice, selected)
                }
                cheapest = [tuple(choice["cards"]) for choice in reversed(offered.values())]
                assert cheapest == [ids(play) for play in cheapest_with(plays, selected)]
            assert ("pass" in shown["can"]) is (view.may_pass and plays_now(table, user_id))
            assert [card["id"] for card in shown["hand"]] == list(map(int, view.hand))


def test_spectators_see_no_hand_and_can_do_nothing() -> None:
    words = words_in("en")
    for table in tables():
        shown = update(table, STRANGER, words)
        assert (shown["you"], shown["hand"], shown["choices"]) == (None, [], [])
        if table.row.status is not Status.LOBBY:
            assert shown["can"] == ([] if table.row.status.is_open or table.public is None else ["replay"])


def test_no_clock_runs_during_a_pause_and_a_late_turn_is_said() -> None:
    running = next(each for each in tables() if each.row.status is Status.PLAYING and each.turn is not None)
    for stage, paused_at, until, is_late in (
        (ClockStage.RUNNING, None, 9, False),
        (ClockStage.REMINDED, None, 9, False),
        (ClockStage.RUNNING, 7, None, False),
        (ClockStage.ASKED, None, None, True),
        (ClockStage.WAITING, None, None, True),
        (ClockStage.WAITING, 7, None, False),
    ):
        row = replace(running.row, clock=replace(CLOCK, due=9, stage=stage), paused_at=paused_at)
        shown = update(replace(running, row=row), STRANGER, words_in("en"))
        assert shown["turn"]["until"] == until
        assert ("is late" in shown["notice"]) is is_late


def test_a_replay_is_offered_unless_it_would_be_refused() -> None:
    over = next(each for each in tables() if each.row.status is Status.OVER)
    today = replace(over, row=replace(over.row, daily="1970-01-01"))
    secret = replace(over, row=replace(over.row, deals_secret=True, duplicate_of=1))
    offered = ["replay" in update(table, STRANGER, words_in("en"))["can"] for table in (over, today, secret)]
    assert offered == [True, False, False]


def test_why_explains_cards_only_while_they_could_be_played() -> None:
    for table in tables():
        for user_id, view in views(table):
            assert "why" not in update(table, user_id, words_in("en"))["can"] or view.situation is not None


def test_an_owner_whose_seat_another_player_has_is_not_asked_to_move() -> None:
    words, asked = words_in("en"), set[bool]()
    for table in tables():
        for user_id, _view in views(table):
            turn = update(table, user_id, words)["turn"]
            if turn is not None and turn["seat"] == table.seat_of(user_id) and table.row.paused_at is None:
                asked.add(plays_now(table, user_id))
                assert ("Your turn" in turn["text"] or "you" in turn["text"].lower()) is plays_now(table, user_id)
    assert asked == BOTH


def test_the_page_gets_its_readers_order() -> None:
    table = next(iter(tables()))
    assert update(table, STRANGER, words_in("en"))["sort"] == "number"
    assert update(table, STRANGER, words_in("en").in_order(by_color=True))["sort"] == "color"


def test_every_moment_of_a_match_is_told_as_it_is() -> None:
    words, seen = words_in("en"), dict[str, set[object]]()
    for number, table in enumerate(tables()):
        if table.state is not None:
            clock = None if number % 5 == 0 else replace(CLOCK, due=number)
            clocked = replace(table, row=replace(table.row, clock=clock))
            facts = facts_told(update(clocked, STRANGER, words))
            assert facts == facts_of(clocked, table.state), number
            for seat in facts["seats"]:
                for name, value in seat.items():
                    seen.setdefault(name, set()).add(value)
            for name in ("plays", "exchange"):
                seen.setdefault(name, set()).add(min(len(facts[name]), 3))
            seen.setdefault("direction", set()).add(facts["direction"])
            seen.setdefault("until", set()).add(facts["turn"] and facts["turn"][1] is not None)
    assert seen.pop("cards_left") == set(range(18))  # one more in the exchange
    assert len(seen.pop("total")) > 5
    assert seen == {
        **dict.fromkeys(("is_turn", "passed", "last_card", "says out", "says passed", "says leads"), BOTH),
        "plays": {0, 1, 2, 3},
        "exchange": {0, 1, 2},
        "direction": {1, -1},
        "until": {None, *BOTH},
    }


def facts_told(shown: Json) -> Json:
    """The facts of an update, apart from its words."""
    seats, turn, exchange = shown["seats"], shown["turn"], shown["exchange"] or []
    return {
        "direction": shown["direction"],
        "hand": shown["hand_number"],
        "turn": turn and (turn["seat"], turn["until"]),
        "plays": [(play["seat"], [card["id"] for card in play["cards"]], play["text"]) for play in shown["plays"]],
        "exchange": [(move["from"], move["to"], move["card"]["id"]) for move in exchange],
        "seats": [{name: seat[name] for name in SEAT} | notes(seat["note"]) for seat in seats],
    }


def notes(note: str) -> dict[str, bool]:
    """The facts in the words beside a seat."""
    leads = any(text in note for text in ("to lead", "to give a card back"))
    return {"says out": "out: forgot" in note, "says passed": "✋ passed" in note, "says leads": leads}


def facts_of(table: Table, state: State) -> Json:
    """The same facts, from the state of the match."""
    open_, leads = table.row.status.is_open, None if state.cycle.plays else state.turn
    clock, exchange = table.row.clock, () if state.exchange is None else (state.exchange.gave, state.exchange.back)
    return {
        "direction": state.direction,
        "hand": state.hand_number,
        "turn": None
        if state.turn is None or not open_
        else (state.turn, None if clock is None or table.row.paused_at is not None else clock.due),
        "plays": [
            (seat, list(map(int, play.cards)), describe(play, words_in("en"))) for seat, play in state.cycle.plays
        ],
        "exchange": [(each.seat, each.to, int(each.card)) for each in exchange if each is not None],
        "seats": [
            {
                "cards_left": len(state.hands[seat]) if state.hands else 0,
                "total": state.totals[seat],
                "is_turn": seat == state.turn,
                "passed": seat in state.cycle.passed,
                "last_card": seat in state.declared and bool(state.hands[seat]),
                "says out": open_ and seat in state.out,
                "says passed": open_ and seat in state.cycle.passed and seat not in state.out,
                "says leads": open_ and seat == leads,
            }
            for seat in range(state.size)
        ],
    }


def test_the_deciding_hand_is_named() -> None:
    usual = next(each for each in tables() if each.row.status is Status.PLAYING and each.turn is not None)
    assert usual.state is not None
    titles = [
        update(replace(usual, state=replace(usual.state, deciding=deciding)), STRANGER, words_in("en"))["hand_title"]
        for deciding in (False, True)
    ]
    assert titles == ["Hand 1", "Hand 1 · deciding hand"]


def test_a_closed_table_says_why() -> None:
    closed = next(each for each in tables() if each.row.status is Status.CLOSED and each.public is not None)
    host, manager = closed.row.host_id, 998
    notices = [
        update(replace(closed, row=replace(closed.row, **why)), STRANGER, words_in("en"))["notice"]
        for why in ({"ended": "agreed", "closed_by_id": host}, {"closed_by_id": manager}, {"ended": "deserted"})
    ]
    assert notices == [
        "This table is closed.\nThe players agreed to end the match.",
        "This table is closed.",
        "This table is closed.\nNobody has been here for a long time.",
    ]
    named = replace(closed, row=replace(closed.row, seats=people("Ana", "Ben", "Chris"), closed_by_id=101))
    assert update(named, STRANGER, words_in("en"))["notice"] == "This table is closed.\nClosed by Ana."
