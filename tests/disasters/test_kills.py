"""The app is killed at every point at which something may go on: what was accepted stays, once, and is told, once.

The points are not chosen but counted: each callback of the app's event loop is one. Matches are played, and in each
step of them the app dies at the next point of that kind of step, until a step is over before its point is reached.
So the last one is found without knowing how many there are. `GANG_OF_FOUR_POINTS=1` takes every point (about
an hour), without it every hundred and fiftieth is taken.
"""

import asyncio
import os
import signal
from dataclasses import dataclass
from zlib import crc32

from bot.engine.events import MatchEnded
from bot.engine.verification import verify
from bot.storage.rows import Status
from tests.disasters.script import KINDS, Match, Step, Unanswered
from tests.disasters.steered import App, SteeredRoom
from tests.disasters.steering import Dial
from tests.disasters.truth import Truth, calls_heard, comes_true, has_everything_remembered
from tests.end_to_end.evidence import opened

EVERY = int(os.environ.get("GANG_OF_FOUR_POINTS", "150"))
START = "start of the app"
TARGET = 12
"""Reached in one hand or two: so that hands and matches end often."""
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

    def __init__(self) -> None:
        self._points = {kind: Points(kind) for kind in (*KINDS, START)}

    def of(self, kind: str) -> Points | None:
        """The points of a kind, unless all have had their turn."""
        points = self._points[kind]
        return None if points.is_done else points

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


async def test_nothing_is_lost_or_doubled_wherever_the_app_is_killed(room: SteeredRoom) -> None:
    plan = Plan()
    for number in range(1, MOST_MATCHES):
        room.channel = room.guild.channel(f"games {number}")
        await _play_a_match(room, plan, number)
        print(f"match {number}: {plan}", flush=True)  # noqa: T201  # seen by whoever lets it soak
        if not plan.left:
            break
    assert plan.left == []
    assert plan.deaths > len(KINDS)
    assert all(set(calls_heard(person).values()) == {1} for person in room.people[:3])


async def _play_a_match(room: SteeredRoom, plan: Plan, number: int) -> None:
    """Play a match to its end, dying wherever the plan says so."""
    match, truth = Match(room, target=TARGET), None
    while truth is None or truth.table.row.status is not Status.OVER:
        if not plan.left:
            return
        truth = await _take_a_step(room, plan, match.next_step(truth), truth)
    assert truth.table.id == number
    assert verify(truth.lines).lines == len(truth.lines)
    assert sum(isinstance(line.event, MatchEnded) for line in truth.lines) == 1
    with opened(room) as connection:
        assert connection.execute("SELECT count(*) FROM matches WHERE table_id = ?", (number,)).fetchone() == (1,)


async def _take_a_step(room: SteeredRoom, plan: Plan, step: Step, before: Truth | None) -> Truth | None:
    """Take a step, perhaps dying in it; what was seen is kept, and what was not is done wholly or not at all."""
    assert room.app is not None
    points = plan.of(step.kind)
    if points is not None:
        room.dies_after(points.next)
    accepted = await _does(room, room.app, step)
    found = await _is_quiet(room, room.app)
    if not await room.lives_on():
        assert await room.app.wait() == -signal.SIGKILL
        assert points is not None
        points.died()
        await _comes_back(room, plan)
        found = await comes_true(room)
    else:
        assert accepted
        assert found is not None
        if points is not None:
            points.survived += 1
    truth = next(iter(found.values()), None)
    assert len(found) <= 1
    _is_kept(before, truth, accepted=accepted, what=f"{step.kind}, {points}")
    if truth is not None and truth.person is not None:
        (person,) = [person for person in room.people if person.id == truth.person]
        assert calls_heard(person)[str(truth.call)] == 1
    return truth


async def _does(room: SteeredRoom, app: App, step: Step) -> bool:
    """Have somebody take a step; gives whether they saw it done."""

    async def attempt() -> bool:
        try:
            return await step.do()
        except Unanswered:
            return False

    doing = asyncio.create_task(attempt())
    await asyncio.wait({doing, app.end}, return_when=asyncio.FIRST_COMPLETED)
    while not doing.done():  # nobody is there to answer any more: the client gives up
        room.world.clock.advance(4)
        await asyncio.wait({doing}, timeout=0.02)
    return await doing


async def _is_quiet(room: SteeredRoom, app: App) -> dict[int, Truth] | None:
    """Wait until everything is told and remembered; None if the app has died."""
    told = asyncio.create_task(comes_true(room))
    await asyncio.wait({told, app.end}, return_when=asyncio.FIRST_COMPLETED)
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


def _is_kept(before: Truth | None, after: Truth | None, *, accepted: bool, what: str) -> None:
    """What stood there still does, and at most one thing came to it: surely, if somebody was told so."""
    old, new = ([] if truth is None else truth.lines for truth in (before, after))
    assert new[: len(old)] == old, what
    revisions = [-1 if truth is None else truth.table.row.revision for truth in (before, after)]
    growth = revisions[1] - revisions[0]
    assert growth in ((1,) if accepted else (0, 1)), (what, growth)
    if growth == 0:
        assert new == old, what
