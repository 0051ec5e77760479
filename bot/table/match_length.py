"""How long a match takes, estimated from its target and its pace."""

from itertools import pairwise
from typing import Final

from bot.table.model import Pace
from bot.table.timing import DAY, SECOND

MOVES: Final = {0: 0, 1: 10, 25: 33, 50: 87, 100: 173}
"""The moves of a player in a match to a target: medians of matches between AI players of the level "medium"."""
MINUTE: Final = 60 * SECOND
SECONDS_A_MOVE: Final = 14
"""The time between two moves of a player in live play, so that a match to 100 points takes about 40 minutes."""
MOVES_A_DAY: Final = {Pace.QUICK: 15, Pace.DAY: 5, Pace.SLOW: 2, Pace.NONE: 5}
"""The moves that a player makes in a day at each pace apart from live play."""
TARGET_OVER_DAYS: Final = 25
"""The target offered first at a pace of a day or slower."""


def live_length(target: int) -> int:
    """The milliseconds of a live match; from 10 minutes on a multiple of 5."""
    minutes = _moves(target) * SECONDS_A_MOVE / 60
    return MINUTE * (round(minutes / 5) * 5 if minutes >= 10 else round(minutes))


def length_over_days(target: int, pace: Pace) -> int:
    """The milliseconds of a match at a pace other than live: whole days."""
    return DAY * max(1, round(_moves(target) / MOVES_A_DAY[pace]))


def suggested_target(target: int, usual: int, pace: Pace) -> int:
    """The target at a pace: a low one over days, unless another target than the `usual` one was chosen."""
    return TARGET_OVER_DAYS if pace in (Pace.DAY, Pace.SLOW) and target == usual else target


def _moves(target: int) -> float:
    """The moves of a player, on straight lines between the medians."""
    known = list(pairwise(MOVES.items()))
    (low, fewer), (high, more) = next((each for each in known if target <= each[1][0]), known[-1])
    return fewer + (more - fewer) * (target - low) / (high - low)
