"""Players choose from what their seat may know, and play whole matches by the rules."""

import subprocess
import sys
from random import Random
from typing import Final

import pytest

from bot.engine import EDITIONS, Declare, Options, Phase, Play, View, advance
from bot.engine.cards import is_gang
from bot.players import simple
from bot.players.beginner import FEW
from bot.players.levels import Level, choose, seed_of
from tests.players.positions import dealt_again, seen, start, states

QUICK: Final = tuple(level for level in Level if level is not Level.MASTER)
POSITIONS: Final = 1000


def test_levels_without_sight_of_hidden_cards_choose_the_same() -> None:
    chance = Random("hidden")
    for state in states("hidden", POSITIONS):
        view, other = seen(state), seen(dealt_again(state, chance))
        assert seed_of(view) == seed_of(other)
        for level in QUICK:
            assert choose(level, view, 1) == choose(level, other, 1)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [3, 4])
def test_all_levels_play_a_match_to_its_end(edition: str, seats: int) -> None:
    for level in QUICK:
        state, seed = start(f"{edition} {seats}", Options.of(edition, {"target": 15}), seats)
        while state.phase is not Phase.OVER:
            view = seen(state)
            state, _ = advance(state, choose(level, view, seed_of(view)), seed)
        assert state.ranking


def test_beginners_sometimes_forget_their_last_card() -> None:
    views = [view for state in states("forget", 1500) if _leaves_one(view := seen(state))]
    assert views
    for view in views[:10]:
        moves = [choose(Level.BEGINNER, view, seed) for seed in range(60)]
        leaving = [move for move in moves if isinstance(move, Play) and len(view.hand) - len(move.cards) == 1]
        assert {move.last_card for move in leaving} == {True, False}
        move = choose(Level.SIMPLE, view, 1)
        assert isinstance(move, Play)
        assert move.last_card


def test_beginners_go_out_whenever_they_can() -> None:
    chances = [view for state in states("out", 3000) if _goes_out(view := seen(state))]
    assert len(chances) > 20
    for view in chances:
        for seed in range(5):
            move = choose(Level.BEGINNER, view, seed)
            assert isinstance(move, Play)
            assert len(move.cards) == len(view.hand)


def _goes_out(view: View) -> bool:
    return not view.may_declare and any(play.size == len(view.hand) for play in view.plays())


def test_beginners_keep_gangs_and_like_single_cards() -> None:
    views = [view for state in states("child", 1500) if len((view := seen(state)).hand) > FEW and view.plays()]
    moves = [(view, choose(Level.BEGINNER, view, seed)) for view in views for seed in range(3)]
    played = [(view, move.cards) for view, move in moves if isinstance(move, Play) and len(view.plays()) > 1]
    gangs = [
        cards for view, cards in played if is_gang(cards) and not all(is_gang(each.cards) for each in view.plays())
    ]
    assert gangs == []
    leads = [len(cards) for view, cards in played if not view.public.cycle.plays and not view.public.opening]
    assert leads.count(1) > len(leads) / 2


def _leaves_one(view: View) -> bool:
    move = simple.choose(view)
    return isinstance(move, Play) and len(view.hand) - len(move.cards) == 1


def test_seeds_differ_from_move_to_move() -> None:
    seeds = {seed_of(seen(state)) for state in states("seeds", 500)}
    assert len(seeds) > 490


def test_only_stronger_players_load_libraries() -> None:
    program = "import sys; from bot.players.levels import Level, choose; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numpy", "numba"} & set(run.stdout.split())


def test_without_numba_a_master_plays_as_an_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.players.compiled.master", None)
    for state in states("no numba", 20):
        view = seen(state)
        assert choose(Level.MASTER, view, 1) == choose(Level.EXPERT, view, 1)


def test_every_level_has_one_below() -> None:
    assert [level.below for level in Level] == [Level.BEGINNER, *list(Level)[:-1]]
    assert [level for level in Level if level.is_quick] == [Level.BEGINNER, Level.SIMPLE]


def test_a_card_is_declared_before_it_is_played() -> None:
    owing = [view for state in states("declare", 2500) if (view := seen(state)).may_declare]
    assert owing
    for view in owing:
        for level in (Level.SIMPLE, Level.CLUB, Level.EXPERT):
            assert choose(level, view, 1) == Declare(view.seat)
