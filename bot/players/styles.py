"""The styles of AI players: what each likes besides the value of a move.

What a style likes is added to the values. The numbers are large enough to show, and small enough that each style wins
as often as any other (docs/strength.md). The quick levels have no style, because they don't compare values.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from bot.engine import Cards, Pass, Play, View
from bot.engine.cards import DRAGON_RANK, SMALLEST_GANG, is_gang
from bot.engine.moves import ChosenMove


class Style(StrEnum):
    """A style. Tables store it, so values must not change."""

    STEADY = "steady"
    """The best move, whatever it is."""
    BOLD = "bold"
    """Long leads, high answers, and gangs at once, to take control; it passes only if that is much better."""
    STINGY = "stingy"
    """Short leads and low answers; it would rather pass than spend a high card."""
    HOARDER = "hoarder"
    """Gangs late, and never broken up if that can be helped."""


class Taste(NamedTuple):
    """The likings of a style, in plays: 1 makes up for needing one more play."""

    lead: float = 0.0
    """For each card of a lead."""
    answer: float = 0.0
    """For an answer with the highest cards, and less for lower ones."""
    passing: float = 0.0
    gang: float = 0.0
    early_gang: float = 0.0
    """For a gang with a full hand, and less with fewer cards."""
    broken_gang: float = 0.0
    """For playing only some cards of a gang."""


TASTES: Final = {
    Style.STEADY: Taste(),
    Style.BOLD: Taste(lead=0.2, answer=0.3, passing=-2.5, gang=2.0),
    Style.STINGY: Taste(lead=-0.4, answer=-1.0, passing=2.5),
    Style.HOARDER: Taste(early_gang=-3.5, broken_gang=-4.0),
}
AnyMove = TypeVar("AnyMove", bound=ChosenMove)


def favorite(
    style: Style, view: View, moves: Sequence[AnyMove], values: Sequence[float], play_value: float = 1.0
) -> AnyMove:
    """The move with the highest value, with what the style likes. `play_value`: the value of needing one play less."""
    liked = likings(style, view, moves)
    return moves[max(range(len(moves)), key=lambda index: values[index] + play_value * liked[index])]


def likings(style: Style, view: View, moves: Sequence[ChosenMove]) -> list[float]:
    """How much a style likes each move, in plays. It likes all gifts equally."""
    if style is Style.STEADY:
        return [0.0] * len(moves)
    taste, copies = TASTES[style], Counter(card.rank for card in view.hand)
    gangs = {rank for rank, number in copies.items() if number >= SMALLEST_GANG}
    return [_liking(taste, view, gangs, move) for move in moves]


def _liking(taste: Taste, view: View, gangs: set[int], move: ChosenMove) -> float:
    match move:
        case Play(_, cards) if is_gang(cards):
            return taste.gang + taste.early_gang * len(view.hand) / 16
        case Play(_, cards):
            liked = _answer(taste, cards) if view.public.cycle.plays else taste.lead * len(cards)
            return liked + taste.broken_gang * (not gangs.isdisjoint(card.rank for card in cards))
        case Pass():
            return taste.passing
        case _:
            return 0.0


def _answer(taste: Taste, cards: Cards) -> float:
    return taste.answer * sum(card.rank for card in cards) / (DRAGON_RANK * len(cards))
