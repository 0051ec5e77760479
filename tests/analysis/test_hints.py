"""Where hints are allowed, and the reasons for moves."""

from dataclasses import replace
from typing import Any

import pytest

from bot.analysis import hints
from bot.analysis.hints import (
    Alone,
    BeatenByHigherGang,
    BeatenOnlyBy,
    Finishing,
    GoesOut,
    Highest,
    Keeps,
    Longest,
    Lowest,
    LowestOfKind,
    OnlyAnswer,
    Reason,
    TooLong,
    Unbeatable,
    WorthMoreLater,
)
from bot.analysis.prepared_match import LEARNER, PreparedMatch
from bot.engine import (
    Combination,
    Declare,
    GiveBack,
    Pass,
    Play,
    View,
    combination_table,
    parse_card,
    parse_cards,
    view,
)
from bot.engine.errors import NotYourTurn
from bot.table.model import Seat, TableSettings
from bot.table.refusals import IsPaused, NoHints, OutdatedAction
from tests.not_none import not_none

OTHERS = ("2G 2Y 2R 4G 4Y", "6G 6Y 6R 8G 8Y", "9G 9Y 9R 5G 5Y")
"""Hands of five cards."""


def position(*hands: str, moves: tuple[str, ...] = ()) -> View:
    """The view of the seat to act, after moves of the first hand. The seat with the multicolored 1 leads."""
    state = not_none(PreparedMatch.deal(hands).played(moves).table.state)
    return view(state, not_none(state.turn), with_played=True)


def play(found: View, cards: str) -> tuple[Reason, ...]:
    """The reasons for playing cards."""
    return hints.hint(found, Play(found.seat, parse_cards(cards))).reasons


def combination(cards: str) -> Combination:
    return not_none(combination_table().identify(parse_cards(cards)))


def test_the_last_play_wins() -> None:
    assert play(position("1M 1G", *OTHERS), "1G 1M") == (GoesOut(),)


def test_a_play_that_nothing_beats_keeps_the_lead() -> None:
    found = position("1M 10R 3G", *OTHERS, moves=("1M", "2G", "6G", "9G"))
    assert play(found, "10R")[0] == Unbeatable()


