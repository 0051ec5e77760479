"""Two hundred people press present, earlier and invented buttons: only legal actions happen, once each.

With `GANG_OF_FOUR_SOAK=1` they do so for a minute.
"""

import asyncio
import os
import random
from collections.abc import Awaitable, Callable
from itertools import count

from bot.engine.verification import verify
from bot.table.model import Status
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply
from tests.disasters.expected_state import ExpectedState, expected_states, ping_counts, wait_until_displayed
from tests.disasters.scripted_match import ScriptedMatch, Unanswered
from tests.end_to_end.app_harness import AppHarness

CROWD = 200
TWICE = 20
"""People who press twice at the same moment."""
SECONDS = 60 if "GANG_OF_FOUR_SOAK" in os.environ else 0
ROUNDS = 8
VERBS = ("join", "leave", "robot", "options", "start", "hand", "rules", "rematch", "play", "last", "pass", "declare")
ENOUGH = ("give", "card", "again", "menu", "concede")


class Crowd:
    """People who press buttons, and the ids of all buttons that they have seen."""

    def __init__(self, harness: AppHarness) -> None:
        self.harness = harness
        self.rng = random.Random(200)
        self.people = [*harness.people, *(harness.world.person(f"Guest {number}") for number in range(CROWD - 4))]
        self.seen: set[str] = set()
        self.pressed = 0

    def look(self) -> None:
        """Remember the buttons in the channel, including private ones."""
        for message in self.harness.channel.messages.values():
            for person in self.harness.people:
                if self.harness.world.can_see(person, message):
                    shown = next(seen for seen in person.sees(self.harness.channel) if seen.message is message)
                    self.seen |= {button.custom_id for button in shown.buttons if button.custom_id}
                    break

    async def press(self) -> list[Reply]:
        """All press at the same moment, some of them twice."""
        public = [message for message in self.harness.people[0].sees(self.harness.channel) if not message.ephemeral]
        if not public:
            return []
        presses = [(person, self._id()) for person in self.people]
        presses += self.rng.sample(presses, TWICE)
        self.rng.shuffle(presses)
        self.pressed += len(presses)
        message = self.rng.choice(public)
        return await asyncio.gather(*(self._press(person, custom_id, message) for person, custom_id in presses))

    async def _press(self, person: Person, custom_id: str, message: object) -> Reply:
        return await person.press_old(custom_id, message)  # type: ignore[arg-type]

    def _id(self) -> str:
        """The id of a button that has been shown, or a forged one."""
        moment = self.rng.choice((0, 1, 7, self.rng.randrange(90)))
        forged = f"g4:{self.rng.choice((*VERBS, *ENOUGH))}:{self.rng.choice((1, 1, 1, 2))}:{moment}:n::"
        return self.rng.choice((forged, *sorted(self.seen))) if self.seen else forged


async def test_presses_of_spectators_do_not_change_a_match(harness: AppHarness) -> None:
    match, crowd, steps = ScriptedMatch(harness, target=1000 if SECONDS else 12), Crowd(harness), Steps()
    expected = await _until_the_start(harness, match)
    ends = asyncio.get_running_loop().time() + SECONDS
    for number in count(1):
        crowd.look()
        doing = [asyncio.create_task(steps.take(match.next_step(expected).do))]
        presses = asyncio.create_task(crowd.press())
        await asyncio.wait({*doing, presses})
        assert [reply.failed for reply in presses.result() if reply.failed] == []
        _check_log_grew(expected, now := expected_states(harness)[1])
        expected = now
        if expected.table.row.status is not Status.PLAYING:
            break
        if number >= ROUNDS and asyncio.get_running_loop().time() >= ends:
            break
    assert steps.taken >= steps.tried / 2
    assert crowd.pressed >= ROUNDS * CROWD or expected.table.row.status is Status.OVER
    await _check_consistency(harness, match, expected)


class Steps:
    """The numbers of steps that the players tried and took."""

    def __init__(self) -> None:
        self.tried = self.taken = 0

    async def take(self, do: Callable[[], Awaitable[bool]]) -> None:
        """Try."""
        self.tried += 1
        try:
            self.taken += await do()
        except (Unanswered, NotOffered):  # another press has changed the panel
            return


async def _until_the_start(harness: AppHarness, match: ScriptedMatch) -> ExpectedState:
    expected: ExpectedState | None = None
    while expected is None or expected.table.row.status is Status.LOBBY:
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()
    return expected


def _check_log_grew(before: ExpectedState, after: ExpectedState) -> None:
    assert after.lines[: len(before.lines)] == before.lines
    assert after.table.row.seats == before.table.row.seats


async def _check_consistency(harness: AppHarness, match: ScriptedMatch, expected: ExpectedState) -> None:
    """The log is valid, and each player was notified once per turn."""
    if expected.table.row.status is Status.PLAYING:  # a log is verified when its seed is revealed
        await harness.close_table(expected.table.id)
        (expected,) = (await wait_until_displayed(harness)).values()
    verify(expected.lines)
    await wait_until_displayed(harness)
    assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def test_a_crowd_that_wants_the_same_seats_gets_them_once(harness: AppHarness) -> None:
    ana, crowd = harness.people[0], Crowd(harness)
    table = await harness.open_table(ana, seats=4)
    everybody = [person for person in crowd.people if person is not ana]
    pressing = [*everybody, *everybody[:TWICE]]
    replies = await asyncio.gather(*(person.press_old("g4:join:1:0", table) for person in pressing))
    assert [reply.failed for reply in replies if reply.failed] == []
    assert sum(reply.deferred for reply in replies) == 3
    (expected,) = (await wait_until_displayed(harness)).values()
    assert len({seat.user_id for seat in expected.table.seats}) == 4
    starts = await asyncio.gather(*(person.press_old("g4:start:1:0", table) for person in crowd.people))
    assert sum(reply.deferred for reply in starts) == 1
    (expected,) = (await wait_until_displayed(harness)).values()
    assert expected.table.row.status is Status.PLAYING
