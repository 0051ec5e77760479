"""Where hints are allowed, and the reasons for moves."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, Final

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
    Reason,
    TooLong,
    Unbeatable,
    WorthMoreLater,
)
from bot.analysis.prepared_match import LEARNER, PreparedMatch
from bot.analysis.puzzle import cards_of, moves_of
from bot.engine import (
    Cards,
    Combination,
    GiveBack,
    Kind,
    Pass,
    Phase,
    Play,
    View,
    combination_table,
    parse_card,
    parse_cards,
    view,
)
from bot.engine.cards import holds
from bot.engine.combinations import Combinations, answers, find
from bot.engine.errors import NotYourTurn
from bot.engine.legality import plays
from bot.players import expert
from bot.table.model import Seat, TableSettings
from bot.table.refusals import IsPaused, NoHints, OutdatedAction
from tests.not_none import not_none
from tests.players.positions import seen, states

PAIRS: Final = 300

OTHERS = ("2G 2Y 2R 4G 4Y", "6G 6Y 6R 8G 8Y", "9G 9Y 9R 5G 5Y")
"""Hands of five cards."""


def position(*hands: str, moves: tuple[str, ...] = ()) -> View:
    """The view of the seat to act, after moves of the first hand. The seat with the multicolored 1 leads."""
    state = not_none(PreparedMatch.deal(hands).played(moves).table.state)
    return view(state, not_none(state.turn), with_played=True)


def move(found: View, text: str) -> Play | Pass:
    """A play of these cards, or a pass."""
    return Pass(found.seat) if text == "pass" else Play(found.seat, parse_cards(text))


def reason(found: View, better: str, other: str) -> Reason | None:
    """The reason why a move is better than another."""
    return hints.hint(found, move(found, better), move(found, other)).reason


def is_true(each: Reason, found: View, text: str) -> bool:
    return hints.is_true(each, found, move(found, text))


def combination(cards: str) -> Combination:
    return not_none(combination_table().identify(parse_cards(cards)))


def test_the_last_play_wins() -> None:
    assert reason(position("1M 1G", *OTHERS), "1G 1M", "1M") == GoesOut()


def test_a_play_that_nothing_beats_keeps_the_lead() -> None:
    found = position("1M 10R 3G", *OTHERS, moves=("1M", "2G", "6G", "9G"))
    assert reason(found, "10R", "pass") == Unbeatable()


def test_the_plays_that_beat_it_are_named() -> None:
    found = position("1M 10R 3G", "DR 2G 2R 2Y 1G", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert reason(found, "10R", "pass") == BeatenOnlyBy((combination("DR"),))


def test_only_gangs_beat_the_dragon() -> None:
    found = position("1M DR 3G", "8R 2G 2R 2Y 1G 1Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert reason(found, "DR", "pass") == Unbeatable()
    found = position("1M DR 3G", "8R 8R 2G 2R 2Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert reason(found, "DR", "pass") == BeatenOnlyBy(())


def test_a_block_does_not_hide_other_plays_of_the_hand() -> None:
    found = position("1M 1G 3G", "2R 3R 5R", *OTHERS[1:], moves=("1M",))
    blocked = replace(found, situation=not_none(found.situation)._replace(blocked=2))
    assert [each.cards for each in blocked.plays()] == [parse_cards("5R")]
    assert not is_true(Lowest(), blocked, "5R")
    assert not is_true(LowestOfKind(), blocked, "5R")


def test_the_first_lead_is_compared_with_the_whole_hand() -> None:
    found = position("1M 1G 3G 3Y 8R", *OTHERS)
    assert all(parse_card("1M") in each.cards for each in found.plays())
    assert not is_true(Lowest(), found, "1M")
    assert not is_true(LowestOfKind(), found, "1M")
    assert not is_true(Longest(), position("1M 1G 3G 4G 5Y 6R 7R", *OTHERS), "1G 1M")
    assert is_true(Lowest(), position("1M 2G 3G 3Y 8R", *OTHERS), "1M")


def test_a_gang_is_beaten_by_a_higher_one() -> None:
    found = position("1M 3G 3G 3R 3Y 5R", "8R 8R 2G 2R 2Y", *OTHERS[1:], moves=("1M", "2G", "6G", "9G"))
    assert reason(found, "3G 3G 3R 3Y", "pass") == BeatenByHigherGang()


def test_a_player_who_is_about_to_finish_is_noticed() -> None:
    leads = position("1M 1G 3G 3Y", "2G", *OTHERS[1:])
    assert reason(leads, "1G 1M", "1M") == TooLong(1, 1)
    follows = position("3G 3Y 10R", "1M 7G", *OTHERS[1:], moves=("1M!", "pass", "pass"))
    assert reason(follows, "10R", "pass") == Finishing(1, 1)


def test_nothing_higher_is_kept_back_from_a_player_who_is_about_to_finish() -> None:
    leads = position("1M 3G 3Y 8R 9G", "10R", *OTHERS[1:], moves=("1M", "pass", "pass", "pass"))
    assert reason(leads, "9G", "8R") == Highest(1, 1)
    for lower in ("8R", "3G 3Y"):
        assert not is_true(Highest(1, 1), leads, lower)


def test_the_strongest_combination_is_kept_together() -> None:
    gang = combination("7G 7Y 7R 7R")
    found = position("1M 3G 7G 7Y 7R 7R", *OTHERS, moves=("1M", "2G", "pass", "pass"))
    assert reason(found, "3G", "7G") == Keeps(gang)
    assert not is_true(Keeps(gang), found, "7Y")
    found = position("1M 7G 7Y 7R 7R", *OTHERS, moves=("1M", "4G", "pass", "pass"))
    assert reason(found, "pass", "7G") == Keeps(gang)


def test_a_combination_that_is_played_whole_is_not_broken_up() -> None:
    found = position("1M 3G 7G 7Y 7R 7R", *OTHERS, moves=("1M", "pass", "pass", "pass"))
    assert is_true(Keeps(combination("7G 7Y 7R 7R")), found, "7G 7Y 7R 7R")


def test_low_and_lonely_cards_are_played_first() -> None:
    found = position("1M 3G 5G 8R 8R 10G", *OTHERS, moves=("1M", "2G", "pass", "pass"))
    assert reason(found, "3G", "pass") == Alone(parse_card("3G"))
    assert reason(found, "3G", "5G") == Lowest(), "both belong to nothing"
    assert reason(found, "3G", "8R") == Alone(parse_card("3G"))


def test_the_longest_lead_is_named() -> None:
    assert reason(position("1M 1G 3G 5R", *OTHERS), "1G 1M", "1M") == Longest()
    leads = position("1M 3G 3Y 8R 8R 9G", *OTHERS, moves=("1M", "pass", "pass", "pass"))
    assert reason(leads, "3G 3Y", "9G") == Longest()
    assert reason(leads, "3G 3Y", "8R 8R") == LowestOfKind(), "both are long"


def test_a_pass_is_explained() -> None:
    found = position("1M 3G DR", *OTHERS, moves=("1M", "4G", "pass", "pass"))
    assert reason(found, "pass", "DR") == WorthMoreLater(combination("DR"))


def test_without_another_move_there_is_no_reason() -> None:
    found = position("1M 3G 3Y", "DR 2G 2Y", *OTHERS[1:], moves=("1M", "DR", "pass", "pass"))
    assert hints.hint(found, Pass(0), None).reason is None, "the hand says that nothing beats it"


def test_a_card_given_back_belongs_to_nothing() -> None:
    found = position("1M 3G 5R 7G 7Y 7R 7R", *OTHERS)
    given, lonely, of_the_gang = (GiveBack(0, parse_card(card)) for card in ("3G", "5R", "7G"))
    assert hints.hint(found, given, of_the_gang).reason == Keeps(combination("7G 7Y 7R 7R"))
    assert hints.hint(found, given, lonely).reason is None


def test_a_reason_is_never_as_true_of_the_other_move() -> None:
    """The sentences are checked against the cards, without the functions that choose them."""
    given = as_true = 0
    for found, better, other in pairs():
        each = hints.hint(found, better, other).reason
        if each is not None:
            assert says_the_truth(each, found, better)
            assert not (isinstance(each, Keeps) and holds(cards_of(better), each.combination.cards))
            as_true += says_the_truth(each, found, other)
            given += 1
    assert as_true == 0
    assert given > PAIRS / 2


def pairs() -> Iterator[tuple[View, Play | Pass, Play | Pass]]:
    """Positions with a strong move and another one."""
    chance = Random("pairs")
    views = [seen(state) for state in states("reasons", 3 * PAIRS) if state.phase is Phase.PLAY]
    for found in [each for each in views if len(moves_of(each)) > 1][:PAIRS]:
        better = expert.choose(found)
        if isinstance(better, Play | Pass):
            yield found, better, chance.choice([each for each in moves_of(found) if cards_of(each) != cards_of(better)])


def says_the_truth(each: Reason, found: View, move: Play | Pass) -> bool:
    """True if the sentence of a reason is true of a move."""
    cards = cards_of(move)
    rest = Counter(found.hand) - Counter(cards)
    match each:
        case Keeps(combination=kept):
            return Counter(kept.cards) <= rest or Counter(kept.cards) <= Counter(cards)
        case WorthMoreLater(combination=kept):
            return Counter(kept.cards) <= rest
        case Alone():
            return len(cards) == 1 and sum(cards[0] in one.cards for one in combinations(found, found.hand)) == 1
        case Lowest() | LowestOfKind() if not cards:
            return True  # the stronger ones remain
        case _:
            return bool(cards) and says_the_truth_about(each, found, cards)


def says_the_truth_about(each: Reason, found: View, cards: Cards) -> bool:
    """The same for a play."""
    played = not_none(combination_table(found.public.match.options.flush_order).identify(cards))
    mine = plays(not_none(found.situation)._replace(blocked=None, opening=False))
    longest = max(left for seat, left in enumerate(found.public.left) if seat != found.seat)
    beating = [one for one in answers(combinations(found, found.unseen), played) if one.size <= longest]
    no_gangs = [one for one in beating if one.kind is not Kind.GANG]
    match each:
        case Lowest():
            return played == min(mine)
        case LowestOfKind():
            return played == min(one for one in mine if one.kind is played.kind)
        case Longest():
            return not found.public.cycle.plays and len(cards) == max(one.size for one in mine)
        case Unbeatable():
            return not beating
        case BeatenOnlyBy(plays=named):
            return len(no_gangs) <= len(named)
        case BeatenByHigherGang():
            return not no_gangs
        case TooLong(left=left):
            return not found.public.cycle.plays and left < len(cards)
        case Finishing(seat=seat):
            return found.public.cycle.plays[-1][0] == seat
        case Highest(left=left):
            return left == len(cards) and played == max(one for one in mine if one.size == len(cards))
        case _:
            return len(cards) == len(found.hand)


def combinations(found: View, cards: Cards) -> Combinations:
    return find(cards, found.public.match.options.flush_order)


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
