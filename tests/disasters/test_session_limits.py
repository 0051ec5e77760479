"""Processes that are started together begin their sessions at Discord one after another. It takes a minute."""

import os
import signal
from pathlib import Path
from typing import Final

import pytest

from playground.gateway import SESSIONS_A_DAY
from playground.playground import Playground
from tests.conftest import SPEC
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import fork_server

PROCESSES: Final = 4
SHARDS: Final = 3
"""Those of each process."""


@pytest.mark.skipif("GANG_OF_FOUR_SOAK" not in os.environ, reason="takes a minute")
async def test_each_shard_identifies_once(tmp_path: Path, postgresql_url: str) -> None:
    async with Playground(rate_limits="real", shards=PROCESSES * SHARDS, spec=SPEC) as world:
        harness = AppHarness(world, tmp_path, DATABASE_URL=postgresql_url, SHARD_COUNT=str(PROCESSES * SHARDS))
        running = []
        for number in range(PROCESSES):
            first = number * SHARDS
            environment = harness.environment(SHARD_IDS=f"{first}-{first + SHARDS - 1}")
            log = tmp_path / f"{number}.log"
            running.append(await fork_server().start(log, environment, harness.controls.file, {}))
        await world.app_ready(180)
        assert SESSIONS_A_DAY - world.gateway.sessions_left == PROCESSES * SHARDS
        for process in running:
            assert await process.ended(signal.SIGTERM) == 0
        assert world.violations == []
