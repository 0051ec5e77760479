"""Two processes are started by mistake on one token and database: it is said, and cleaned up when one is gone."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from playground.client.resolving import NotOffered
from tests.disasters.script import Match, Unanswered
from tests.disasters.steered import LATE, SteeredRoom, steered_room
from tests.disasters.truth import comes_true, is_remembered, truths
from tests.end_to_end.evidence import logged, opened
from tests.end_to_end.forge import AppProcess

OFTEN = {"bot.health.INTERVAL": 0.2, "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0)}
BY_ANOTHER = ("40060", LATE)
"""Each press reaches both processes, and both answer."""
SAYS = "Another process serves the same bot from the same database"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[SteeredRoom]:
    async with steered_room(tmp_path, OFTEN) as room:
        room.excused = BY_ANOTHER
        yield room


@asynccontextmanager
async def _second(room: SteeredRoom, folder: Path) -> AsyncIterator[AppProcess]:
    """Another process, which is killed at the end; both have said that there are two."""
    log = folder / "second.log"
    app = await room.start_second_app(log)
    try:
        await _says(room.log, SAYS)
        await _says(log, SAYS)
        yield app
    finally:
        await app.ended(signal.SIGKILL)


async def _says(log: Path, text: str) -> None:
    async with asyncio.timeout(20):
        while text not in log.read_text():  # noqa: ASYNC110, ASYNC240  # a file wakes nobody
            await asyncio.sleep(0.02)


async def _play(room: SteeredRoom, match: Match, steps: int) -> None:
    for _ in range(steps):
        with suppress(Unanswered, NotOffered):
            await match.next_step(next(iter(truths(room).values()), None)).do()
        await is_remembered(room)


def _forget_the_call(room: SteeredRoom) -> None:
    """Have a call in the channel of which no process knows any more."""
    with opened(room) as connection:
        connection.execute("UPDATE tables SET notice = NULL, notice_id = NULL, display_version = display_version + 1")


async def test_both_say_so_and_what_the_other_leaves_is_cleaned_up(room: SteeredRoom, tmp_path: Path) -> None:
    match = Match(room, target=12)
    await _play(room, match, 4)
    async with _second(room, tmp_path):
        await _play(room, match, 10)
        _forget_the_call(room)
    await logged(room, "cleaning up after another process")
    (truth,) = (await comes_true(room)).values()
    for _ in range(4):
        assert await match.next_step(truth).do()
        (truth,) = (await comes_true(room)).values()


async def test_after_both_have_gone_the_next_start_cleans_up(room: SteeredRoom, tmp_path: Path) -> None:
    match = Match(room, target=12)
    await _play(room, match, 4)
    async with _second(room, tmp_path):
        await _play(room, match, 6)
        await room.kill_app()
    _forget_the_call(room)
    await room.start_app()
    await logged(room, "cleaning up after another process")
    await comes_true(room)


async def test_one_process_after_another_is_nothing_to_mention(room: SteeredRoom) -> None:
    for _ in range(2):
        await room.kill_app()
        await room.start_app()
    await room.stop_app()
    await room.start_app()
    with opened(room) as connection:
        async with asyncio.timeout(10):
            while connection.execute("SELECT count(*) FROM instances").fetchone() != (1,):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    assert SAYS not in room.log.read_text()
