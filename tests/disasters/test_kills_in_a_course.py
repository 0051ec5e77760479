"""As in `test_kills`, where more goes on: a clock, a thread, an AI player, absence, pauses, undo, direct messages.

Each step is done wholly or not at all, AI players go on from there, and no notice comes twice.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine.record import Line
from bot.engine.verification import verify
from bot.table import play
from bot.table.model import Deadline, Status
from bot.table.timing import Timing
from playground.client.person import Person
from playground.rest.messages import NONCE_WINDOW
from tests.disasters.course import KINDS, Course, Deed
from tests.disasters.dying import MOST_MATCHES, Plan, Taken, take
from tests.disasters.model import comes_of, likeness
from tests.disasters.script import Match
from tests.disasters.steered import LATE, SteeredRoom, steered_room
from tests.disasters.truth import Truth, calls_heard, comes_true, is_remembered
from tests.end_to_end.evidence import opened

OFTEN = {"bot.services.deadlines.LONGEST_SLEEP": 0.2}
"""So that nobody waits long for the app to look at its clock."""


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[SteeredRoom]:
    async with steered_room(tmp_path, OFTEN) as room:
        yield room


class TurnPings:
    """Who should have been called how often: whenever another notice stands there than before."""

    def __init__(self, room: SteeredRoom) -> None:
        self._people = room.people
        self._expected: dict[int, Counter[str]] = {person.id: Counter() for person in room.people}
        self._standing: str | None = None

    def are_as_they_should(self, truth: Truth) -> None:
        """Look at what has rung, as a table is now."""
        notice = truth.notice
        if notice is not None and notice.nonce != self._standing:
            for person in notice.people:
                self._expected[person][notice.nonce] += 1
        self._standing = truth.call
        assert {person.id: calls_heard(person) for person in self._people} == self._expected


async def test_nothing_is_lost_or_doubled_by_deaths_while_people_are_late_or_away(room: SteeredRoom) -> None:
    room.excused, plan, calls = (LATE,), Plan(KINDS), TurnPings(room)
    await _wants_direct_messages(room, room.people[1])
    for number in range(1, MOST_MATCHES):
        room.channel = room.guild.channel(f"games {number}")
        await _take_a_course(room, plan, calls)
        print(f"course {number}: {plan}", flush=True)  # noqa: T201  # seen by whoever lets it soak
        if not plan.left:
            break
    assert plan.left == []
    assert plan.deaths > len(KINDS)


async def test_a_direct_message_is_taken_back_though_two_apps_died_of_telling_it(room: SteeredRoom) -> None:
    match, truth = Match(room, target=12), None
    for person in match.people:
        await _wants_direct_messages(room, person)
    for _ in range(4):
        assert await match.next_step(truth).do()
        (truth,) = (await comes_true(room)).values()
    await is_remembered(room)
    await room.kill_app()
    with opened(room) as connection:  # as if the app had not heard that its message had arrived
        connection.execute("UPDATE tables SET notice_id = NULL, displayed_revision = revision - 1")
    room.world.clock.advance(NONCE_WINDOW + 1)
    room.world.faults.next("POST", "/users/@me/channels", status="timeout")
    await room.start_app()
    async with asyncio.timeout(10):
        while room.world.faults.waiting:  # noqa: ASYNC110  # a request that is not answered changes nothing
            await asyncio.sleep(0.01)
    assert await match.next_step(truth).do()
    await room.kill_app()
    await room.start_app()
    await comes_true(room)


async def _wants_direct_messages(room: SteeredRoom, person: Person) -> None:
    panel = (await person.slash(room.channel, "gang settings")).message
    assert panel is not None
    (menu,) = [menu for menu in panel.selects if "notifications" in menu.custom_id]
    await person.select(panel, "direct", custom_id=menu.custom_id)


async def _take_a_course(room: SteeredRoom, plan: Plan, calls: TurnPings) -> None:
    """Play at one table until it is closed or the match is over, dying wherever the plan says so."""
    course, truth = Course(room, lambda: plan.left), None
    while truth is None or truth.table.row.status.is_open:
        step = course.next_step(truth)
        taken = await take(room, plan, step)
        _is_done_or_not(truth, step, taken)
        truth = taken.truth
        if truth is not None:
            _is_due_in_time(truth)
            _is_right(truth)
            calls.are_as_they_should(truth)


def _is_done_or_not(before: Truth | None, step: Deed, taken: Taken) -> None:
    """What stood there still does, and the step was taken once: surely, if somebody was told so."""
    if before is None or taken.truth is None:
        assert before is None, taken.what
        assert taken.truth is not None or not taken.accepted, taken.what
        return
    old, new = before.lines, taken.truth.lines
    assert new[: len(old)] == old, taken.what
    assert step.change is not None
    found = likeness(taken.truth.table), tuple(line.event for line in new[len(old) :])
    table, events = comes_of(before.table, step.change(before.table))
    done, not_done = (likeness(table), events), (likeness(before.table), ())
    assert found in ([done] if taken.accepted else [done, not_done]), taken.what


def _is_due_in_time(truth: Truth) -> None:
    """What is due next is what follows from the table as it is stored; in a lobby, from when somebody last pressed."""
    expected, found = Timing().next(truth.table, 0), truth.deadline
    if truth.table.row.status is Status.LOBBY:
        assert expected is not None
        assert found is not None
        expected = Deadline(expected.table_id, expected.kind, found.due_at)
    assert found == expected


def _is_right(truth: Truth) -> None:
    """The log keeps the rules; of a match that goes on, as if it were given up now."""
    if truth.table.state is None:
        return
    end = play.abandon(truth.table, "closed").events if truth.table.row.status is Status.PLAYING else ()
    lines = [*truth.lines, *(Line(event, at=0) for event in end)]
    assert verify(lines).lines == len(lines)
