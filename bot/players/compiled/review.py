"""The cost of a move: its points in many possible deals, continued by experts, compared with a master's move."""

from functools import cache
from typing import Final

import numpy as np

from bot.engine import Pass, Play, View
from bot.players.bits import PLAYS
from bot.players.compiled.hand import PASS
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.master import master
from bot.players.compiled.match import chance_of
from bot.players.compiled.moves import list_moves, new_scratch
from bot.players.compiled.playouts import new_trials, try_moves
from bot.players.compiled.position import hand_of, move_of, number_of
from bot.players.heuristic_weights import TUNED_WEIGHTS

WORLDS: Final = 300
"""Deals in which both moves are tried."""


class Reviewer:
    """The arrays for measuring moves; for one thread."""

    def __init__(self, worlds: int = WORLDS) -> None:
        self._lookups, self._scratch, self._trials = make_lookups(), new_scratch(), new_trials()
        self._worlds = worlds

    def cost(self, view: View, played: Play | Pass, seed: int) -> tuple[Play | Pass, float, float] | None:
        """The fields of a `MoveCost` for a move of the seat to act. None if it was the only one.

        Raises ValueError for a view without its history.
        """
        hand = hand_of(view)
        if list_moves(self._lookups, hand, self._scratch) == 1:
            return None
        best, own = master().search(view, seed)[0], number_of(view, played)
        if best == own or (PASS not in (best, own) and best % PLAYS == own % PLAYS):  # perhaps without "Last card!"
            return played, 0.0, 0.0
        results = np.zeros((2, self._worlds), np.float32)
        moves, chance = np.array([best, own], np.int64), chance_of(seed)
        try_moves(self._lookups, hand, self._scratch, TUNED_WEIGHTS, self._trials, moves, results, chance)
        lost = results[0] - results[1]
        return move_of(view, best), float(lost.mean()), float(lost.std() / len(lost) ** 0.5)


@cache
def reviewer() -> Reviewer:
    """The reviewer of this process."""
    return Reviewer()
