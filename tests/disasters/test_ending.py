"""The app is asked to end while people act: what runs is finished, what is new is refused in a sentence."""

import asyncio
import os
import signal
import time

import pytest

from playground.client.person import Person
from playground.client.screen import Reply
from playground.world import interactions
from tests.disasters.steered import SteeredRoom
from tests.end_to_end.evidence import logged, opened, whispered

PRESSES = 36
MOST = 24
"""Tables that are asked for, as more in a minute are refused; the other presses ask for the list of tables."""
WITHIN = 10.0
"""Seconds that `docker stop` waits."""
LATER = "Back in a moment"
ANSWERS = (LATER, " is open: ", "is open in this server", "open table", "cannot be reached just now")
"""The last is for a machine so slow that the database is waited for in vain."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Discord that waits for answers for longer, as a machine with too much to do needs it."""
    monkeypatch.setattr(interactions, "FIRST_ANSWER_SECONDS", 30.0)


async def _open(room: SteeredRoom, person: Person) -> Reply:
    return await person.slash(room.channel, "gang new", seats=3)


def _tables(room: SteeredRoom) -> int:
    with opened(room) as connection:
        (number,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    return int(number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_running_actions_end_and_new_ones_are_refused(room: SteeredRoom, number: signal.Signals) -> None:
    people = [room.world.person(f"Guest {each}") for each in range(PRESSES)]
    assert room.app is not None
    running = [asyncio.create_task(_open(room, person)) for person in people[:MOST]]
    running += [asyncio.create_task(person.slash(room.channel, "gang list")) for person in people[MOST:]]
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    os.kill(room.app.pid, number)
    replies = await asyncio.gather(*running)
    assert [reply.failed for reply in replies if reply.failed is not None] == []
    texts = [whispered(reply) for reply in replies]
    assert [text for text in texts if not any(answer in text for answer in ANSWERS)] == []
    assert await room.app.wait() == 0
    assert _tables(room) == sum(" is open: " in text for text in texts)


async def test_it_ends_in_time_though_an_action_does_not_and_refuses_new_ones(room: SteeredRoom) -> None:
    ana, ben, *_ = room.people
    assert room.app is not None
    with opened(room) as connection:
        connection.execute("BEGIN IMMEDIATE")
        stuck = asyncio.create_task(_open(room, ana))
        await ana.until(lambda: room.world.interactions.pending)
        began = time.monotonic()
        os.kill(room.app.pid, signal.SIGTERM)
        await logged(room, "ending: new actions are refused")
        assert LATER in whispered(await _open(room, ben))
        assert await room.app.wait() == 0
        assert time.monotonic() - began < WITHIN
        connection.execute("ROLLBACK")
    await stuck
    assert _tables(room) == 0
