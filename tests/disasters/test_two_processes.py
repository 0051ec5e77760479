"""Two processes with the same token and database: one serves, the other waits and takes over."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from playground.client.resolving import NotOffered
from playground.world.changes import Change, MessageShown
from tests.disasters.expected_state import expected_states, wait_until_displayed, wait_until_recorded
from tests.disasters.scripted_match import ScriptedMatch, Unanswered
from tests.end_to_end.app_harness import MY_HAND, AppHarness, can_press, running_app
from tests.end_to_end.app_process import AppProcess, Controls, fork_server
from tests.end_to_end.inspection import app_database

BEAT = 0.2
OFTEN = {"bot.process.shards.BEAT_SECONDS": BEAT, "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0)}
WAITS = "waiting until that ends"


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, OFTEN) as harness:
        yield harness


@asynccontextmanager
async def second(harness: AppHarness, folder: Path) -> AsyncIterator[AppProcess]:
    """A second process, which is connected and waits. It becomes the harness's own if the first one has ended."""
    log, controls = folder / "second.log", Controls(folder / "second.controls")
    sessions = len(harness.world.gateway.sessions)
    app = await fork_server().start(log, harness.environment(), controls.file, harness.constants)
    await harness.people[0].until(lambda: len(harness.world.gateway.sessions) > sessions)
    try:
        await says(log, WAITS)
        yield app
        assert "Traceback" not in log.read_text()
    finally:
        await app.ended(signal.SIGTERM)


class TableDrawings:
    """The texts of the table's message each time it's edited from now on."""

    def __init__(self, harness: AppHarness) -> None:
        self._harness = harness
        self._message = harness.table().message
        self.texts: list[str] = []
        harness.world.change_listeners.append(self._see)

    def _see(self, change: Change) -> None:
        if isinstance(change, MessageShown) and change.message is self._message:
            self.texts.append(self._harness.table().text)


async def says(log: Path, text: str) -> None:
    async with asyncio.timeout(20):
        while text not in log.read_text():  # noqa: ASYNC110, ASYNC240  # a file can only be polled
            await asyncio.sleep(0.02)


def shows_the_latest_state(harness: AppHarness) -> bool:
    return [each.message() for each in expected_states(harness).values()] == [harness.table().text]


async def soon_gone(harness: AppHarness) -> None:
    """Let a silent process be replaced soon, but after presses are held back, as usual."""
    harness.constants |= {"bot.services.leases.GONE_SECONDS": 1.0, "bot.process.shards.HOLD_SECONDS": 0.5}
    await harness.stop_app()
    await harness.start_app()


async def freeze(harness: AppHarness) -> None:
    """Stop the app, but not while it writes: SQLite would stay locked, and no other process could take over."""
    assert harness.app is not None
    with app_database(harness) as connection:
        connection.execute("PRAGMA busy_timeout = 0")
        while True:
            os.kill(harness.app.pid, signal.SIGSTOP)
            await asyncio.sleep(0.01)
            with suppress(sqlite3.OperationalError):
                connection.execute("BEGIN IMMEDIATE")
                connection.rollback()
                return
            os.kill(harness.app.pid, signal.SIGCONT)
            await asyncio.sleep(0.01)


async def successor_known(harness: AppHarness) -> None:
    """Wait until the first process knows that the second one waits: it has renewed its lease twice since."""
    with app_database(harness) as connection:

        def waiting_and_beat() -> tuple[int, int]:
            found: tuple[int, int] = connection.execute("SELECT waiting, beat FROM leases").fetchone()
            return found

        async with asyncio.timeout(20):
            while waiting_and_beat()[0] == 0:  # noqa: ASYNC110  # a database can only be polled
                await asyncio.sleep(0.05)
            beat = waiting_and_beat()[1]
            while waiting_and_beat()[1] < beat + 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def play(harness: AppHarness, match: ScriptedMatch, steps: int) -> None:
    """Play some steps; each must be confirmed."""
    for _ in range(steps):
        expected = next(iter(expected_states(harness).values()), None)
        assert await match.next_step(expected).do()
        await wait_until_displayed(harness)


async def test_the_second_process_waits_and_only_one_answers(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 4)
    async with second(harness, tmp_path):
        await play(harness, match, 10)


