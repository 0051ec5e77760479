"""After a pause of the process, interactions that Discord has given up are recognized."""

import logging
from dataclasses import dataclass

import pytest

from bot.process.pauses import ANSWER_SECONDS, BACKLOG_SECONDS, Pauses

QUICK = 0.2
"""Seconds that an interaction takes to arrive."""


@dataclass
class Process:
    """A process whose clock isn't Discord's."""

    now: float = 5000.0
    ahead: float = 0.0
    """Seconds by which the clock is ahead of Discord's."""

    def __post_init__(self) -> None:
        self.pauses = Pauses(lambda: self.now + self.ahead)

    def pass_time(self, seconds: float, step: float = 0.5) -> None:
        """Let time pass while the process runs."""
        for _ in range(round(seconds / step)):
            self.now += step
            self.pauses.outlasted(self.now - QUICK)

    def outlasted(self, age: float) -> bool:
        return self.pauses.outlasted(self.now - age)


@pytest.mark.parametrize("ahead", [0.0, 10**6, -(10**6)])
def test_after_a_pause_only_what_came_late_is_left_alone(ahead: float, caplog: pytest.LogCaptureFixture) -> None:
    process = Process(ahead=ahead)
    process.pass_time(60)
    assert not caplog.records
    process.now += 20
    assert [process.outlasted(age) for age in (18, 4, 2, QUICK)] == [True, True, False, False]
    assert [record.getMessage() for record in caplog.records] == ["the process stood still for 20 seconds"]


def test_without_a_pause_the_age_of_an_interaction_does_not_matter() -> None:
    process = Process()
    process.pass_time(60)
    assert not process.outlasted(600)
    process.now += ANSWER_SECONDS - 0.1
    assert not process.outlasted(600)


def test_some_time_after_a_pause_the_age_does_not_matter_again() -> None:
    process = Process()
    process.pass_time(10)
    process.now += 20
    process.pass_time(BACKLOG_SECONDS - 1)
    assert process.outlasted(10)
    process.pass_time(2)
    assert not process.outlasted(10)


@pytest.mark.parametrize("drift", [5e-5, -5e-5])
def test_clocks_may_drift_apart(drift: float) -> None:
    process = Process()
    for _ in range(24 * 60):
        process.pass_time(60, step=2)
        process.ahead += 60 * drift
    process.now += 20
    assert [process.outlasted(age) for age in (18, 4, 2, QUICK)] == [True, True, False, False]


def test_an_hour_of_pause_does_not_hide_that_interactions_are_late(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    process = Process()
    process.pass_time(10)
    process.now += 3600
    assert [process.outlasted(age) for age in (3599, 5, QUICK)] == [True, True, False]
