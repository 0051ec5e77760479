"""Two processes on one token and database: both say so, and messages of a gone one are cleaned up."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from playground.client.resolving import NotOffered
from tests.disasters.expected_state import expected_states, wait_until_displayed, wait_until_recorded
from tests.disasters.scripted_match import ScriptedMatch, Unanswered
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness, running_app
from tests.end_to_end.app_process import AppProcess, Controls, fork_server
from tests.end_to_end.inspection import app_database, wait_for_log

OFTEN = {"bot.health.INTERVAL": 0.2, "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0)}
BY_ANOTHER = ("40060", ANSWERED_LATE)
"""Each press reaches both processes, and both answer."""
SAYS = "Another process serves the same bot from the same database"


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, OFTEN) as harness:
        harness.ignored_violations = BY_ANOTHER
        yield harness


@asynccontextmanager
async def _second(harness: AppHarness, folder: Path) -> AsyncIterator[AppProcess]:
    """A second process, which is killed at the end. Both have reported each other."""
    log, controls = folder / "second.log", Controls(folder / "second.controls")
    sessions = len(harness.world.gateway.sessions)
    app = await fork_server().start(log, harness.environment(), controls.file, harness.constants)
    await harness.people[0].until(lambda: len(harness.world.gateway.sessions) > sessions)
    try:
        await _says(harness.log, SAYS)
        await _says(log, SAYS)
        yield app
    finally:
        await app.ended(signal.SIGKILL)


async def _says(log: Path, text: str) -> None:
    async with asyncio.timeout(20):
        while text not in log.read_text():  # noqa: ASYNC110, ASYNC240  # a file can only be polled
            await asyncio.sleep(0.02)


async def _play(harness: AppHarness, match: ScriptedMatch, steps: int) -> None:
    for _ in range(steps):
        with suppress(Unanswered, NotOffered):
            await match.next_step(next(iter(expected_states(harness).values()), None)).do()
        await wait_until_recorded(harness)


def _forget_the_call(harness: AppHarness) -> None:
    """Post a notice that no process knows about."""
    with app_database(harness) as connection:
        connection.execute("UPDATE tables SET notice = NULL, notice_id = NULL, display_version = display_version + 1")


async def test_two_processes_warn_and_the_second_cleans_up_after_the_first(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await _play(harness, match, 4)
    async with _second(harness, tmp_path):
        await _play(harness, match, 10)
        _forget_the_call(harness)
    await wait_for_log(harness, "cleaning up after another process")
    (expected,) = (await wait_until_displayed(harness)).values()
    for _ in range(4):
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()


async def test_after_both_have_gone_the_next_start_cleans_up(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await _play(harness, match, 4)
    async with _second(harness, tmp_path):
        await _play(harness, match, 6)
        await harness.kill_app()
    _forget_the_call(harness)
    await harness.start_app()
    await wait_for_log(harness, "cleaning up after another process")
    await wait_until_displayed(harness)


async def test_restarts_are_not_reported_as_second_processes(harness: AppHarness) -> None:
    for _ in range(2):
        await harness.kill_app()
        await harness.start_app()
    await harness.stop_app()
    await harness.start_app()
    with app_database(harness) as connection:
        async with asyncio.timeout(10):
            while connection.execute("SELECT count(*) FROM instances").fetchone() != (1,):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    assert SAYS not in harness.log.read_text()
