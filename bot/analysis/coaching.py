"""The most expensive moves of a hand: what a player could have done better, given what the player could know."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.analysis.replay import ReplayedMatch
from bot.engine import Pass, Play, View, evolve, view
from bot.engine.events import HandEnded, Passed, Played, Undone

MAX_MISTAKES: Final = 3
LEAST_POINTS: Final = 1.0
"""A move that costs fewer points is as good as the best."""
SURE_ERRORS: Final = 2.0
"""A cost must be this many standard errors, or it may be chance."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A play or pass, and what its player knew."""

    moment: int
    """The number of the moment before it, in the replay."""
    view: View = field(repr=False)
    move: Play | Pass


@dataclass(frozen=True, slots=True)
class Cost:
    """A decision compared with the best move that was found."""

    decision: Decision
    better: Play | Pass
    points: float
    """The mean cost, in points compared with the other players."""
    error: float
    """Its standard error."""


@dataclass(frozen=True, slots=True)
class Review:
    """A player's moves in a hand."""

    decisions: int
    """The plays and passes with a choice."""
    good: int
    """Those that were as good as the best."""
    mistakes: tuple[Cost, ...]
    """The most expensive ones, the worst first."""


def decisions(match: ReplayedMatch, hand: int, seat: int) -> list[Decision]:
    """The plays and passes of a seat in a hand, without those that were taken back. Empty for an unknown hand."""
    found: list[Decision] = []
    state, length = match.state_after(match.deals.get(hand, 0)), match.deals.get(hand, 0)
    for event in match.events_of(hand):
        if isinstance(event, Undone):
            found.pop()
        elif isinstance(event, Played | Passed) and state is not None:
            shown = view(state, event.seat, with_played=True)
            found.append(Decision(match.moment_before(length), shown, _move(event)))
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
    return Review(len(costs), len(costs) - len(mistakes), tuple(worst))
