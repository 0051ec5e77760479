"""The club player: it sees what the expert sees, but misjudges moves. It seldom misses much and often a little."""

from random import Random
from typing import Final

import numpy as np

from bot.engine import Declare, GiveBack, Pass, Play, View
from bot.players import expert

ERROR: Final = 1.4
"""The standard deviation of its errors, in plays."""


def choose(view: View, seed: int) -> GiveBack | Declare | Play | Pass:
    """The move of the seat to act. Raises ValueError if the view lacks the cards played."""
    if view.may_declare:
        return Declare(view.seat)
    chance = Random(seed)  # noqa: S311  # it decides how well the player plays
    moves, values = expert.weigh(view)
    guessed = values + np.array([chance.gauss(0, ERROR) for _ in moves])
    return moves[int(guessed.argmax())]
