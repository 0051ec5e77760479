"""Responses to posts are lost, and Discord forgets their nonces: nothing is posted twice."""

from pathlib import Path

import pytest

from playground.rest.messages import NONCE_WINDOW
from playground.world.permissions import Permission
from tests.disasters.expected_state import ExpectedState, ping_counts, wait_until_displayed, wait_until_recorded
from tests.disasters.scripted_match import ScriptedMatch, Step
from tests.end_to_end.app_harness import AppHarness, running_app

TARGET = 100
IMPATIENT = {
    "bot.presentation.channel.refresh_queue.TIMEOUT": 2.0,
    "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5),
}
"""Wait briefly for answers that never come."""


async def _until(harness: AppHarness, match: ScriptedMatch, kind: str) -> tuple[ExpectedState | None, Step]:
    """Play until the next step is of this kind."""
    expected: ExpectedState | None = None
    while (step := match.next_step(expected)).kind != kind:
        assert await step.do()
        (expected,) = (await wait_until_displayed(harness)).values()
    if expected is not None:
        await wait_until_recorded(harness)
    return expected, step


async def _take_without_response(harness: AppHarness, step: Step) -> None:
    """Take a step whose message is posted while the app never gets the response."""
    harness.world.faults.next("POST", "/channels/*/messages", status="timeout", after=True)
    assert await step.do()
    await harness.people[-1].until(lambda: harness.world.faults.waiting == 0)


@pytest.mark.parametrize("kind", ["open", "lead", "end a hand"], ids=["the table", "a call", "a report"])
async def test_after_a_long_downtime_posted_messages_are_found(harness: AppHarness, kind: str) -> None:
    match = ScriptedMatch(harness, target=TARGET)
    _, step = await _until(harness, match, kind)
    await _take_without_response(harness, step)
    await harness.kill_app()
    harness.world.clock.advance(NONCE_WINDOW + 1)

    await harness.start_app()

    (expected,) = (await wait_until_displayed(harness)).values()
    await wait_until_recorded(harness)
    assert all(set(ping_counts(person).values()) <= {1} for person in match.people)
    assert await match.next_step(expected).do()
    await wait_until_displayed(harness)


async def test_a_call_with_a_lost_response_is_deleted_after_its_turn(tmp_path: Path) -> None:
    async with running_app(tmp_path, IMPATIENT) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        _, step = await _until(harness, match, "follow")
        await _take_without_response(harness, step)
        harness.world.clock.advance(NONCE_WINDOW + 1)
        (expected,) = (await wait_until_displayed(harness)).values()

        assert await match.next_step(expected).do()

        await wait_until_displayed(harness)
        assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def test_posting_works_without_read_message_history(harness: AppHarness) -> None:
    harness.channel.deny(harness.world.bot, Permission.READ_MESSAGE_HISTORY)
    match = ScriptedMatch(harness, target=TARGET)
    _, step = await _until(harness, match, "lead")
    await _take_without_response(harness, step)
    await harness.kill_app()

    await harness.start_app()

    (expected,) = (await wait_until_displayed(harness)).values()
    assert all(set(ping_counts(person).values()) <= {1} for person in match.people)
    assert await match.next_step(expected).do()
    await wait_until_displayed(harness)
