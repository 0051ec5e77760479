"""What `python -m bot health` finds beside an app that runs, that lost Discord or its database, and that was killed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot import health
from playground.sessions import HEARTBEAT
from tests.disasters.steered import SteeredRoom, steered_room
from tests.end_to_end.evidence import opened

SOON = {"bot.health.INTERVAL": 0.1}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[SteeredRoom]:
    async with steered_room(tmp_path, SOON) as room:
        yield room


def found(room: SteeredRoom) -> str:
    """The answer of the command."""
    return health.problem(room._settings["DATABASE_URL"]) or "healthy"


async def _until(room: SteeredRoom, text: str, *, heartbeats: bool = False) -> None:
    """Wait until this is the answer; with `heartbeats`, Discord asks for one again and again, and acknowledges it."""
    async with asyncio.timeout(30):
        while text not in found(room):
            if heartbeats:
                for connection in room.world.gateway._connections:
                    connection.send(HEARTBEAT)
            await asyncio.sleep(0.05)


async def test_it_is_healthy_while_it_runs_and_not_after_a_kill(room: SteeredRoom) -> None:
    await _until(room, "healthy")
    await room.kill_app()
    assert found(room) == "No process on this machine uses this database."
    await room.start_app()
    await _until(room, "healthy")
    await room.stop_app()
    assert found(room) == "No process on this machine uses this database."


async def test_without_discord_it_is_not_healthy(room: SteeredRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    await _until(room, "healthy")
    monkeypatch.setattr(health, "STALE_AFTER", 2.0)  # the playground asks for a heartbeat every 41 seconds
    await _until(room, "Discord has not acknowledged a heartbeat for")


async def test_without_a_database_it_is_not_healthy(room: SteeredRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    await _until(room, "healthy")
    monkeypatch.setattr(health, "STALE_AFTER", 5.0)
    with opened(room) as database:
        database.execute("BEGIN IMMEDIATE")
        await _until(room, "Nothing can be written to the database", heartbeats=True)
        database.execute("ROLLBACK")
    await _until(room, "healthy", heartbeats=True)
