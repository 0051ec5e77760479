"""The app does not hear that Discord took a message, and Discord forgets its nonce: still nothing is told twice."""

from pathlib import Path

import pytest

from playground.rest.messages import NONCE_WINDOW
from playground.world.permissions import Permission
from tests.disasters.script import Match, Step
from tests.disasters.steered import SteeredRoom, steered_room
from tests.disasters.truth import Truth, calls_heard, comes_true, is_remembered

TARGET = 100
IMPATIENT = {
    "bot.presentation.channel.refresh_queue.LONGEST": 2.0,
    "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5),
}
"""So that nobody waits long for an answer that never comes."""


async def _until(room: SteeredRoom, match: Match, kind: str) -> tuple[Truth | None, Step]:
    """Play until the next step is of this kind."""
    truth: Truth | None = None
    while (step := match.next_step(truth)).kind != kind:
        assert await step.do()
        (truth,) = (await comes_true(room)).values()
    if truth is not None:
        await is_remembered(room)
    return truth, step


async def _is_taken_unheard(room: SteeredRoom, step: Step) -> None:
    """Take a step of which the app posts something, and never hears that it stands there."""
    room.world.faults.next("POST", "/channels/*/messages", status="timeout", after=True)
    assert await step.do()
    await room.people[-1].until(lambda: room.world.faults.waiting == 0)


@pytest.mark.parametrize("kind", ["open", "lead", "end a hand"], ids=["the table", "a call", "a report"])
async def test_after_a_long_downtime_what_stands_there_is_found(room: SteeredRoom, kind: str) -> None:
    match = Match(room, target=TARGET)
    _, step = await _until(room, match, kind)
    await _is_taken_unheard(room, step)
    await room.kill_app()
    room.world.clock.advance(NONCE_WINDOW + 1)

    await room.start_app()

    (truth,) = (await comes_true(room)).values()
    await is_remembered(room)
    assert all(set(calls_heard(person).values()) <= {1} for person in match.people)
    assert await match.next_step(truth).do()
    await comes_true(room)


async def test_a_call_that_nobody_heard_of_goes_when_its_turn_is_over(tmp_path: Path) -> None:
    async with steered_room(tmp_path, IMPATIENT) as room:
        match = Match(room, target=TARGET)
        _, step = await _until(room, match, "follow")
        await _is_taken_unheard(room, step)
        room.world.clock.advance(NONCE_WINDOW + 1)
        (truth,) = (await comes_true(room)).values()

        assert await match.next_step(truth).do()

        await comes_true(room)
        assert all(set(calls_heard(person).values()) == {1} for person in match.people)


async def test_without_the_history_it_goes_on_all_the_same(room: SteeredRoom) -> None:
    room.channel.deny(room.world.bot, Permission.READ_MESSAGE_HISTORY)
    match = Match(room, target=TARGET)
    _, step = await _until(room, match, "lead")
    await _is_taken_unheard(room, step)
    await room.kill_app()

    await room.start_app()

    (truth,) = (await comes_true(room)).values()
    assert all(set(calls_heard(person).values()) <= {1} for person in match.people)
    assert await match.next_step(truth).do()
    await comes_true(room)
