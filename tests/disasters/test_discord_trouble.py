"""Each kind of request is refused, delayed, or lost before or after it took effect, one at a time.

The kinds come from the requests of an ordinary match.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from bot.table.model import Status
from playground.client.resolving import NotOffered
from playground.faults import Status as Answer
from playground.world.interactions import FIRST_ANSWER_SECONDS
from tests.disasters.expected_state import ExpectedState, ping_counts, wait_until_displayed, wait_until_recorded
from tests.disasters.scripted_match import ScriptedMatch, Unanswered
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness, running_app

Kind = tuple[str, str]
SOON = {
    "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0, 5.0),
    "bot.presentation.channel.refresh_queue.TIMEOUT": 2.0,
}
"""Wait briefly before retries."""
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
"""The response to a request, and whether it takes effect."""
AT_START: tuple[tuple[Answer, bool], ...] = ((429, False), (500, False), ("reset", True))
"""Without timeouts, which make a start slow."""
AT_PLAY = {
    ("POST", "/channels/*/messages"),
    ("PATCH", "/channels/*/messages/*"),
    ("DELETE", "/channels/*/messages/*"),
    ("POST", "/interactions/*/*/callback"),
    ("PATCH", "/webhooks/*/*/messages/@original"),
    ("DELETE", "/webhooks/*/*/messages/@original"),
}
TARGET = 30


def _kinds(harness: AppHarness, since: int = 0) -> set[Kind]:
    """The methods and routes of requests, without ids and tokens."""
    return {(seen.method, _pattern(seen.route)) for seen in harness.world.requests[since:]}


def _pattern(route: str) -> str:
    parts = route.split("/")
    return "/".join("*" if part.isdecimal() or len(part) > 40 else part for part in parts)


async def _step(harness: AppHarness, match: ScriptedMatch, expected: ExpectedState | None) -> ExpectedState | None:
    """Take a step, whatever its result, and wait until the displays are correct."""
    with suppress(Unanswered, NotOffered):
        await match.next_step(expected).do()
    found = await wait_until_displayed(harness)
    expected = next(reversed(found.values()), None)
    return None if expected is not None and expected.table.row.status is Status.OVER else expected


async def _play(
    harness: AppHarness, match: ScriptedMatch, expected: ExpectedState | None, number: int
) -> ExpectedState | None:
    for _ in range(number):
        expected = await _step(harness, match, expected)
    return expected


async def test_the_kinds_of_requests_at_play_are_known(harness: AppHarness) -> None:
    before = len(harness.world.requests)
    match = ScriptedMatch(harness, target=1)
    expected = await _play(harness, match, None, 5)
    while expected is not None:
        expected = await _step(harness, match, expected)
    assert _kinds(harness, before) == AT_PLAY


@pytest.mark.parametrize("first", range(2))
async def test_a_match_goes_on_after_trouble_with_any_request(tmp_path: Path, first: int) -> None:
    """Four matches at the same time, since they mostly wait."""
    every = [(kind, trouble) for trouble in TROUBLES for kind in sorted(AT_PLAY)]
    shares = [every[share::8] for share in range(first * 4, first * 4 + 4)]
    folders = [tmp_path / str(number) for number in range(4)]
    async with asyncio.TaskGroup() as group:
        for folder, share in zip(folders, shares, strict=True):
            group.create_task(_play_with_trouble(folder, share))


async def _play_with_trouble(folder: Path, troubles: list[tuple[Kind, tuple[Answer, bool]]]) -> None:
    async with running_app(folder, SOON) as harness:
        harness.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
        harness.ignored_violations = (
            "40060",
            ANSWERED_LATE,
        )  # a user who sees no confirmation answers again
        match = ScriptedMatch(harness, target=TARGET)
        expected = await _play(harness, match, None, 6)
        for kind, (answer, after) in troubles:
            faults = harness.world.faults
            faults.next(*kind, status=answer, after=after)
            for _ in range(40):
                expected = await _step(harness, match, expected)
                if not faults.waiting:
                    break
            assert not faults.waiting, (kind, "does not happen any more")
            expected = await _play(harness, match, expected, 2)
        await wait_until_recorded(harness)
        assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def test_an_outage_longer_than_all_intervals_ends_with_the_turn_called(tmp_path: Path) -> None:
    constants = {"bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.01, 0.02)}
    async with running_app(tmp_path, constants) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        expected = await _play(harness, match, None, 6)
        kind = ("POST", "/channels/*/messages")
        harness.world.faults.next(*kind, status=503, times=20)
        await _step(harness, match, expected)
        assert harness.world.faults.waiting == 0
        assert [seen.status for seen in harness.world.requests if (seen.method, _pattern(seen.route)) == kind].count(
            503
        ) == 20
        await wait_until_recorded(harness)
        assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def test_after_trouble_with_any_request_the_app_starts_or_says_why_not(harness: AppHarness) -> None:
    kinds = sorted(_kinds(harness))
    assert len(kinds) >= 4
    for kind in kinds:
        for answer, after in AT_START:
            await harness.stop_app()
            harness.world.commands[None].clear()  # so that they are published again
            harness.world.faults.next(*kind, status=answer, after=after)
            said = len(harness.log.read_text())
            if not await harness.try_start():
                assert harness.app is not None
                assert await harness.app.wait() == 1
                assert harness.log.read_text()[said:].splitlines()[-1].startswith("Discord cannot be reached: ")
                await harness.start_app()
            assert harness.world.faults.waiting == 0, kind
    await _play(harness, ScriptedMatch(harness, target=1), None, 4)
