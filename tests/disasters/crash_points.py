"""Crash the app at counted points while people play, and restart it.

Each step of a task of the app is a point. In each step of a kind the app crashes at the next point of that
kind, until a step ends before its point is reached: then there are no more. The app crashes at every 100th point,
or at every `GANG_OF_FOUR_POINTS`th.
"""

import asyncio
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from tests.disasters.expected_state import ExpectedState, is_everything_recorded, wait_until_displayed
from tests.disasters.scripted_match import Step, Unanswered
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness
from tests.end_to_end.app_process import BOUND, AppProcess, Control

INTERVAL = int(os.environ.get("GANG_OF_FOUR_POINTS", "100"))
START = "start of the app"
REQUIRED_SURVIVALS = 2 if INTERVAL == 1 else 1
"""Steps that must end before their point until it counts as the last: their lengths differ a little."""
MAX_MATCHES = 8000 // INTERVAL + 8


@dataclass
class CrashPoints:
    """The remaining crash points of one kind of step."""

    kind: str
    next: int = 0
    crashes: int = 0
    survived: int = 0

    def __post_init__(self) -> None:
        self.next = 1 + crc32(self.kind.encode()) % INTERVAL  # so that kinds crash at different points

    @property
    def is_done(self) -> bool:
        """True if the app has crashed at every point."""
        return self.survived >= REQUIRED_SURVIVALS

    def crashed(self) -> None:
        """Count a crash and go on to the next point."""
        self.crashes += 1
        self.next += INTERVAL


class CrashPlan:
    """The remaining crash points of all kinds of steps."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._points = {kind: CrashPoints(kind) for kind in (*kinds, START)}

    def of(self, kind: str) -> CrashPoints | None:
        """The remaining points of a kind, or None."""
        points = self._points.get(kind)
        return None if points is None or points.is_done else points

    @property
    def left(self) -> list[str]:
        """The kinds with remaining points."""
        return [kind for kind in self._points if self.of(kind)]

    @property
    def crashes(self) -> int:
        """The number of crashes."""
        return sum(points.crashes for points in self._points.values())

    def __str__(self) -> str:
        reached = ", ".join(f"{kind} at {self._points[kind].next}" for kind in self.left)
        return f"{self.crashes} crashes; remaining: {reached or 'none'}"


@dataclass(frozen=True)
class StepResult:
    """The result of a step."""

    expected: ExpectedState | None
    """The table afterwards."""
    accepted: bool
    """True if the person saw it confirmed."""
    what: str
    """The step and its point, for error messages."""


async def take_step(harness: AppHarness, plan: CrashPlan, step: Step) -> StepResult:
    """Take a step, perhaps with a crash, and wait until everything is displayed."""
    assert harness.app is not None
    points, complaints = plan.of(step.kind), len(harness.world.violations)
    what = f"{step.kind}, {points}"
    if points is not None:
        harness.crash_after(points.next)
    accepted = await _attempt(harness, harness.app, step)
    if not accepted:
        await _wait_for_crash_or_late_answer(harness, harness.app, complaints, what)
    found = await _wait_until_idle(harness, harness.app)
    if not await harness.cancel_crash():
        assert await harness.app.wait() == -signal.SIGKILL
        assert points is not None
        points.crashed()
        await _restart(harness, plan)
        found = await wait_until_displayed(harness)
    elif points is not None and accepted:
        points.survived += 1
    assert found is not None
    assert len(found) <= 1
    return StepResult(next(iter(found.values()), None), accepted, what)


async def _attempt(harness: AppHarness, app: AppProcess, step: Step) -> bool:
    """Take a step. True if the person saw it confirmed."""

    async def attempt() -> bool:
        try:
            return await step.do()
        except Unanswered:
            return False

    doing = asyncio.create_task(attempt())
    await app.ended_or(doing)
    while not doing.done():  # no app is left to answer: the client gives up
        harness.world.clock.advance(4)
        await asyncio.wait({doing}, timeout=0.02)
    return await doing


async def _wait_for_crash_or_late_answer(harness: AppHarness, app: AppProcess, complaints: int, what: str) -> None:
    """Wait until the app has crashed or answered too late, the only reasons for a step without confirmation."""
    try:
        async with asyncio.timeout(BOUND):
            while app.is_alive and not any(ANSWERED_LATE in each for each in harness.world.violations[complaints:]):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{what}: not confirmed, and not late\n{harness.log.read_text()[-3000:]}") from None


async def _wait_until_idle(harness: AppHarness, app: AppProcess) -> dict[int, ExpectedState] | None:
    """Wait until everything is displayed and recorded. None if the app has crashed."""
    displayed = asyncio.create_task(wait_until_displayed(harness))
    await app.ended_or(displayed)
    if app.is_alive:
        found = await displayed
        async with asyncio.timeout(10):
            while app.is_alive and not is_everything_recorded(harness):  # noqa: ASYNC110  # a file can only be polled
                await asyncio.sleep(0.002)
        if app.is_alive:
            return found
    displayed.cancel()
    await asyncio.gather(displayed, return_exceptions=True)
    return None


async def _restart(harness: AppHarness, plan: CrashPlan) -> None:
    """Restart the app, perhaps with another crash."""
    points = plan.of(START)
    if points is not None:
        harness.controls[Control.CRASH_AT] = points.next
        if await harness.try_start() and harness.app is not None:
            await _wait_until_idle(harness, harness.app)
        if await harness.cancel_crash():
            points.survived += 1
            return
        points.crashed()
    await harness.start_app()


def check_step(before: ExpectedState | None, result: StepResult) -> None:
    """The log kept its lines, and at most one change was added: exactly one if it was confirmed."""
    old, new = ([] if expected is None else expected.lines for expected in (before, result.expected))
    assert new[: len(old)] == old, result.what
    growth = _change_count(result.expected) - _change_count(before)
    assert growth in ((1,) if result.accepted else (0, 1)), (result.what, growth)
    if growth == 0:
        assert new == old, result.what


def _change_count(expected: ExpectedState | None) -> int:
    """The number of changes by people, including the opening of a table."""
    if expected is None:
        return 0
    row = expected.table.row
    return 1 + row.revision - (row.first_message_id is not None)
