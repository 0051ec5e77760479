"""The wall clock is set forwards and backwards during turns: nothing happens early, twice or never.

A displayed time arrives when the machine's clock shows it.
"""

import asyncio
import re
from pathlib import Path

import pytest

from tests.disasters.expected_state import (
    ExpectedState,
    expected_states,
    ping_counts,
    pings_shown,
    wait_until_displayed,
)
from tests.disasters.scripted_match import ScriptedMatch
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.app_process import Control

BEFORE_REMINDER = 40_000
HOUR = 3_600_000
OFTEN = {"bot.services.deadlines.MAX_SLEEP": 0.05}
"""Let the app look at its clock often."""


def _late(harness: AppHarness) -> list[str]:
    """The notices that say that a player's time is up."""
    return [
        call.text
        for call in pings_shown(harness.people[-1], harness.channel, 1)
        if "What should happen now?" in call.text
    ]


async def _playing(harness: AppHarness) -> tuple[ScriptedMatch, ExpectedState]:
    match, expected = ScriptedMatch(harness, target=100, pace="live"), None
    for _ in range(5):
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()
    assert expected is not None
    return match, expected


def _shown_end(harness: AppHarness) -> int:
    """The displayed end of the turn (UTC milliseconds); 0 while a notice is being replaced."""
    calls = pings_shown(harness.people[-1], harness.channel, 1)
    return max((int(moment) * 1000 for call in calls for moment in re.findall(r"<t:(\d+):R>", call.text)), default=0)


async def test_a_turn_ends_once_and_at_the_displayed_time_when_the_clock_jumps(tmp_path: Path) -> None:
    async with running_app(tmp_path, OFTEN) as harness:
        match, expected = await _playing(harness)
        end = await harness.people[-1].until(lambda: _shown_end(harness))
        for moment in (end - BEFORE_REMINDER, end - HOUR, end - 2 * HOUR, end - BEFORE_REMINDER, end + 1000):
            harness.controls[Control.CLOCK_OFFSET] += moment - harness.now()
            await harness.has_looked()
            assert _late(harness) == []
        await harness.people[-1].until(lambda: _shown_end(harness) > end)  # the reminder came late, and moved it
        end = _shown_end(harness)
        for moment in (end + 1000, end - HOUR, end + 1000):
            harness.controls[Control.CLOCK_OFFSET] += moment - harness.now()
            await harness.people[-1].until(lambda: _late(harness) != [])
            await harness.has_looked()
            assert len(_late(harness)) == 1
        assert await match.next_step(expected).do()
        await wait_until_displayed(harness)
        assert _late(harness) == []
        assert all(set(ping_counts(person).values()) == {1} for person in match.people)


@pytest.mark.parametrize("jump", [-HOUR, HOUR], ids=["backwards", "forwards"])
async def test_ai_players_continue_when_the_clock_jumps(tmp_path: Path, jump: int) -> None:
    async with running_app(tmp_path, OFTEN, AI_DELAY_SECONDS="0.5") as harness:
        (player,) = await harness.begin_match(1, ai_players=2)
        for _ in range(2):
            await _is_anas_turn(harness)
            await player.open()
            await player.act()
            harness.controls[Control.CLOCK_OFFSET] += jump
        await _is_anas_turn(harness)


async def _is_anas_turn(harness: AppHarness) -> None:
    async with asyncio.timeout(15):
        while expected_states(harness)[1].user_to_act is None:  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.01)
    await wait_until_displayed(harness)
