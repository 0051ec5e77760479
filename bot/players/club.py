"""The club player: it sees what the expert sees, but misjudges moves. It seldom misses much and often a little."""

from random import Random
from typing import Final

from bot.engine import Declare, View
from bot.engine.moves import ChosenMove
from bot.players import expert
from bot.players.styles import Style, favorite

ERROR: Final = 1.4
"""The standard deviation of its errors, in plays."""


def choose(view: View, seed: int, style: Style = Style.STEADY) -> ChosenMove:
    """The move of the seat to act. Raises ValueError if the view lacks the cards played."""
    if view.may_declare:
        return Declare(view.seat)
    chance = Random(seed)  # noqa: S311  # it decides how well the player plays
    moves, values = expert.weigh(view)
    guessed = [value + chance.gauss(0, ERROR) for value in values.tolist()]
    return favorite(style, view, moves, guessed)
