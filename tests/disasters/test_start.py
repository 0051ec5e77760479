"""The start reads no more with very many unfinished matches than with a few."""

import asyncio
from pathlib import Path

import pytest

from playground.playground import Playground
from tests.disasters.many_matches import fill
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import Control

FEW, MANY = 200, 10_000
"""Matches: more than the hundred deadlines that are read at once."""


async def _work_of_a_start(folder: Path, matches: int) -> int:
    """SQLite's instructions until the app is ready and idle."""
    async with Playground(rate_limits="off") as world:
        harness = AppHarness(world, folder)
        await fill(folder / "gang.sqlite3", matches)
        harness.constants["__main__.INSTRUCTIONS"] = 1
        await harness.start_app()
        work = await _once_still(harness)
        await harness.kill_app()
        return work


async def _once_still(harness: AppHarness) -> int:
    """The work done, once none has been added for half a second."""
    before, work = -1, harness.controls[Control.DATABASE_WORK]
    while work != before:
        await asyncio.sleep(0.5)
        before, work = work, harness.controls[Control.DATABASE_WORK]
    return work


async def test_a_start_reads_no_more_rows_from_a_larger_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    few = await _work_of_a_start(tmp_path_factory.mktemp("few"), FEW)
    many = await _work_of_a_start(tmp_path_factory.mktemp("many"), MANY)
    assert few > 100
    assert many - few < MANY - FEW  # not one more instruction for each match
