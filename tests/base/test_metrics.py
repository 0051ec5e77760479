"""The counts of the measuring blocks."""

import pytest

from bot.base import press_context
from bot.base.metrics import Job
from bot.base.press_context import PressContext, answering, record_outcome, record_table
from bot.storage.database import measuring
from tests.measured import finished_jobs, jobs, value


def test_a_job_waits_then_runs() -> None:
    waited, ran = finished_jobs("ai")
    with Job("ai") as job:
        assert jobs("ai") == (1, 0)
        job.start()
        assert jobs("ai") == (0, 1)
    assert jobs("ai") == (0, 0)
    assert finished_jobs("ai") == (waited + 1, ran + 1)


def test_a_job_that_is_given_up_never_runs() -> None:
    waited, ran = finished_jobs("ai")
    with pytest.raises(TimeoutError), Job("ai") as job:
        raise TimeoutError
    job.start()  # its turn comes too late
    assert jobs("ai") == (0, 0)
    assert finished_jobs("ai") == (waited + 1, ran)


def test_a_transaction_that_never_begins_only_waits() -> None:
    def counts() -> tuple[float, float]:
        return value("gang_database_wait_seconds_count", access="read"), value(
            "gang_database_seconds_count", access="read"
        )

    waited, done = counts()
    with pytest.raises(TimeoutError), measuring("read"):
        raise TimeoutError
    assert counts() == (waited + 1, done)
    with measuring("read") as begin:
        begin()
    assert counts() == (waited + 2, done + 1)


def test_a_press_is_known_in_its_block_only() -> None:
    record_table(5)
    record_outcome("failed", "bug")
    press = PressContext(1, "press", "test-only")
    with answering(press):
        assert press_context.current() is press
        record_table(7)
        record_outcome("refused", "NotSeated")
    assert press_context.current() is None
    assert press.table == 7
    labels = {"kind": "press", "verb": "test-only", "outcome": "refused", "reason": "NotSeated"}
    assert value("gang_presses_total", **labels) == 1


def test_only_the_first_answer_is_measured() -> None:
    press = PressContext(1, "form")
    before = value("gang_first_answer_seconds_count", kind="form")
    press.record_answer()
    press.record_answer()
    assert value("gang_first_answer_seconds_count", kind="form") == before + 1
