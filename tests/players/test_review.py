"""The cost of moves: certain where a play wins, without a look at hidden cards."""

import sys
from random import Random
from typing import Final

import pytest

from bot.analysis.puzzle import cards_of, moves_of
from bot.base.worker_process import Worker
from bot.engine import Pass, Phase, Play, State
from bot.players.compiled.review import Reviewer
from bot.players.levels import Level, choose, seed_of
from bot.players.strongest import cost_of, warm_up
from bot.services.puzzle import puzzle_book
from bot.services.thinking import WARM_UP_SECONDS
from tests.players.positions import dealt_again, played, seen, states

pytestmark = pytest.mark.usefixtures("machine_code")

REVIEWER: Final = Reviewer(worlds=20)


def plays_of(state: State) -> list[Play]:
    """The legal plays, which declare the last card."""
    found = seen(state)
    return [
        Play(found.seat, each.cards, last_card=len(found.hand) - each.size == 1)
        for each in (found.plays() if state.phase is Phase.PLAY else ())
    ]


def test_a_missed_win_costs_points_and_the_win_none() -> None:
    winning = 0
    for state, _ in played("wins"):
        found, plays = seen(state), plays_of(state)
        wins = [play for play in plays if len(play.cards) == len(found.hand)]
        if not wins or not (len(plays) > 1 or found.may_pass):
            continue
        other = Pass(found.seat) if found.may_pass else next(play for play in plays if play not in wins)
        best, missed = REVIEWER.cost(found, wins[0], 1), REVIEWER.cost(found, other, 1)
        assert best is not None
        assert missed is not None
        assert best[1] <= 0
        assert missed[1] >= 0
        winning += missed[1] > 0
    assert winning >= 10


def test_the_own_choice_of_a_master_costs_nothing() -> None:
    compared = 0
    for state in states("own choice", 30):
        found = seen(state)
        own = choose(Level.MASTER, found, seed_of(found))
        if isinstance(own, Play | Pass):
            cost = REVIEWER.cost(found, own, seed_of(found))
            assert cost in (None, (own, 0, 0))
            compared += cost is not None
    assert compared > 10


def test_the_only_move_has_no_cost() -> None:
    only = next(each for each in states("only", 500) if each.phase is Phase.PLAY and not plays_of(each))
    assert REVIEWER.cost(seen(only), Pass(seen(only).seat), 1) is None


def test_hidden_cards_do_not_change_a_cost() -> None:
    chance = Random("review")
    for state in states("review", 50):
        for play in plays_of(state)[:1]:
            cost = REVIEWER.cost(seen(state), play, 7)
            assert cost == REVIEWER.cost(seen(dealt_again(state, chance)), play, 7)


async def test_nothing_is_left_to_compile_after_the_warm_up() -> None:
    worker = Worker("warm-up")  # a process in which nothing is compiled yet
    left = await worker.call(WARM_UP_SECONDS, compiled_by_reviews)
    await worker.close()
    assert left == []


def compiled_by_reviews() -> list[str]:
    """The functions that a process compiles or loads after its warm-up, for the moves of some hands."""
    warm_up()
    before = compiled_functions()
    for state in states("warm", 20):
        choose(Level.MASTER, seen(state), 1)
        for play in plays_of(state)[:2]:
            cost_of(seen(state), play, 1)
    return sorted(compiled_functions() - before)


def compiled_functions() -> set[str]:
    """The compiled functions of this process, with the types of their arguments."""
    modules = [module for name, module in sys.modules.items() if name.startswith("bot.players.compiled.")]
    functions = [each for module in modules for each in vars(module).values() if hasattr(each, "signatures")]
    return {f"{each.__name__}{signature}" for each in functions for signature in each.signatures}


def test_puzzles_are_confirmed() -> None:
    reviewer, book = Reviewer(worlds=400), puzzle_book()
    for number in (1, book.total // 2, book.total):
        found = book.get(number)
        worst = max(moves_of(found.view), key=lambda move: found.costs[cards_of(move)])
        costs = [reviewer.cost(found.view, move, 1) for move in (found.best, worst)]
        (_, least, error), (_, most, other_error) = [cost for cost in costs if cost is not None]
        assert least <= 2 * error
        assert most > 2 * other_error
