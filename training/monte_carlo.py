"""The determinized Monte Carlo player: it tries promising moves in possible deals, continued by heuristics."""

from typing import Final

import numpy as np

from bot.players.bits import Floats
from bot.players.compiled.hand import Hand
from bot.players.compiled.jit import jit
from bot.players.compiled.lookups import Lookups
from bot.players.compiled.match import Chance
from bot.players.compiled.moves import Scratch
from bot.players.compiled.playouts import Trials, shortlist, try_moves

WORLDS: Final = 60
"""Deals in which each move is tried."""


@jit
def choose_monte_carlo(
    lookups: Lookups, hand: Hand, scratch: Scratch, weights: Floats, trials: Trials, chance: Chance
) -> int:
    """The move with the best mean result: the others' points less the own ones."""
    total = shortlist(lookups, hand, scratch, weights, trials)
    if total == 1:
        return trials.moves[0]
    results = np.empty((total, WORLDS), np.float32)
    try_moves(lookups, hand, scratch, weights, trials, trials.moves[:total], results, chance)
    return trials.moves[results.sum(axis=1).argmax()]
