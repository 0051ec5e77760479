"""The database loses what was stored last, or a migration is interrupted: play goes on from what is left."""

import asyncio
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest
from sqlalchemy import text

from bot.storage import matches
from bot.storage.backup import REDRAW, back_up, restore
from bot.storage.schema import metadata
from tests.conftest import opened
from tests.disasters.expected_state import wait_until_displayed
from tests.disasters.scripted_match import ScriptedMatch
from tests.end_to_end.app_harness import AppHarness, Player, running_app
from tests.end_to_end.app_process import ROOT, started_on
from tests.end_to_end.inspection import app_database, database_of
from tests.storage.sample_rows import table_row

ROOM = 50 * 2**10
"""Bytes that a file may have at first."""


async def _starts(file: Path, room: int) -> str:
    """Start the app while no file may be larger. Returns its last line."""
    _, said = await started_on(f"sqlite+aiosqlite:///{file}", file.parent, **{"__main__.MAX_FILE": room})
    assert "Traceback" not in said
    return said.splitlines()[-1]


def _tables(file: Path) -> int:
    """The number of tables of an intact database."""
    with closing(sqlite3.connect(file)) as connection:
        (found,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return int(found)


async def test_a_migration_without_room_on_the_disk_changes_nothing_and_is_done_later(tmp_path: Path) -> None:
    file = tmp_path / "gang.sqlite3"
    room, refusals = ROOM, 0
    while (said := await _starts(file, room)).startswith("The database cannot be used: "):
        assert "full" in said or "disk" in said, said
        assert _tables(file) == 0
        room, refusals = room + ROOM, refusals + 1
    assert refusals > 1, said
    assert _tables(file) > len(metadata.tables)


async def test_the_hosting_guide_draws_tables_again_and_leaves_out_lost_numbers(postgresql_url: str) -> None:
    draw, skip = re.findall(r' --command="(.*?)"', (ROOT / "docs/hosting.md").read_text())
    assert draw == REDRAW
    async with opened(postgresql_url) as database, database.write() as connection:
        first = await matches.create(connection, table_row())
        await connection.execute(text(skip))
        assert await matches.create(connection, table_row()) > first + 10_000


def _redraw(harness: AppHarness, _folder: Path) -> None:
    with app_database(harness) as connection:
        connection.execute(REDRAW)


def _restore(harness: AppHarness, folder: Path) -> None:
    """Restore a backup of what is left."""
    back_up(database_of(harness), folder / "left", lambda *_: None)
    restore(database_of(harness), folder / "left", lambda *_: None)


@pytest.mark.parametrize("repair", [_redraw, _restore])
async def test_play_goes_on_from_an_older_state_beside_newer_messages(
    tmp_path: Path, repair: Callable[[AppHarness, Path], None]
) -> None:
    async with running_app(tmp_path) as harness:
        match, file, expected = ScriptedMatch(harness, target=30), database_of(harness), None
        for step in range(12):
            if step == 6:
                with app_database(harness) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                copy(file, tmp_path / "old")
                then = harness.table().text
            assert await match.next_step(expected).do()
            (expected,) = (await wait_until_displayed(harness)).values()
        assert harness.table().text != then
        await harness.kill_app()
        for lost in file.parent.glob(f"{file.name}-*"):  # the write-ahead log
            lost.unlink()
        copy(tmp_path / "old", file)
        await asyncio.to_thread(repair, harness, tmp_path)
        await harness.start_app()
        people = match.people
        await people[0].until(lambda: harness.table().text == then)
        (mover,) = [person for person in people if f"👉 **{person.name}**" in then]
        await people[0].until(lambda: any(mover.mention in notice.text for notice in harness.notices()))
        player = Player(harness, mover)
        await player.open()
        await player.act()
        await people[0].until(lambda: harness.table().text != then)
