"""The pause before an AI player moves: longer for decisions that take people longer.

It depends only on what everyone at the table knows, and on chance, so it reveals nothing about the hand.
"""

from random import Random
from typing import Final

from bot.engine import Combination, Kind, Phase, PublicView

CHANCE: Final = 0.25
"""The share by which chance makes a pause shorter or longer."""
FORCED: Final = 0.6
"""The pause if everyone can see that the seat must pass."""
GIVE_BACK: Final = 1.4
FOLLOW: Final = 0.8
FIVE: Final = 0.2
"""An answer to five cards takes longer."""
GANG: Final = 0.7
"""So does an answer to a gang."""
LEAD: Final = 1.0
MANY_CARDS: Final = 0.5
"""A lead takes longer with many cards, the longest with all sixteen."""
NEAR_END: Final = 0.5
"""Any decision takes longer when another player has at most three cards."""


def ai_pause(public: PublicView, moment: str) -> float:
    """The pause before the seat to act moves, as a multiple of the usual one. `moment` names the turn, for chance."""
    chance = Random(moment)  # noqa: S311  # it only varies the pause
    return _usual(public) * chance.uniform(1 - CHANCE, 1 + CHANCE)


def _usual(public: PublicView) -> float:
    if public.turn is None or public.phase is Phase.EXCHANGE:
        return GIVE_BACK
    left, to_beat = public.left[public.turn], public.cycle.to_beat
    if to_beat is not None and left < (to_beat.size if to_beat.kind is Kind.GANG else min(to_beat.size, 4)):
        return FORCED
    others = [cards for seat, cards in enumerate(public.left) if seat not in public.out | {public.turn}]
    usual = LEAD + MANY_CARDS * left / 16 if to_beat is None else _answer(to_beat)
    return usual + NEAR_END * (min(others, default=16) <= 3)


def _answer(to_beat: Combination) -> float:
    return FOLLOW + FIVE * (to_beat.size >= 5) + GANG * (to_beat.kind is Kind.GANG)
