"""Styles: each differs from steady players in its own direction, and only where moves can be compared."""

from collections import Counter
from random import Random
from statistics import mean
from typing import Final

import pytest

from bot.engine import GiveBack, Pass, Play, View
from bot.players import expert
from bot.players.levels import Level, choose
from bot.players.styles import Style, favorite
from tests.players.positions import dealt_again, seen, states

VIEWS: Final = [view for state in states("styles", 1500) if not (view := seen(state)).may_declare]
Chosen = dict[Style, list[tuple[View, GiveBack | Play | Pass]]]


@pytest.fixture(scope="module")
def chosen() -> Chosen:
    """The moves of an expert of each style in the same positions."""
    found: Chosen = {style: [] for style in Style}
    for view in VIEWS:
        moves, values = expert.weigh(view)
        for style in Style:
            found[style].append((view, favorite(style, view, moves, values.tolist())))
    return found


def leads(chosen: Chosen, style: Style) -> list[int]:
    """The sizes of leads."""
    return [len(move.cards) for view, move in chosen[style] if isinstance(move, Play) and not view.public.cycle.plays]


def answers(chosen: Chosen, style: Style) -> list[float]:
    """The mean ranks of answers."""
    return [
        mean(card.rank for card in move.cards)
        for view, move in chosen[style]
        if isinstance(move, Play) and view.public.cycle.plays
    ]


def passes(chosen: Chosen, style: Style) -> int:
    return sum(isinstance(move, Pass) and bool(view.plays()) for view, move in chosen[style])


def gangs(chosen: Chosen, style: Style) -> tuple[int, int]:
    """The number of gangs played, and of gangs broken up."""
    played = broken = 0
    for view, move in chosen[style]:
        if isinstance(move, Play):
            ranks, hand = {card.rank for card in move.cards}, Counter(card.rank for card in view.hand)
            is_gang = len(ranks) == 1 and len(move.cards) > 3
            played += is_gang
            broken += not is_gang and any(hand[rank] > 3 for rank in ranks)
    return played, broken


def test_bold_players_lead_more_cards_and_answer_higher(chosen: Chosen) -> None:
    assert mean(leads(chosen, Style.BOLD)) > mean(leads(chosen, Style.STEADY)) + 0.05
    assert mean(answers(chosen, Style.BOLD)) > mean(answers(chosen, Style.STEADY))
    assert gangs(chosen, Style.BOLD)[0] > gangs(chosen, Style.STEADY)[0]


def test_stingy_players_lead_fewer_cards_and_pass_more(chosen: Chosen) -> None:
    assert mean(leads(chosen, Style.STINGY)) < mean(leads(chosen, Style.STEADY)) - 0.2
    assert passes(chosen, Style.STINGY) > passes(chosen, Style.STEADY) + 3


def test_gang_hoarders_play_fewer_gangs_and_break_fewer_up(chosen: Chosen) -> None:
    (played, broken), (steady_played, steady_broken) = (gangs(chosen, each) for each in (Style.HOARDER, Style.STEADY))
    assert played < steady_played
    assert broken < steady_broken


def test_steady_players_make_the_best_move(chosen: Chosen) -> None:
    for view, move in chosen[Style.STEADY]:
        moves, values = expert.weigh(view)
        assert move == moves[int(values.argmax())]


def test_styles_give_the_same_cards_back() -> None:
    giving = [view for view in VIEWS if view.may_give_back]
    assert giving
    for view in giving:
        assert len({choose(Level.EXPERT, view, 1, style) for style in Style}) == 1


def test_quick_levels_have_no_style() -> None:
    for level in (Level.BEGINNER, Level.SIMPLE):
        assert not level.has_style
        for view in VIEWS[:50]:
            assert len({choose(level, view, 1, style) for style in Style}) == 1


def test_styles_do_not_see_hidden_cards() -> None:
    chance = Random("styles")
    for state in states("hidden styles", 100):
        view, other = seen(state), seen(dealt_again(state, chance))
        for style in Style:
            assert choose(Level.CLUB, view, 1, style) == choose(Level.CLUB, other, 1, style)
