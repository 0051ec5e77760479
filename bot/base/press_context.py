"""The press that the current task answers: its ids are added to log lines, its outcome to the metrics.

A press is any interaction of a user. Tasks that it starts inherit it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, Literal

from bot.base.metrics import FIRST_ANSWERS, PRESSES

ANSWER_SECONDS: Final = 2.2
"""Seconds after which a press that still waits for another program is answered with a sentence."""
LEAST_SECONDS: Final = 0.3
"""Seconds that it waits at least from its first wait. Discord expects an answer within three seconds."""
UNKNOWN: Final = "unknown"
"""The verb of an interaction that the app doesn't know."""


@dataclass(slots=True)
class PressContext:
    """A press, for log lines and metrics."""

    id: int
    """The id of the interaction, or the number of a page's request."""
    kind: str
    """press, form, command, completion or page."""
    verb: str = UNKNOWN
    """The verb of the custom id, or the name of the command or request."""
    table: int = 0
    """The number of the table; 0 if it has none."""
    outcome: Literal["done", "refused", "failed"] = "done"
    reason: str = ""
    """Why it was refused or failed: one of few names."""
    is_answered: Callable[[], bool] = lambda: False
    """True if Discord has an answer."""
    has_ended: bool = False
    arrived: float = field(default_factory=perf_counter)
    """When the app received it (`time.perf_counter`)."""
    _until: float | None = None
    """When it stops waiting; None before its first wait."""
    _is_measured: bool = False

    def record_answer(self) -> None:
        """Measure the time until the first answer. Later calls do nothing."""
        if not self._is_measured:
            self._is_measured = True
            FIRST_ANSWERS.labels(self.kind).observe(perf_counter() - self.arrived)

    def seconds_left(self) -> float | None:
        """Seconds until the press has to be answered; None if it is."""
        if self.has_ended or self.is_answered():
            return None
        now = perf_counter()
        self._until = self._until or max(self.arrived + ANSWER_SECONDS, now + LEAST_SECONDS)
        return max(0.0, self._until - now)


_current: Final[ContextVar[PressContext | None]] = ContextVar("press", default=None)


def current() -> PressContext | None:
    """The press that this task answers, or that has started it."""
    return _current.get()


@contextmanager
def answering(press: PressContext) -> Iterator[None]:
    """Answer a press in the block, then count it."""
    token = _current.set(press)
    try:
        yield
    except BaseException:  # errors are answered within the block, so this is a cancellation
        press.outcome, press.reason = "failed", "canceled"
        raise
    finally:
        press.has_ended = True
        _current.reset(token)
        PRESSES.labels(press.kind, press.verb, press.outcome, press.reason).inc()


def seconds_left() -> float | None:
    """Seconds until the current press has to be answered; None if there is no such press."""
    press = current()
    return None if press is None else press.seconds_left()


def record_table(table_id: int) -> None:
    """Record which table the current press concerns."""
    if (press := current()) is not None:
        press.table = table_id


def record_outcome(outcome: Literal["refused", "failed"], reason: str) -> None:
    """Record that the current press was refused or failed."""
    if (press := current()) is not None:
        press.outcome, press.reason = outcome, reason