async def test_the_second_process_takes_over_when_the_first_is_killed(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    async with second(harness, tmp_path):
        await harness.kill_app()
        await says(tmp_path / "second.log", "serving shards of 1: 0")
        await play(harness, match, 6)


async def test_at_a_rolling_update_nobody_presses_twice(harness: AppHarness, tmp_path: Path) -> None:
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    async with second(harness, tmp_path):
        await successor_known(harness)
        assert harness.app is not None
        os.kill(harness.app.pid, signal.SIGTERM)
        await play(harness, match, 12)
        assert await harness.app.wait() == 0
        harness.app = None


async def test_a_press_while_the_lease_is_given_back_is_answered_once(harness: AppHarness, tmp_path: Path) -> None:
    await play(harness, ScriptedMatch(harness, target=1000), 6)
    async with second(harness, tmp_path):
        await successor_known(harness)
        assert harness.app is not None
        with app_database(harness) as connection:
            connection.execute("BEGIN IMMEDIATE")  # so that giving back takes a while
            os.kill(harness.app.pid, signal.SIGTERM)
            await says(harness.log, "stopping")
            ana = harness.people[0]
            pressed = asyncio.create_task(ana.click(harness.table(ana), MY_HAND))
            await asyncio.sleep(0.3)
            connection.rollback()
        assert (await pressed).message is not None
        assert await harness.app.wait() == 0
        harness.app = None


async def test_a_stopped_process_that_wakes_up_changes_nothing(harness: AppHarness, tmp_path: Path) -> None:
    await soon_gone(harness)
    match = ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    assert harness.app is not None
    async with second(harness, tmp_path):
        await freeze(harness)
        await says(tmp_path / "second.log", "serving shards of 1: 0")
        await play(harness, match, 4)
        os.kill(harness.app.pid, signal.SIGCONT)
        for _ in range(6):
            with suppress(Unanswered, NotOffered):
                await match.next_step(next(iter(expected_states(harness).values()), None)).do()
            await wait_until_recorded(harness)
        await says(harness.log, "another process serves shard 0 now")
        await play(harness, match, 4)


async def test_a_process_that_cannot_connect_leaves_its_shard_to_one_that_is_connected(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.constants["bot.discord_client.gateway.MAX_DELAY"] = 1.0  # so that it reconnects soon
    await soon_gone(harness)
    gateway, match = harness.world.gateway, ScriptedMatch(harness, target=1000)
    await play(harness, match, 6)
    (cut,) = gateway.connections
    async with second(harness, tmp_path):
        gateway.is_open = False
        cut.abort()
        await says(tmp_path / "second.log", "serving shards of 1: 0")
        await play(harness, match, 4)
        gateway.is_open = True
        await harness.people[0].until(lambda: len(gateway.connections) == 2)
        await play(harness, match, 4)
    assert harness.log.read_text().count("leaving shard 0 to a process that is connected") == 1


@pytest.mark.parametrize("label", ["Leave", "Start"])
async def test_a_table_drawn_late_by_a_stopped_process_is_drawn_again(
    harness: AppHarness, tmp_path: Path, label: str
) -> None:
    """After a start, the channel also has a turn notice, so its stored display is another one."""
    await soon_gone(harness)
    ana, ben, cleo, _ = harness.people
    table = await harness.open_table(ana, seats=3)
    await harness.press(ben, "Join")
    assert harness.app is not None
    async with second(harness, tmp_path):
        harness.world.faults.next("PATCH", f"/channels/*/messages/{table.id}", status=429, seconds=3.0)
        await cleo.click(table, "Join")
        await says(harness.log, "We are being rate limited")
        await freeze(harness)
        await says(tmp_path / "second.log", "serving shards of 1: 0")
        await ana.until(lambda: can_press(harness.table(), "Start"))
        await harness.press(ana if label == "Start" else ben, label)
        await ana.until(lambda: shows_the_latest_state(harness))
        shown, drawn = harness.table().text, TableDrawings(harness)
        os.kill(harness.app.pid, signal.SIGCONT)
        await ana.until(lambda: len(drawn.texts) >= 2)
        assert drawn.texts[0] != drawn.texts[1] == shown


async def test_a_press_that_came_while_the_process_was_stopped_is_left_alone(harness: AppHarness) -> None:
    ana = harness.people[0]
    assert (await ana.slash(harness.channel, "gang list")).message is not None
    assert harness.app is not None
    os.kill(harness.app.pid, signal.SIGSTOP)
    assert (await ana.slash(harness.channel, "gang new", seats=3)).failed
    await asyncio.sleep(1)  # so that the press is clearly late
    os.kill(harness.app.pid, signal.SIGCONT)
    assert (await ana.slash(harness.channel, "gang new", seats=3)).message is not None
    with app_database(harness) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)
    assert "the process stood still" in harness.log.read_text()


async def test_a_restart_waits_for_nobody(harness: AppHarness) -> None:
    for _ in range(2):
        await harness.kill_app()
        await harness.start_app()
    await harness.stop_app()
    await harness.start_app()
    assert WAITS not in harness.log.read_text()
