"""The cost of a move: its points in many possible deals, continued by experts, compared with those of other moves."""

from functools import cache
from typing import Final

import numpy as np

from bot.engine import Pass, Play, View
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.match import chance_of
from bot.players.compiled.moves import new_scratch
from bot.players.compiled.playouts import new_trials, shortlist, try_moves
from bot.players.compiled.position import hand_of, move_of, number_of
from bot.players.heuristic_weights import TUNED_WEIGHTS

WORLDS: Final = 300
"""Deals in which moves are tried: half of them find the best move, the other half measure it."""


class Reviewer:
    """The arrays for measuring moves; for one thread."""

    def __init__(self, worlds: int = WORLDS) -> None:
        self._lookups, self._scratch, self._trials = make_lookups(), new_scratch(), new_trials()
        self._worlds = worlds

    def cost(self, view: View, played: Play | Pass, seed: int) -> tuple[Play | Pass, float, float] | None:
        """The fields of a `MoveCost` for a move of the seat to act. None if it was the only one.

        Raises ValueError for a view without its history.
        """
        hand, chance = hand_of(view), chance_of(seed)
        total = shortlist(self._lookups, hand, self._scratch, TUNED_WEIGHTS, self._trials)
        moves = list(map(int, self._trials.moves[:total]))
        own = number_of(view, played)
        if own not in moves:
            moves.append(own)
        if len(moves) == 1:
            return None
        results = np.zeros((len(moves), self._worlds), np.float32)
        try_moves(
            self._lookups, hand, self._scratch, TUNED_WEIGHTS, self._trials, np.array(moves, np.int64), results, chance
        )
        half = self._worlds // 2
        best = int(results[:, :half].mean(1).argmax())
        lost = results[best, half:] - results[moves.index(own), half:]
        return move_of(view, moves[best]), float(lost.mean()), float(lost.std() / len(lost) ** 0.5)


@cache
def reviewer() -> Reviewer:
    """The reviewer of this process."""
    return Reviewer()
