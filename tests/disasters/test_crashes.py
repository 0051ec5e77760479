"""The app crashes at every point at which a coroutine may continue, and neither loses nor repeats a move or a notice.

Three people play matches, and in each step the app crashes at a point (see `crash_points`). All points take an hour.
"""

from bot.engine.events import MatchEnded
from bot.engine.verification import verify
from bot.table.model import Status
from playground.world.interactions import FIRST_ANSWER_SECONDS
from tests.disasters.crash_points import MAX_MATCHES, CrashPlan, check_step, take_step
from tests.disasters.expected_state import ping_counts
from tests.disasters.scripted_match import KINDS, ScriptedMatch
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness
from tests.end_to_end.inspection import app_database

TARGET = 12
"""Reached in one or two hands, so that hands and matches end often."""


async def test_crashes_lose_and_duplicate_nothing(harness: AppHarness) -> None:
    harness.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
    harness.ignored_violations, plan = (ANSWERED_LATE,), CrashPlan(KINDS)
    for number in range(1, MAX_MATCHES):
        harness.channel = harness.guild.channel(f"games {number}")
        await _play_a_match(harness, plan, number)
        print(f"match {number}: {plan}", flush=True)  # noqa: T201  # progress of a soak
        if not plan.left:
            break
    assert plan.left == []
    assert plan.crashes > len(KINDS)
    assert all(set(ping_counts(person).values()) == {1} for person in harness.people[:3])


async def _play_a_match(harness: AppHarness, plan: CrashPlan, number: int) -> None:
    """Play a match to its end, crashing where the plan says so."""
    match, expected = ScriptedMatch(harness, target=TARGET), None
    while expected is None or expected.table.row.status is not Status.OVER:
        if not plan.left:
            return
        result = await take_step(harness, plan, match.next_step(expected))
        check_step(expected, result)
        expected = result.expected
        if expected is not None and expected.user_to_act is not None:
            (person,) = [person for person in harness.people if person.id == expected.user_to_act]
            assert ping_counts(person)[str(expected.nonce)] == 1
    assert expected.table.id == number
    verify(expected.lines)
    assert sum(isinstance(line.event, MatchEnded) for line in expected.lines) == 1
    with app_database(harness) as connection:
        assert connection.execute("SELECT count(*) FROM matches WHERE table_id = ?", (number,)).fetchone() == (1,)
