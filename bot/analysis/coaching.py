"""The most expensive moves of a hand or a match: what a player could have done better with what the player could know.

The review of a match also has the turning points of its totals, and luck and skill.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from bot.analysis.par import ParResult
from bot.analysis.replay import ReplayedMatch
from bot.engine import Pass, Play, View, evolve, view
from bot.engine.events import HandEnded, Passed, Played, Undone

MAX_MISTAKES: Final = 3
LEAST_POINTS: Final = 1.0
"""A move that costs fewer points is as good as the best."""
SURE_ERRORS: Final = 2.0
"""A cost must be this many standard errors, or it may be chance."""
MAX_SWINGS: Final = 2
"""Hands that are named as turning points of the totals."""
MAX_HANDS: Final = 40
"""Hands of a match that are reviewed, the latest. Few matches have more."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A play or pass, and what its player knew."""

    moment: int
    """The number of the moment before it, in the replay."""
    turn: int
    """The number of the player's turn in the hand."""
    view: View = field(repr=False)
    move: Play | Pass


@dataclass(frozen=True, slots=True)
class Cost:
    """A decision compared with the move of a master."""

    decision: Decision
    better: Play | Pass
    points: float
    """The mean cost, in points compared with the other players."""
    error: float
    """Its standard error."""


@dataclass(frozen=True, slots=True)
class Review:
    """A player's moves in a hand or a match."""

    decisions: int
    """The plays and passes with a choice."""
    good: int
    """Those that were as good as the best."""
    total: float
    """The sum of all costs, in points. Chance can make it negative."""
    mistakes: tuple[Cost, ...]
    """The most expensive moves, the worst first."""

    @property
    def points(self) -> float:
        """The sum as it is shown, at least 0."""
        return max(0.0, self.total)

    @property
    def mean(self) -> float:
        """The mean cost of a move, in points."""
        return self.points / max(1, self.decisions)


@dataclass(frozen=True, slots=True)
class HandReview:
    """A player's hand."""

    ended: HandEnded
    review: Review
    results: tuple[ParResult, ...] | None
    """Luck and skill of all seats; None if the par isn't known."""


@dataclass(frozen=True, slots=True)
class MatchReview:
    """A player's match."""

    review: Review
    hands: tuple[HandReview, ...]
    """In order; only the latest of a long match."""
    swings: tuple[HandEnded, ...]
    """The hands that changed the player's distance to the others most, the biggest change first."""


def ended_hands(match: ReplayedMatch) -> list[HandEnded]:
    """The results of all hands that were played to their end."""
    return [event for event in match.events if isinstance(event, HandEnded)]


def decisions(match: ReplayedMatch, hand: int, seat: int) -> list[Decision]:
    """The plays and passes of a seat in a hand, without those that were taken back. Empty for an unknown hand."""
    found: list[Decision] = []
    turns = Counter[int]()
    state, length = match.state_after(match.deals.get(hand, 0)), match.deals.get(hand, 0)
    for event in match.events_of(hand):
        if isinstance(event, Undone):
            turns[found.pop().view.seat] -= 1
        elif isinstance(event, Played | Passed) and state is not None:
            turns[event.seat] += 1
            shown = view(state, event.seat, with_played=True)
            found.append(Decision(match.moment_before(length), turns[event.seat], shown, _move(event)))
        elif isinstance(event, HandEnded):
            break
        state, length = evolve(state, event), length + 1
    return [decision for decision in found if decision.view.seat == seat]


def _move(event: Played | Passed) -> Play | Pass:
    if isinstance(event, Passed):
        return Pass(event.seat)
    return Play(event.seat, event.cards, last_card=event.last_card)


def review(costs: Sequence[Cost]) -> Review:
    """Choose the most expensive moves."""
    mistakes = [cost for cost in costs if cost.points >= max(LEAST_POINTS, SURE_ERRORS * cost.error)]
    worst = sorted(mistakes, key=lambda cost: -cost.points)[:MAX_MISTAKES]
    return Review(len(costs), len(costs) - len(mistakes), sum(cost.points for cost in costs), tuple(worst))


def review_match(seat: int, hands: Sequence[HandReview]) -> MatchReview:
    """Combine the reviews of a seat's hands."""
    every = [hand.review for hand in hands]
    worst = sorted((cost for each in every for cost in each.mistakes), key=lambda cost: -cost.points)
    total = Review(
        sum(each.decisions for each in every),
        sum(each.good for each in every),
        sum(each.total for each in every),
        tuple(worst[:MAX_MISTAKES]),
    )
    swings = sorted((hand.ended for hand in hands), key=lambda ended: -_swing(ended, seat))
    return MatchReview(total, tuple(hands), tuple(swings[:MAX_SWINGS]) if len(hands) > MAX_SWINGS else ())


def _swing(ended: HandEnded, seat: int) -> float:
    """How much a hand changed the distance of a seat to the mean of the others."""
    others = [points for other, points in enumerate(ended.points) if other != seat]
    return abs(ended.points[seat] - fmean(others))
