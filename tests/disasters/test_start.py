"""The start reads no more with very many unfinished matches than with a few, and one server may have them all."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from playground.playground import Playground
from tests.disasters.many_matches import fill
from tests.end_to_end.app_harness import PATIENCE, AppHarness
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


async def test_a_server_with_thousands_of_tables_is_answered(tmp_path: Path) -> None:
    async with Playground(rate_limits="off") as world:
        world.interactions.answer_seconds = PATIENCE
        harness = AppHarness(world, tmp_path)
        file = tmp_path / "gang.sqlite3"
        await fill(file, MANY)
        ana = harness.people[0]
        with closing(sqlite3.connect(file)) as connection, connection:
            place = harness.guild.id, harness.channel.id
            connection.execute("UPDATE tables SET guild_id = ?, channel_id = ?", place)
            connection.execute("UPDATE seats SET user_id = ? WHERE seat = 2", (ana.id,))  # whose turn it is
        await harness.start_app()
        says = {
            "list": "10,000 open tables",
            "turns": "10,000 tables are waiting for you",
            "hand": "your hand",
            "new": "This server has 10,000 open tables, and allows no more.",
        }
        for command, expected in says.items():
            shown = (await ana.slash(harness.channel, f"gang {command}")).message
            assert shown is not None
            assert expected in shown.text
        await harness.stop_app()
        assert world.violations == []
