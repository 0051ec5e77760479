"""`python -m bot health` for an app that runs, has lost Discord or its database, or was killed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.process import health
from playground.sessions import HEARTBEAT
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.inspection import app_database, database_of

SOON = {
    "bot.process.health.INTERVAL": 0.1,
    "bot.services.deadlines.MAX_SLEEP": 0.2,
    "bot.services.deadlines.SAVE_SECONDS": 0.5,
}
SELDOM = {"bot.process.health.INTERVAL": 3600.0}


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, SOON) as harness:
        yield harness


def found(harness: AppHarness) -> str:
    """The answer of the command."""
    return health.problem(f"sqlite+aiosqlite:///{database_of(harness)}") or "healthy"


async def _until(harness: AppHarness, text: str, *, heartbeats: bool = False) -> None:
    """Wait for this answer; with `heartbeats`, Discord keeps asking for one and acknowledges it."""
    async with asyncio.timeout(30):
        while text not in found(harness):
            if heartbeats:
                for connection in harness.world.gateway.connections:
                    connection.send(HEARTBEAT)
            await asyncio.sleep(0.05)


async def test_it_is_healthy_while_it_runs_and_not_after_a_kill(harness: AppHarness) -> None:
    await _until(harness, "healthy")
    await harness.kill_app()
    assert found(harness) == "No process on this machine uses this database."
    await harness.start_app()
    await _until(harness, "healthy")
    await harness.stop_app()
    assert found(harness) == "No process on this machine uses this database."


async def test_it_is_healthy_as_soon_as_discord_has_answered(tmp_path: Path) -> None:
    async with running_app(tmp_path, SELDOM) as harness:
        await _until(harness, "healthy")


async def test_without_discord_it_is_not_healthy(harness: AppHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    await _until(harness, "healthy")
    monkeypatch.setattr(health, "STALE_AFTER", 2.0)  # the playground asks for a heartbeat every 41 seconds
    await _until(harness, "Discord has not acknowledged a heartbeat for")


async def test_without_a_database_it_is_not_healthy(harness: AppHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    await _until(harness, "healthy")
    monkeypatch.setattr(health, "STALE_AFTER", 5.0)
    with app_database(harness) as database:
        database.execute("BEGIN IMMEDIATE")
        await _until(harness, "Nothing can be written to the database", heartbeats=True)
        database.execute("ROLLBACK")
    await _until(harness, "healthy", heartbeats=True)
