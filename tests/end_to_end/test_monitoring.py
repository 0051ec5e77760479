"""The metrics and the health that the app serves over HTTP."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine import errors
from bot.players.levels import Level
from bot.presentation.ui.custom_ids import Verb
from bot.table import refusals
from tests.cogs.tree import all_commands
from tests.end_to_end.app_harness import AppHarness, play_until
from tests.end_to_end.inspection import app_database, private_text, shown, wait_for_log
from tests.end_to_end.monitored import Monitored, monitored_app

LISTEN = "0A"
"""The state of a socket in /proc/net/tcp."""


def listening(pid: int) -> set[str]:
    """The sockets on which a process accepts connections."""
    sockets = {str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()}
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sockets & {f"socket:[{columns[9]}]" for columns in lines if columns[3] == LISTEN}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Monitored]:
    intervals = {
        "bot.services.deadlines.MAX_SLEEP": 0.05,
        "bot.services.deadlines.SAVE_SECONDS": 0.1,
        "bot.process.health.UNWRITTEN_SECONDS": 1.0,
    }
    async with monitored_app(tmp_path, **intervals) as app:
        yield app


async def test_presses_are_counted_with_their_outcome(app: Monitored) -> None:
    harness = app.harness
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    await harness.press(ben, "Join")
    table = harness.table(ben)
    join = next(button.custom_id for button in table.buttons if button.label == "Join")
    assert "already" in private_text(await ben.press_old(str(join), table))
    await ben.press_old("g4:nonsense:1:0", table)
    await ben.slash(harness.channel, "gang list")

    presses = "gang_presses_total"
    assert await app.value(presses, kind="press", verb="join", outcome="done") == 1
    assert await app.value(presses, kind="press", verb="join", outcome="refused", reason="AlreadySeated") == 1
    assert await app.value(presses, kind="press", verb="unknown", outcome="refused", reason="UnknownButton") == 1
    assert await app.value(presses, kind="command", verb="new", outcome="done") == 1
    assert await app.value(presses, kind="command", verb="list", outcome="done") == 1
    assert await app.value("gang_first_answer_seconds_count", kind="press") == 3
    assert await app.value("gang_first_answer_seconds_count", kind="command") == 2
    assert await app.value("gang_database_seconds_count", access="write") >= 2
    assert await app.value("gang_database_wait_seconds_count", access="read") >= 2
    assert await app.value("gang_discord_requests_total", status="2xx") > 5
    await app.until("gang_event_loop_delay_seconds_count")
    assert await app.value("gang_guilds") == 1
    assert await app.value("gang_shards") == await app.value("gang_shards_served") == 1
    assert await app.value("process_resident_memory_bytes") > 0


async def test_labels_have_only_values_from_the_code(app: Monitored) -> None:
    harness = app.harness
    ben = harness.people[1]
    players = await harness.begin_match(1, ai_players=2)
    await play_until(harness, players, lambda: players[0].moves > 1)
    panel = players[0].panel
    assert panel is not None
    for custom_id in ("g4:card:1:0:n:zz::0:1", "g4:secret:7G", "g4:play:999:1:n:0:", "free text of a user"):
        await ben.press_old(custom_id, panel)
    await ben.slash(harness.channel, "gang rules", first="my secret cards", second="7 red")
    assert await app.value("gang_deadline_delay_seconds_count", kind="ai") > 0
    deadlines = {"ai", "remind", "turn", "answer", "orders", "close"}
    allowed = {
        "kind": {"press", "form", "command", "completion", *deadlines},
        "verb": {*Verb, *all_commands(), "unknown"},
        "outcome": {"done", "refused", "failed"},
        "reason": {"", *(name for module in (errors, refusals) for name in vars(module))},
        "status": {"1xx", "2xx", "4xx"},
        "access": {"read", "write"},
        "level": {"warning", "error", *Level},
        "scope": {"user", "global", "shared", "unknown"},
    }
    samples = [sample for family in await app.families() for sample in family.samples]
    ours = [sample for sample in samples if sample.name.startswith("gang_")]
    values = {(label, value) for sample in ours for label, value in sample.labels.items() if label != "le"}
    assert {label for label, _ in values} <= allowed.keys()
    assert {(label, value) for label, value in values if value not in allowed[label]} == set()
    assert ("verb", "unknown") in values


async def test_a_rate_limit_of_discord_is_counted(app: Monitored) -> None:
    harness = app.harness
    await harness.open_table(harness.people[0], seats=3)
    harness.world.faults.next("PATCH", "/channels/*/messages/*", status=429)
    await harness.people[1].click(harness.table(), "Join")
    await app.until("gang_discord_rate_limited_total")


async def test_a_failed_press_is_counted_and_the_app_is_not_ready_without_its_database(app: Monitored) -> None:
    harness = app.harness
    ana, ben, *_ = harness.people
    table = await harness.open_table(ana, seats=3)
    assert await app.until_ready(True) == "Ready.\n"
    with app_database(harness) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert shown(await ben.click(table, "Join")).ephemeral
        assert await app.until_ready(False) == "Nothing can be written to the database.\n"
        assert await app.get("/health/live") == (200, "Alive.\n")
        assert await app.value("gang_ready") == 0
        connection.execute("ROLLBACK")
    assert await app.value("gang_presses_total", verb="join", outcome="failed", reason="database") == 1
    assert await app.value("gang_logged_total", level="warning") > 0
    await app.until_ready(True)
    assert await app.value("gang_ready") == 1


async def test_the_app_is_not_ready_without_a_recent_heartbeat(tmp_path: Path) -> None:
    async with monitored_app(tmp_path, **{"bot.process.health.STALE_AFTER": 0}) as app:
        await app.until_ready(False, "Discord has not acknowledged a heartbeat")


async def test_the_app_is_not_ready_while_it_stops(app: Monitored) -> None:
    harness = app.harness
    assert harness.app is not None
    await app.until_ready(True)
    with app_database(harness) as connection:
        connection.execute("BEGIN IMMEDIATE")
        stuck = asyncio.create_task(harness.people[0].slash(harness.channel, "gang new"))
        await harness.people[0].until(lambda: harness.world.interactions.pending)
        os.kill(harness.app.pid, signal.SIGTERM)
        await wait_for_log(harness, "stopping: new actions are refused")
        assert await app.get("/health/ready") == (503, "The app is starting or stopping.\n")
        connection.execute("ROLLBACK")
    await stuck
    await harness.app.wait()


async def test_without_an_address_nothing_listens(harness: AppHarness) -> None:
    assert harness.app is not None
    assert not listening(harness.app.pid)
    await harness.stop_app()
    await harness.start_app(METRICS_ADDRESS="127.0.0.1:0")
    assert listening(harness.app.pid)


async def test_an_address_in_use_is_reported(harness: AppHarness) -> None:
    await harness.stop_app()
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert not await harness.try_start(METRICS_ADDRESS=f"127.0.0.1:{other.getsockname()[1]}")
    harness.app = None
    assert "METRICS_ADDRESS cannot be used: " in harness.log.read_text()
