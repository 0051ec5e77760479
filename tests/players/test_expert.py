"""The expert values moves as the compiled heuristic does."""

import numpy as np
import pytest

from bot.engine import Pass, Phase, Play, combination_table, view
from bot.players import expert
from bot.players.bits import PLAYS
from bot.players.compiled.heuristic import weigh
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.moves import list_moves, new_scratch
from bot.players.compiled.position import hand_of
from bot.players.heuristic_weights import TUNED_WEIGHTS
from tests.players.positions import seen, states


def test_values_are_those_of_the_compiled_heuristic() -> None:
    lookups, scratch = make_lookups(), new_scratch()
    for state in states("equal", 1000):
        view = seen(state)
        if state.phase is not Phase.PLAY or view.may_declare:
            continue
        hand, index_of = hand_of(view), combination_table(state.match.options.flush_order).index_of
        total = list_moves(lookups, hand, scratch)
        weigh(lookups, hand, scratch, TUNED_WEIGHTS, total)
        compiled = {int(scratch.moves[index]): float(scratch.values[index]) for index in range(total)}
        moves, values = expert.weigh(view)
        numbers = [index_of[move.cards] if isinstance(move, Play) else -1 for move in moves]
        assert sorted(numbers) == sorted(move for move in compiled if move < PLAYS)
        assert [compiled[number] for number in numbers] == pytest.approx(list(values), abs=1e-3)


def test_moves_are_all_legal_ones() -> None:
    for state in states("legal", 200):
        view = seen(state)
        moves, values = expert.weigh(view)
        assert len(moves) == len(values)
        assert np.isfinite(values).all()
        if view.may_give_back:
            assert len(moves) == len(set(view.hand))
        else:
            assert {move.cards for move in moves if isinstance(move, Play)} == {play.cards for play in view.plays()}
            assert (Pass(view.seat) in moves) == view.may_pass


def test_a_view_without_the_cards_played_is_not_enough() -> None:
    state = next(state for state in states("views", 100) if not seen(state).may_declare)
    assert state.turn is not None
    for choose in (expert.choose, lambda shown: expert.choose_for_club(shown, 1)):
        with pytest.raises(ValueError, match="lacks the cards played"):
            choose(view(state, state.turn))
