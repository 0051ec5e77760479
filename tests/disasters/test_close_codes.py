"""Discord refuses the connection or closes it for good: the process says why and ends."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from bot.process import health
from playground.playground import Playground
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import database_of

TOKEN_REFUSED = "Discord refuses DISCORD_TOKEN. A new one comes from the page of your bot."
FOR_GOOD = {
    4010: "invalid shard",
    4011: "sharding required",
    4012: "invalid API version",
    4013: "invalid intents",
    4014: "disallowed intents",
}


@pytest.fixture
async def harness(tmp_path: Path, migrated: Path) -> AsyncIterator[AppHarness]:
    """The app is not started, and the test ends it."""
    async with Playground(rate_limits="off") as world:
        harness = AppHarness(world, tmp_path)
        copy(migrated, tmp_path / "gang.sqlite3")
        yield harness
        if harness.app is not None and harness.app.is_alive:
            await harness.kill_app()


async def assert_ends(harness: AppHarness, code: int, sentence: str) -> None:
    """Check that the app ends with an exit code, after saying one sentence last and closing everything."""
    assert harness.app is not None
    assert await harness.app.wait() == code
    log = harness.log.read_text()
    assert log.splitlines()[-1] == sentence
    assert "Traceback" not in log
    found = health.problem(f"sqlite+aiosqlite:///{database_of(harness)}")
    assert found == "No process on this machine uses this database."


@pytest.mark.parametrize("code", FOR_GOOD)
async def test_a_connection_closed_for_good_ends_the_process(harness: AppHarness, code: int) -> None:
    await harness.start_app()
    await harness.world.gateway.close(code)
    await assert_ends(harness, 1, f"Discord has closed the connection for good: code {code}, {FOR_GOOD[code]}.")


async def test_a_token_that_was_reset_ends_the_process(harness: AppHarness) -> None:
    await harness.start_app()
    await harness.world.gateway.close(4004)
    await assert_ends(harness, 2, TOKEN_REFUSED)


async def test_a_token_that_was_reset_while_the_connection_was_lost_ends_the_process(harness: AppHarness) -> None:
    await harness.start_app()
    harness.world.app = replace(harness.world.app, token="another")
    harness.world.gateway.drop()
    await assert_ends(harness, 2, TOKEN_REFUSED)


async def test_a_gateway_that_cannot_be_found_at_the_start_ends_the_process(harness: AppHarness) -> None:
    harness.world.faults.next("GET", "/gateway/bot", status=503)
    assert not await harness.try_start()
    await assert_ends(harness, 1, "Discord cannot be reached: GatewayNotFound. Start me again when it can.")


async def test_a_wrong_token_ends_the_process_at_the_start(harness: AppHarness) -> None:
    assert not await harness.try_start(DISCORD_TOKEN="wrong")
    await assert_ends(harness, 2, TOKEN_REFUSED)
