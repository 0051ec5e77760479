"""The beginner plays like a child, and so that a child can win.

It likes single cards and keeps its high ones for later. It doesn't watch how many cards the others have, and it
sometimes forgets its own "Last card!". But it always goes out when it can.
"""

from dataclasses import replace
from random import Random
from typing import Final

from bot.engine import Combination, Declare, GiveBack, Pass, View
from bot.engine.combinations import Kind
from bot.engine.moves import ChosenMove

FORGETS: Final = 0.25
"""The probability of forgetting to declare the last card."""
LEADS_ONE: Final = 0.65
"""The probability of leading a single card."""
KEEPS: Final = 0.4
"""The probability of passing to keep a high card."""
HIGH: Final = 8
"""The lowest number that it likes to keep."""
FEW: Final = 5
"""From this many cards on it plays gangs and high cards, too."""


def choose(view: View, seed: int) -> ChosenMove:
    """The move of the seat to act."""
    chance = Random(seed)  # noqa: S311  # it decides how well the player plays
    if view.may_give_back:
        return GiveBack(view.seat, view.hand[0])
    if view.may_declare and chance.random() >= FORGETS:
        return Declare(view.seat)
    play = _chosen(view, chance)
    if play is None:
        return Pass(view.seat)
    move = view.playing(play.cards)
    return replace(move, last_card=False) if move.last_card and chance.random() < FORGETS else move


def _chosen(view: View, chance: Random) -> Combination | None:
    """The play that it makes; None to pass."""
    plays = view.plays()
    last = [play for play in plays if play.size == len(view.hand)]
    if last or not plays:
        return last[0] if last else None
    liked = [play for play in plays if len(view.hand) <= FEW or play.kind is not Kind.GANG]
    if not view.public.cycle.plays:
        return _lead(liked or [*plays], chance)
    if not view.may_pass:
        return plays[0]
    if not liked or (len(view.hand) > FEW and liked[0].cards[-1].rank >= HIGH and chance.random() < KEEPS):
        return None
    return liked[0]


def _lead(plays: list[Combination], chance: Random) -> Combination:
    """The lowest single card, or a random play of those with the lowest cards."""
    if chance.random() < LEADS_ONE:
        return plays[0]
    lowest = [play for play in plays if play.cards[0] == plays[0].cards[0]]
    return chance.choice(lowest)
