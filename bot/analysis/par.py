"""Luck and skill: the points of a hand beside those that the strongest AI players make with the same cards.

Par is what they make on average if they play all seats. Points are compared with the mean of the table, because weak
tables take longer to finish a hand, and leave everyone with fewer points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from bot.analysis.replay import ReplayedMatch
from bot.players.strongest import DealtHand

HUNDREDTHS: Final = 100
"""Stored pars, luck and skill are integers in this part of a point, so that sums are exact."""


@dataclass(frozen=True, slots=True)
class ParResult:
    """A seat's points in a hand beside its par. The sum of luck and skill is how much the points beat the table's."""

    points: int
    par: float
    """The points that the strongest AI players make with these cards on average."""
    luck: float
    """How much this par is better than the mean of the table, in points."""
    skill: float
    """How much the points, compared with the mean of the table, are better than par is."""


def results(points: Sequence[int], pars: Sequence[float]) -> list[ParResult]:
    """The results of all seats in a hand, from their points and pars."""
    mean_points, mean_par = fmean(points), fmean(pars)
    return [
        ParResult(made, par, mean_par - par, (mean_points - made) - (mean_par - par))
        for made, par in zip(points, pars, strict=True)
    ]


def dealt_hand(match: ReplayedMatch, hand: int) -> DealtHand | None:
    """A hand as it was dealt; None for an unknown one."""
    state = match.state_after(match.deals[hand] + 1) if hand in match.deals else None
    if state is None:
        return None
    leader = state.turn if state.last_hand is None else None
    return DealtHand(state.match.options, state.hands, state.direction, leader)
