"""The app is stopped while people act: running actions finish, new ones are refused with a sentence."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from playground.client.person import Person
from playground.client.screen import Reply
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.inspection import app_database, private_text, wait_for_log

PRESSES = 36
MOST = 24
"""Presses that open a table, since more are refused in a minute; the others list the tables."""
WITHIN = 10.0
"""Seconds that `docker stop` waits."""
LATER = "back in a moment"
ANSWERS = (LATER, " is open.", "is open in this server", "open table", "can't reach the saved tables")
"""The last one occurs on very slow machines."""


async def _open(harness: AppHarness, person: Person) -> Reply:
    return await person.slash(harness.channel, "gang new", seats=3)


def _tables(harness: AppHarness) -> int:
    with app_database(harness) as connection:
        (number,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    return int(number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_running_actions_end_and_new_ones_are_refused(tmp_path: Path, number: signal.Signals) -> None:
    async with running_app(tmp_path, {"bot.app.DRAIN_SECONDS": 60.0}) as harness:
        await _stop_while_people_act(harness, number)


async def _stop_while_people_act(harness: AppHarness, number: signal.Signals) -> None:
    people = [harness.world.person(f"Guest {each}") for each in range(PRESSES)]
    assert harness.app is not None
    running = [asyncio.create_task(_open(harness, person)) for person in people[:MOST]]
    running += [asyncio.create_task(person.slash(harness.channel, "gang list")) for person in people[MOST:]]
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    os.kill(harness.app.pid, number)
    replies = await asyncio.gather(*running)
    assert [reply.failed for reply in replies if reply.failed is not None] == []
    texts = [private_text(reply) for reply in replies]
    assert [text for text in texts if not any(answer in text for answer in ANSWERS)] == []
    assert await harness.app.wait() == 0
    assert _tables(harness) == sum(" is open." in text for text in texts)


async def test_the_app_stops_in_time_despite_a_stuck_action_and_refuses_new_ones(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    assert harness.app is not None
    with app_database(harness) as connection:
        connection.execute("BEGIN IMMEDIATE")
        stuck = asyncio.create_task(_open(harness, ana))
        await ana.until(lambda: harness.world.interactions.pending)
        began = time.monotonic()
        os.kill(harness.app.pid, signal.SIGTERM)
        await wait_for_log(harness, "stopping: new actions are refused")
        assert LATER in private_text(await _open(harness, ben))
        assert await harness.app.wait() == 0
        assert time.monotonic() - began < WITHIN
        connection.execute("ROLLBACK")
    await stuck
    assert _tables(harness) == 0
