"""The beginner, a match for a child: it often plays at random, and sometimes forgets its last card."""

from dataclasses import replace
from random import Random
from typing import Final

from bot.engine import Declare, GiveBack, Pass, Play, View
from bot.engine.moves import ChosenMove
from bot.players import simple

AT_RANDOM: Final = 0.5
"""The probability of a random move."""
FORGETS: Final = 0.25
"""The probability of forgetting to declare the last card."""


def choose(view: View, seed: int) -> ChosenMove:
    """The move of the seat to act."""
    chance = Random(seed)  # noqa: S311  # it decides how well the player plays
    move = simple.choose(view)
    if view.may_give_back:
        return GiveBack(view.seat, chance.choice(view.hand))
    if isinstance(move, Declare):
        return move if chance.random() >= FORGETS else _play_on(view, chance)
    if chance.random() < AT_RANDOM:
        move = _play_on(view, chance)
    if isinstance(move, Play) and move.last_card and chance.random() < FORGETS:
        return replace(move, last_card=False)
    return move


def _play_on(view: View, chance: Random) -> Play | Pass:
    """A random play or pass."""
    plays = view.plays()
    chosen = chance.randrange(len(plays) + view.may_pass)
    if chosen == len(plays):
        return Pass(view.seat)
    cards = plays[chosen].cards
    return view.playing(cards)
