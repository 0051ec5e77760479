"""The app dies at counted points of what people do, and is started again.

The points are counted: each callback of the app's event loop is one. In each step of a kind the app dies at the next
point of that kind, until a step is over before its point is reached. So the last one is found without knowing how many
there are. The app dies at every 250th point, or at every `GANG_OF_FOUR_POINTS`th.
"""

import asyncio
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from tests.disasters.script import Step, Unanswered
from tests.disasters.steered import LATE, SteeredRoom
from tests.disasters.steering import Dial
from tests.disasters.truth import Truth, comes_true, has_everything_remembered
from tests.end_to_end.forge import BOUND, AppProcess

EVERY = int(os.environ.get("GANG_OF_FOUR_POINTS", "250"))
START = "start of the app"
SURE = 2 if EVERY == 1 else 1
"""How many steps must be over before their point is reached, to take it for the last: they differ a little."""
MOST_MATCHES = 8000 // EVERY + 8


@dataclass
class Points:
    """The points of one kind of step at which the app is still to die."""

    kind: str
    next: int = 0
    deaths: int = 0
    survived: int = 0

    def __post_init__(self) -> None:
        self.next = 1 + crc32(self.kind.encode()) % EVERY  # so that kinds do not all die at the same points

    @property
    def is_done(self) -> bool:
        """Whether every point has had its turn."""
        return self.survived >= SURE

    def died(self) -> None:
        """The app died at it; the next one follows."""
        self.deaths += 1
        self.next += EVERY


class Plan:
    """What is still to be died at."""

    def __init__(self, kinds: Iterable[str]) -> None:
        self._points = {kind: Points(kind) for kind in (*kinds, START)}

    def of(self, kind: str) -> Points | None:
        """The points of a kind, unless all have had their turn."""
        points = self._points.get(kind)
        return None if points is None or points.is_done else points

    @property
    def left(self) -> list[str]:
        """The kinds of which points are left."""
        return [kind for kind in self._points if self.of(kind)]

    @property
    def deaths(self) -> int:
        """How often the app has died."""
        return sum(points.deaths for points in self._points.values())

    def __str__(self) -> str:
        reached = ", ".join(f"{kind} at {self._points[kind].next}" for kind in self.left)
        return f"{self.deaths} deaths; to come: {reached or 'none'}"


@dataclass(frozen=True)
class Taken:
    """What came of a step."""

    truth: Truth | None
    """The table as it is then."""
    accepted: bool
    """Whether somebody saw it done: so it surely is."""
    what: str
    """The step and its point, for whoever reads of a fault."""


async def take(room: SteeredRoom, plan: Plan, step: Step) -> Taken:
    """Take a step, perhaps dying in it, and wait until everything is told."""
    assert room.app is not None
    points, complaints = plan.of(step.kind), len(room.world.violations)
    what = f"{step.kind}, {points}"
    if points is not None:
        room.dies_after(points.next)
    accepted = await _does(room, room.app, step)
    if not accepted:
        await _dies_or_was_late(room, room.app, complaints, what)
    found = await _is_quiet(room, room.app)
    if not await room.lives_on():
        assert await room.app.wait() == -signal.SIGKILL
        assert points is not None
        points.died()
        await _comes_back(room, plan)
        found = await comes_true(room)
    elif points is not None and accepted:
        points.survived += 1
    assert found is not None
    assert len(found) <= 1
    return Taken(next(iter(found.values()), None), accepted, what)


async def _does(room: SteeredRoom, app: AppProcess, step: Step) -> bool:
    """Have somebody take a step; gives whether they saw it done."""

    async def attempt() -> bool:
        try:
            return await step.do()
        except Unanswered:
            return False

    doing = asyncio.create_task(attempt())
    await app.ended_or(doing)
    while not doing.done():  # nobody is there to answer any more: the client gives up
        room.world.clock.advance(4)
        await asyncio.wait({doing}, timeout=0.02)
    return await doing


async def _dies_or_was_late(room: SteeredRoom, app: AppProcess, complaints: int, what: str) -> None:
    """Wait until the app has died or has answered too late: nothing else excuses that a step was not accepted."""
    try:
        async with asyncio.timeout(BOUND):
            while app.is_alive and not any(LATE in each for each in room.world.violations[complaints:]):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{what}: not accepted, and not for being late\n{room.log.read_text()[-3000:]}") from None


async def _is_quiet(room: SteeredRoom, app: AppProcess) -> dict[int, Truth] | None:
    """Wait until everything is told and remembered; None if the app has died."""
    told = asyncio.create_task(comes_true(room))
    await app.ended_or(told)
    if app.is_alive:
        found = await told
        async with asyncio.timeout(10):
            while app.is_alive and not has_everything_remembered(room):  # noqa: ASYNC110  # a file wakes nobody
                await asyncio.sleep(0.002)
        if app.is_alive:
            return found
    told.cancel()
    await asyncio.gather(told, return_exceptions=True)
    return None


async def _comes_back(room: SteeredRoom, plan: Plan) -> None:
    """Start the app again, perhaps dying in that, too."""
    points = plan.of(START)
    if points is not None:
        room.steering[Dial.DIES_AT] = points.next
        if await room.starts() and room.app is not None:
            await _is_quiet(room, room.app)
        if await room.lives_on():
            points.survived += 1
            return
        points.died()
    await room.start_app()
