"""Two processes with the same SQLite file: one serves, the other says that it waits, and takes over."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.process import health
from tests.disasters.expected_state import expected_states, wait_until_displayed
from tests.disasters.scripted_match import ScriptedMatch
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.app_process import AppProcess, Controls, fork_server
from tests.end_to_end.inspection import database_of

WAITS = "another process serves these servers; waiting until it ends"
SERVES = "serving all servers"


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path) as harness:
        yield harness


@asynccontextmanager
async def second(harness: AppHarness, folder: Path) -> AsyncIterator[AppProcess]:
    """A second process, which waits."""
    log, controls = folder / "second.log", Controls(folder / "second.controls")
    app = await fork_server().start(log, harness.environment(), controls.file, harness.constants)
    try:
        await says(log, WAITS)
        yield app
        assert "Traceback" not in log.read_text()
        assert log.read_text().count(WAITS) == 1
    finally:
        await app.ended(signal.SIGTERM)


async def says(log: Path, text: str) -> None:
    async with asyncio.timeout(60):
        while text not in (log.read_text() if log.exists() else ""):  # noqa: ASYNC110, ASYNC240  # a file can only be polled
            await asyncio.sleep(0.02)


async def play(harness: AppHarness, match: ScriptedMatch, steps: int) -> None:
    """Play some steps; each must be confirmed."""
    for _ in range(steps):
        expected = next(iter(expected_states(harness).values()), None)
        assert await match.next_step(expected).do()
        await wait_until_displayed(harness)


async def test_the_second_process_waits_and_says_so(harness: AppHarness, tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{database_of(harness)}"
    match, sessions = ScriptedMatch(harness, target=1000), len(harness.world.gateway.sessions)
    await play(harness, match, 4)
    async with second(harness, tmp_path):
        await play(harness, match, 6)
        async with asyncio.timeout(60):
            while not health.is_waiting(url) or health.problem(url) is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert len(harness.world.gateway.sessions) == sessions
        assert SERVES not in (tmp_path / "second.log").read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_the_second_process_takes_over_when_the_first_ends(
    harness: AppHarness, tmp_path: Path, number: signal.Signals
) -> None:
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    async with second(harness, tmp_path):
        if number is signal.SIGTERM:
            await harness.stop_app()
        else:
            await harness.kill_app()
        await says(tmp_path / "second.log", SERVES)
        await harness.world.app_ready(60)
        await play(harness, match, 6)


async def test_a_stopped_process_goes_on_where_it_was(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    assert harness.app is not None
    async with second(harness, tmp_path):
        os.kill(harness.app.pid, signal.SIGSTOP)
        pressed = asyncio.create_task(match.next_step(next(iter(expected_states(harness).values()))).do())
        await asyncio.sleep(0)
        os.kill(harness.app.pid, signal.SIGCONT)
        assert await pressed
        await play(harness, match, 4)
        assert SERVES not in (tmp_path / "second.log").read_text()


async def test_a_restart_waits_for_nobody(harness: AppHarness) -> None:
    for _ in range(2):
        await harness.kill_app()
        await harness.start_app()
    await harness.stop_app()
    await harness.start_app()
    assert WAITS not in harness.log.read_text()