def test_the_plays_that_beat_it_are_named() -> None:
    found = position("1M 10R 3G", "DR 2G 2R 2Y 1G", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert play(found, "10R")[0] == BeatenOnlyBy((combination("DR"),))


def test_only_gangs_beat_the_dragon() -> None:
    found = position("1M DR 3G", "8R 2G 2R 2Y 1G 1Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert play(found, "DR")[0] == Unbeatable()
    found = position("1M DR 3G", "8R 8R 2G 2R 2Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert play(found, "DR")[0] == BeatenOnlyBy(())


def test_a_block_does_not_hide_other_plays_of_the_hand() -> None:
    found = position("1M 1G 3G", "2R 3R 5R", *OTHERS[1:], moves=("1M",))
    blocked = replace(found, situation=not_none(found.situation)._replace(blocked=2))
    assert [each.cards for each in blocked.plays()] == [parse_cards("5R")]
    assert not {OnlyAnswer(), Lowest(), LowestOfKind()} & set(play(blocked, "5R"))


def test_the_first_lead_is_compared_with_the_whole_hand() -> None:
    found = position("1M 1G 3G 3Y 8R", *OTHERS)
    assert all(parse_card("1M") in each.cards for each in found.plays())
    assert not {Lowest(), LowestOfKind()} & set(play(found, "1M"))
    assert Longest() not in play(position("1M 1G 3G 4G 5Y 6R 7R", *OTHERS), "1G 1M")
    assert Lowest() in play(position("1M 2G 3G 3Y 8R", *OTHERS), "1M")


def test_a_gang_is_beaten_by_a_higher_one() -> None:
    found = position("1M 3G 3G 3R 3Y 5R", "8R 8R 2G 2R 2Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert play(found, "3G 3G 3R 3Y")[0] == BeatenByHigherGang()


def test_a_player_who_is_about_to_finish_is_noticed() -> None:
    leads = position("1M 1G 3G 3Y", "2G", *OTHERS[1:])
    assert TooLong(1, 1) in play(leads, "1G 1M")
    follows = position("3G 3Y 10R", "1M 7G", *OTHERS[1:], moves=("1M!", "pass", "pass"))
    assert play(follows, "10R")[0] == Finishing(1, 1)


def test_nothing_higher_is_kept_back_from_a_player_who_is_about_to_finish() -> None:
    leads = position("1M 3G 3Y 8R 9G", "10R", *OTHERS[1:], moves=("1M", "pass", "pass", "pass"))
    assert play(leads, "9G")[0] == Highest(1, 1)
    for lower in ("8R", "3G 3Y"):
        assert Highest(1, 1) not in play(leads, lower)


def test_the_strongest_combination_is_kept_together() -> None:
    found = position("1M 3G 7G 7Y 7R 7R", *OTHERS, moves=("1M", "2G", "pass", "pass"))
    assert Keeps(combination("7G 7Y 7R 7R")) in play(found, "3G")
    found = position("1M 7G 7Y 7R 7R", *OTHERS, moves=("1M", "4G", "pass", "pass"))
    assert hints.hint(found, Pass(0)).reasons == (Keeps(combination("7G 7Y 7R 7R")),)


def test_without_another_reason_a_pair_is_kept_or_many_cards_are_played() -> None:
    hands = ("1M 1R 3R 7G 9R 9R 10R", "8Y 2G 2Y 2R 4R PG PY", "6G 6Y 6R 8G 8Y DR 10Y", "9G 9Y 10Y 5G 5Y 10R 10G")
    assert play(position(*hands, moves=("1M", "8Y", "pass", "pass")), "10R") == (Keeps(combination("9R 9R")),)
    hands = ("1M 5G 5Y 5Y 8G 8R 8R", "2G 2Y 2R 3G 3Y 3R 4R 4G 1G 1Y", "6G 6Y 6R 8Y 8Y 9R 9R", "9G 9Y 6Y 7Y 7R 7R 7G")
    found = position(*hands, moves=("1M", "2G", *["pass"] * 3, "3G 3Y 3R 1G 1Y", "pass", "pass"))
    assert play(found, "5G 5Y 5Y 8R 8R") == (Longest(),)


def test_low_and_lonely_cards_are_played_first() -> None:
    found = position("1M 3G 8R 8R 10G", *OTHERS, moves=("1M", "2G", "pass", "pass"))
    assert play(found, "3G") == (Alone(parse_card("3G")), Lowest())


def test_the_longest_lead_is_named() -> None:
    assert Longest() in play(position("1M 1G 3G 5R", *OTHERS), "1G 1M")
    leads = position("1M 3G 3Y 8R 8R", *OTHERS, moves=("1M", "pass", "pass", "pass"))
    assert play(leads, "3G 3Y") == (Longest(), LowestOfKind())
    assert play(leads, "8R 8R") == (Longest(),)


def test_the_only_answer_is_named() -> None:
    moves = ("1M", "2G", "pass", "pass", "pass", "8G 8Y", "pass", "pass")
    found = position("1M 3G 3Y 9G 9R", "2G 3R 4R 8G 8Y 10G 10Y", *OTHERS[1:], moves=moves)
    assert play(found, "9G 9R")[-1] == OnlyAnswer()


def test_a_pass_is_explained() -> None:
    found = position("1M 3G 3Y", "DR 2G 2Y", *OTHERS[1:], moves=("1M", "DR", "pass", "pass"))
    assert hints.hint(found, Pass(0)).reasons == (), "the hand says that nothing beats it"
    found = position("1M 3G DR", *OTHERS, moves=("1M", "4G", "pass", "pass"))
    assert hints.hint(found, Pass(0)).reasons == (WorthMoreLater(combination("DR")),)


def test_a_card_given_back_belongs_to_nothing() -> None:
    found = position("1M 3G 7G 7Y 7R 7R", *OTHERS)
    given = hints.hint(found, GiveBack(0, parse_card("3G"))).reasons
    assert given == (Alone(parse_card("3G")), Keeps(combination("7G 7Y 7R 7R")))
    assert hints.hint(found, Declare(0)).reasons == ()


@pytest.mark.parametrize(
    ("change", "allowed"),
    [
        ({}, True),
        ({"settings": TableSettings(hints=False)}, False),
        ({"seats": tuple(Seat(name, number) for number, name in enumerate("abcd"))}, False),
        ({"daily": "2026-01-01"}, False),
        ({"id": 2, "duplicate_of": 1}, False),
        ({"deals_secret": True}, False),
    ],
)
def test_hints_are_only_for_casual_matches_with_deals_of_their_own(change: dict[str, Any], allowed: bool) -> None:
    table = PreparedMatch.deal(("1M 3G", *OTHERS)).table
    assert replace(table.row, **change).allows_hints is allowed


def test_hints_are_for_the_player_who_must_act() -> None:
    table = PreparedMatch.deal(("1M 3G", *OTHERS)).table
    assert hints.require_hints(table, LEARNER, table.moment).played is not None
    with pytest.raises(OutdatedAction):
        hints.require_hints(table, LEARNER, table.moment + 1)
    moved = PreparedMatch.deal(("1M 3G 3Y", *OTHERS)).played(["1M"]).table
    with pytest.raises(NotYourTurn):
        hints.require_hints(moved, LEARNER, moved.moment)
    with pytest.raises(IsPaused):
        hints.require_hints(replace(table, row=replace(table.row, paused_at=1)), LEARNER, table.moment)
    with pytest.raises(NoHints):
        hints.require_hints(replace(table, row=replace(table.row, daily="2026-01-01")), LEARNER, table.moment)
