"""Every kind of request that the app makes is refused, delayed, lost before or lost after its deed, one at a time.

Which kinds there are is read off what the app asks for in an ordinary match.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from bot.table.model import Status
from playground.client.resolving import NotOffered
from playground.faults import Status as Answer
from tests.disasters.script import Match, Unanswered
from tests.disasters.steered import LATE, SteeredRoom, steered_room
from tests.disasters.truth import Truth, calls_heard, comes_true, is_remembered

Kind = tuple[str, str]
SOON = {
    "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0, 5.0),
    "bot.presentation.channel.refresh_queue.LONGEST": 2.0,
}
"""So that nobody waits long for what is tried again."""
TROUBLES: tuple[tuple[Answer, bool], ...] = (
    (429, False),
    (500, False),
    (503, False),
    ("timeout", False),
    ("reset", False),
    (500, True),
    ("timeout", True),
    ("reset", True),
)
"""What happens to a request, and whether its deed is done all the same."""
AT_START: tuple[tuple[Answer, bool], ...] = ((429, False), (500, False), ("reset", True))
"""Where no answer comes, a start takes long, and whoever watches over the app starts it again."""
AT_PLAY = {
    ("POST", "/channels/*/messages"),
    ("PATCH", "/channels/*/messages/*"),
    ("DELETE", "/channels/*/messages/*"),
    ("POST", "/interactions/*/*/callback"),
    ("PATCH", "/webhooks/*/*/messages/@original"),
    ("DELETE", "/webhooks/*/*/messages/@original"),
}
TARGET = 30


def _kinds(room: SteeredRoom, since: int = 0) -> set[Kind]:
    """What was asked for, without ids and tokens."""
    return {(seen.method, _pattern(seen.route)) for seen in room.world.requests[since:]}


def _pattern(route: str) -> str:
    parts = route.split("/")
    return "/".join("*" if part.isdecimal() or len(part) > 40 else part for part in parts)


async def _step(room: SteeredRoom, match: Match, truth: Truth | None) -> Truth | None:
    """Somebody does something, whatever comes of it; then all that is shown is true."""
    with suppress(Unanswered, NotOffered):
        await match.next_step(truth).do()
    found = await comes_true(room)
    truth = next(reversed(found.values()), None)
    return None if truth is not None and truth.table.row.status is Status.OVER else truth


async def _play(room: SteeredRoom, match: Match, truth: Truth | None, number: int) -> Truth | None:
    for _ in range(number):
        truth = await _step(room, match, truth)
    return truth


async def test_the_kinds_of_requests_at_play_are_known(room: SteeredRoom) -> None:
    before = len(room.world.requests)
    match = Match(room, target=1)
    truth = await _play(room, match, None, 5)
    while truth is not None:
        truth = await _step(room, match, truth)
    assert _kinds(room, before) == AT_PLAY


@pytest.mark.parametrize("first", range(2))
async def test_whatever_befalls_a_request_the_match_goes_on(tmp_path: Path, first: int) -> None:
    """Four matches beside each other, as most of the time is spent in waiting."""
    every = [(kind, trouble) for trouble in TROUBLES for kind in sorted(AT_PLAY)]
    shares = [every[share::8] for share in range(first * 4, first * 4 + 4)]
    folders = [tmp_path / str(number) for number in range(4)]
    async with asyncio.TaskGroup() as group:
        for folder, share in zip(folders, shares, strict=True):
            group.create_task(_suffer(folder, share))


async def _suffer(folder: Path, troubles: list[tuple[Kind, tuple[Answer, bool]]]) -> None:
    async with steered_room(folder, SOON) as room:
        room.excused = ("40060", LATE)  # whoever does not hear that an answer was taken gives another
        match = Match(room, target=TARGET)
        truth = await _play(room, match, None, 6)
        for kind, (answer, after) in troubles:
            faults = room.world.faults
            faults.next(*kind, status=answer, after=after)
            for _ in range(40):
                truth = await _step(room, match, truth)
                if not faults.waiting:
                    break
            assert not faults.waiting, (kind, "does not happen any more")
            truth = await _play(room, match, truth, 2)
        await is_remembered(room)
        assert all(set(calls_heard(person).values()) == {1} for person in match.people)


async def test_an_outage_longer_than_all_intervals_ends_with_the_turn_called(tmp_path: Path) -> None:
    constants = {"bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.01, 0.02)}
    async with steered_room(tmp_path, constants) as room:
        match = Match(room, target=TARGET)
        truth = await _play(room, match, None, 6)
        kind = ("POST", "/channels/*/messages")
        room.world.faults.next(*kind, status=503, times=20)
        await _step(room, match, truth)
        assert room.world.faults.waiting == 0
        assert [seen.status for seen in room.world.requests if (seen.method, _pattern(seen.route)) == kind].count(
            503
        ) == 20
        await is_remembered(room)
        assert all(set(calls_heard(person).values()) == {1} for person in match.people)


async def test_whatever_befalls_a_request_of_a_start_it_starts_or_says_why_not(room: SteeredRoom) -> None:
    kinds = sorted(_kinds(room))
    assert len(kinds) >= 4
    for kind in kinds:
        for answer, after in AT_START:
            await room.stop_app()
            room.world.faults.next(*kind, status=answer, after=after)
            said = len(room.log.read_text())
            if not await room.starts():
                assert room.app is not None
                assert await room.app.wait() == 1
                assert room.log.read_text()[said:].splitlines()[-1].startswith("Discord cannot be reached: ")
                await room.start_app()
            assert room.world.faults.waiting == 0, kind
    await _play(room, Match(room, target=1), None, 4)
