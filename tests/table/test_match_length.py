"""Estimates of how long a match takes."""

import pytest

from bot.table.match_length import MINUTE, length_over_days, live_length, suggested_target
from bot.table.model import Pace
from bot.table.timing import DAY


@pytest.mark.parametrize(
    ("target", "minutes"), [(1, 2), (25, 8), (50, 20), (75, 30), (100, 40), (300, 120), (1000, 400)]
)
def test_a_live_match_takes_as_long_as_the_simulated_ones(target: int, minutes: int) -> None:
    assert live_length(target) / MINUTE == pytest.approx(minutes, rel=0.03)


@pytest.mark.parametrize(
    ("target", "pace", "days"),
    [
        (1, Pace.QUICK, 1),
        (25, Pace.DAY, 7),
        (50, Pace.DAY, 17),
        (100, Pace.DAY, 35),
        (25, Pace.SLOW, 16),
        (100, Pace.NONE, 35),
    ],
)
def test_a_match_over_days_takes_as_long_as_its_moves(target: int, pace: Pace, days: int) -> None:
    assert length_over_days(target, pace) == days * DAY


@pytest.mark.parametrize("pace", Pace)
def test_a_slow_pace_suggests_a_low_target_unless_another_was_wanted(pace: Pace) -> None:
    assert suggested_target(100, 100, pace) == (25 if pace in (Pace.DAY, Pace.SLOW) else 100)
    assert suggested_target(50, 100, pace) == 50
