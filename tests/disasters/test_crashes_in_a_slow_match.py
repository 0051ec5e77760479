"""Crashes as in `test_crashes`, in a match with a clock, a thread, an AI player, absence, pauses and undo.

Each step takes effect completely or not at all, AI players continue from there, and no notice is sent twice.
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
from playground.world.interactions import FIRST_ANSWER_SECONDS
from tests.disasters.crash_points import MAX_MATCHES, CrashPlan, StepResult, take_step
from tests.disasters.expected_state import ExpectedState, ping_counts, wait_until_displayed, wait_until_recorded
from tests.disasters.scripted_match import ScriptedMatch
from tests.disasters.slow_match import KINDS, CheckedStep, SlowMatch, comparable, outcome
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness, running_app
from tests.end_to_end.inspection import app_database, shown

OFTEN = {"bot.services.deadlines.MAX_SLEEP": 0.2}
"""Let the app look at its clock often."""


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, OFTEN) as harness:
        yield harness


class ExpectedPings:
    """The expected pings of each person: one for each new notice."""

    def __init__(self, harness: AppHarness) -> None:
        self._people = harness.people
        self._expected: dict[int, Counter[str]] = {person.id: Counter() for person in harness.people}
        self._last_nonce: str | None = None

    def check(self, expected: ExpectedState) -> None:
        """Compare the pings with those expected since the last check."""
        notice = expected.notice
        if notice is not None and notice.nonce != self._last_nonce:
            for person in notice.user_ids:
                self._expected[person][notice.nonce] += 1
        self._last_nonce = expected.nonce
        assert {person.id: ping_counts(person) for person in self._people} == self._expected


async def test_crashes_lose_and_duplicate_nothing_while_people_are_late_or_away(harness: AppHarness) -> None:
    harness.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
    harness.ignored_violations, plan, pings = (ANSWERED_LATE,), CrashPlan(KINDS), ExpectedPings(harness)
    await _wants_direct_messages(harness, harness.people[1])
    for number in range(1, MAX_MATCHES):
        harness.channel = harness.guild.channel(f"games {number}")
        await _play_slow_match(harness, plan, pings)
        print(f"match {number}: {plan}", flush=True)  # noqa: T201  # progress of a soak
        if not plan.left:
            break
    assert plan.left == []
    assert plan.crashes > len(KINDS)


async def test_a_direct_message_is_deleted_after_two_crashes_while_sending_it(harness: AppHarness) -> None:
    match, expected = ScriptedMatch(harness, target=12), None
    for person in match.people:
        await _wants_direct_messages(harness, person)
    for _ in range(4):
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()
    await wait_until_recorded(harness)
    await harness.kill_app()
    with app_database(harness) as connection:  # as if the app hadn't heard that its message was posted
        connection.execute("UPDATE tables SET notice_id = NULL, displayed_revision = revision - 1")
    harness.world.clock.advance(NONCE_WINDOW + 1)
    harness.world.faults.next("POST", "/users/@me/channels", status="timeout")
    await harness.start_app()
    async with asyncio.timeout(10):
        while harness.world.faults.waiting:  # noqa: ASYNC110  # a request that is not answered changes nothing
            await asyncio.sleep(0.01)
    assert await match.next_step(expected).do()
    await harness.kill_app()
    await harness.start_app()
    await wait_until_displayed(harness)


async def _wants_direct_messages(harness: AppHarness, person: Person) -> None:
    panel = shown(await person.slash(harness.channel, "gang settings"))
    (menu,) = [menu for menu in panel.selects if "notifications" in menu.custom_id]
    await person.select(panel, "direct", custom_id=menu.custom_id)


async def _play_slow_match(harness: AppHarness, plan: CrashPlan, pings: ExpectedPings) -> None:
    """Play at one table until it is closed or the match is over, crashing where the plan says so."""
    match, expected = SlowMatch(harness, lambda: plan.left), None
    while expected is None or expected.table.row.status.is_open:
        step = match.next_step(expected)
        result = await take_step(harness, plan, step)
        _check_step(expected, step, result)
        expected = result.expected
        if expected is not None:
            _check_deadline(expected)
            _check_log(expected)
            pings.check(expected)


def _check_step(before: ExpectedState | None, step: CheckedStep, result: StepResult) -> None:
    """The log kept its lines, and the step took effect once; it may be lost only if it was not confirmed."""
    if before is None or result.expected is None:
        assert before is None, result.what
        assert result.expected is not None or not result.accepted, result.what
        return
    old, new = before.lines, result.expected.lines
    assert new[: len(old)] == old, result.what
    assert step.change is not None
    found = comparable(result.expected.table), tuple(line.event for line in new[len(old) :])
    table, events = outcome(before.table, step.change(before.table))
    done, not_done = (comparable(table), events), (comparable(before.table), ())
    assert found in ([done] if result.accepted else [done, not_done]), result.what


def _check_deadline(expected: ExpectedState) -> None:
    """The stored deadline is the one computed from the table; in a lobby it counts from the last press."""
    computed, stored = Timing().next(expected.table, 0), expected.deadline
    if expected.table.row.status is Status.LOBBY:
        assert computed is not None
        assert stored is not None
        computed = Deadline(computed.table_id, computed.kind, stored.due_at)
    assert stored == computed


def _check_log(expected: ExpectedState) -> None:
    """The log is valid; a match in play is checked as if it were abandoned now."""
    if expected.table.state is None:
        return
    end = play.abandon(expected.table, "closed").events if expected.table.row.status is Status.PLAYING else ()
    lines = [*expected.lines, *(Line(event, at=0) for event in end)]
    verify(lines)
