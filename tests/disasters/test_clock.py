"""The wall clock is set, forwards and backwards, while turns and robots run: nothing is due early, twice or never.

What the machine says is true: a moment that was shown comes when its clock gets there, however it does.
"""

import asyncio
import re
from pathlib import Path

import pytest

from tests.disasters.script import Match
from tests.disasters.steered import SteeredRoom, steered_room
from tests.disasters.steering import Dial
from tests.disasters.truth import Truth, calls_heard, calls_shown, comes_true, truths
from tests.end_to_end.room import Player

BEFORE_REMINDER = 40_000
HOUR = 3_600_000
OFTEN = {"bot.services.deadlines.LONGEST_SLEEP": 0.05}
"""So that nobody waits long for the app to look at its clock."""


def _late(room: SteeredRoom) -> list[str]:
    """The calls that say that somebody's time is up."""
    return [
        call.text for call in calls_shown(room.people[-1], room.channel, 1) if "What shall the table do?" in call.text
    ]


async def _has_looked(room: SteeredRoom) -> None:
    """Wait until the app has looked at its clock a few times: it does something each time."""
    enough = room.steering[Dial.STEPS] + 200
    async with asyncio.timeout(20):
        while room.steering[Dial.STEPS] < enough:  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.01)


async def _playing(room: SteeredRoom) -> tuple[Match, Truth]:
    match, truth = Match(room, target=100, pace="live"), None
    for _ in range(5):
        assert await match.next_step(truth).do()
        (truth,) = (await comes_true(room)).values()
    assert truth is not None
    return match, truth


def _shown_end(room: SteeredRoom) -> int:
    """When the turn ends, as the channel is told (UTC milliseconds); 0 while one call gives way to the next."""
    calls = calls_shown(room.people[-1], room.channel, 1)
    return max((int(moment) * 1000 for call in calls for moment in re.findall(r"<t:(\d+):R>", call.text)), default=0)


async def test_a_turn_is_over_at_the_moment_shown_not_before_and_once_wherever_the_clock_jumps(tmp_path: Path) -> None:
    async with steered_room(tmp_path, OFTEN) as room:
        match, truth = await _playing(room)
        end = await room.people[-1].until(lambda: _shown_end(room))
        for moment in (end - BEFORE_REMINDER, end - HOUR, end - 2 * HOUR, end - BEFORE_REMINDER, end + 1000):
            room.steering[Dial.JUMP] += moment - room.now()
            await _has_looked(room)
            assert _late(room) == []
        await room.people[-1].until(lambda: _shown_end(room) > end)  # the reminder came late, and moved it
        end = _shown_end(room)
        for moment in (end + 1000, end - HOUR, end + 1000):
            room.steering[Dial.JUMP] += moment - room.now()
            await room.people[-1].until(lambda: _late(room) != [])
            await _has_looked(room)
            assert len(_late(room)) == 1
        assert await match.next_step(truth).do()
        await comes_true(room)
        assert _late(room) == []
        assert all(set(calls_heard(person).values()) == {1} for person in match.people)


@pytest.mark.parametrize("jump", [-HOUR, HOUR], ids=["backwards", "forwards"])
async def test_robots_go_on_when_the_clock_is_set(tmp_path: Path, jump: int) -> None:
    async with steered_room(tmp_path, OFTEN, ROBOT_SECONDS="0.5") as room:
        ana = room.people[0]
        await room.open(ana, seats=3)
        await room.seat([], ai_players=2)
        await room.begin()
        player = Player(room, ana)
        for _ in range(2):
            await _is_anas_turn(room)
            await player.open()
            await player.act()
            room.steering[Dial.JUMP] += jump
        await _is_anas_turn(room)


async def _is_anas_turn(room: SteeredRoom) -> None:
    async with asyncio.timeout(15):
        while truths(room)[1].person is None:  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.01)
    await comes_true(room)
