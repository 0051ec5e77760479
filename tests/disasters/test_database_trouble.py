"""The database is locked, full, read-only or damaged: a sentence says so, and nothing is half done.

Earlier data stays, and everything continues once the cause is gone.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bot.engine.record import Line
from bot.table.model import Status
from playground.client.resolving import NotOffered
from tests.disasters.expected_state import (
    ExpectedState,
    expected_states,
    tables_shown,
    wait_until_displayed,
    wait_until_recorded,
)
from tests.disasters.scripted_match import KINDS, ScriptedMatch, Step, Unanswered
from tests.end_to_end.app_harness import MY_HAND, AppHarness, running_app
from tests.end_to_end.inspection import app_database, database_of, private_text, stored, wait_for_log
from tests.end_to_end.test_database_trouble import OUT_OF_REACH

TARGET = 12
PAGE = 4096
HELD = KINDS if "GANG_OF_FOUR_SOAK" in os.environ else ("open", "join", "start", "lead", "pass", "end a hand")
IMPATIENT = {
    "bot.storage.database.BUSY_SECONDS": 0.5,
    "bot.presentation.channel.refresh_queue.RETRY_AFTER": (0.1, 0.5, 2.0, 5.0),
}
"""Wait briefly for locks and before retries."""
UNPRIVILEGED = {"__main__.PRIVILEGED": False}


def _database_refusals(harness: AppHarness) -> int:
    """The number of replies that say that the tables can't be reached."""
    messages = harness.channel.messages.values()
    return sum(OUT_OF_REACH in str(message.components) for message in messages)


async def _check_refused(harness: AppHarness, step: Step) -> None:
    """A step is refused with a sentence, and nothing has changed."""
    before, refusals = stored(harness), _database_refusals(harness)
    accepted = False
    with suppress(Unanswered, NotOffered):
        accepted = await step.do()
    assert not accepted, step.kind
    assert _database_refusals(harness) == refusals + 1, step.kind
    assert stored(harness) == before, step.kind


async def _play(
    harness: AppHarness, match: ScriptedMatch, expected: ExpectedState | None, number: int
) -> ExpectedState:
    for _ in range(number):
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()
    await wait_until_recorded(harness)
    assert expected is not None
    return expected


@contextmanager
def _locked(harness: AppHarness) -> Iterator[None]:
    """Another process has an open transaction."""
    with app_database(harness) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


async def test_every_step_is_refused_while_another_process_locks_the_file(tmp_path: Path) -> None:
    async with running_app(tmp_path, IMPATIENT) as harness:
        kinds = set(HELD)
        for number in range(1, 20):
            harness.channel = harness.guild.channel(f"games {number}")
            match, expected = ScriptedMatch(harness, target=TARGET), None
            while kinds and (expected is None or expected.table.row.status is not Status.OVER):
                step = match.next_step(expected)
                if step.kind in kinds:
                    kinds.discard(step.kind)
                    with _locked(harness):
                        await _check_refused(harness, step)
                expected = await _play(harness, match, expected, 1)
            if not kinds:
                break
        assert kinds == set()


@contextmanager
def _small_disk(place: Path, kilobytes: int) -> Iterator[None]:
    """A disk of this size."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount")
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


async def test_on_a_full_disk_every_step_is_refused_and_done_once_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    with _small_disk(disk, 2048):
        url = f"sqlite+aiosqlite:///{disk / 'gang.sqlite3'}"
        async with running_app(tmp_path, IMPATIENT, DATABASE_URL=url) as harness:
            database_of(harness).symlink_to(disk / "gang.sqlite3")
            match, expected = ScriptedMatch(harness, target=TARGET), None
            for _ in range(8):
                filler, step = disk / "filler", match.next_step(expected)
                with suppress(OSError), filler.open("wb", buffering=0) as file:
                    while True:
                        file.write(bytes(PAGE))
                await _check_refused_or_done(harness, step, expected)
                filler.unlink()
                (expected,) = (await wait_until_displayed(harness)).values() if expected_states(harness) else (None,)
                expected = await _play(harness, match, expected, 1)


async def _check_refused_or_done(harness: AppHarness, step: Step, expected: ExpectedState | None) -> None:
    """The step is refused, or done completely if the disk has room for a little more."""
    before, refusals, accepted = stored(harness), _database_refusals(harness), False
    with suppress(Unanswered, NotOffered):
        accepted = await step.do()
    if accepted:
        assert len(stored(harness)) >= len(before)
    else:
        assert _database_refusals(harness) == refusals + 1
        assert stored(harness) == before


@contextmanager
def _read_only(harness: AppHarness) -> Iterator[None]:
    files = list(database_of(harness).parent.glob("gang.sqlite3*"))
    modes = [file.stat().st_mode for file in files]
    for file in files:
        file.chmod(0o444)
    try:
        yield
    finally:
        for file, mode in zip(files, modes, strict=True):
            if file.exists():
                file.chmod(mode)


async def test_a_file_made_read_only_is_kept_and_nothing_is_done_until_it_can_be_written(tmp_path: Path) -> None:
    async with running_app(tmp_path, IMPATIENT | UNPRIVILEGED) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        expected = await _play(harness, match, None, 7)
        with _read_only(harness):
            await _check_refused_or_done(harness, match.next_step(expected), expected)
            await harness.kill_app()
            (expected,) = expected_states(harness).values()
            await _ends_or_refuses(harness, match, expected)
        await harness.start_app()
        (after,) = (await wait_until_displayed(harness)).values()
        _check_log_kept(expected.lines, after.lines)
        await _play(harness, match, after, 3)


def _check_log_kept(old: list[Line], new: list[Line]) -> None:
    assert new[: len(old)] == old


async def test_a_file_damaged_while_running_is_reported_and_its_copy_works(tmp_path: Path) -> None:
    async with running_app(tmp_path, IMPATIENT) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        expected = await _play(harness, match, None, 7)
        with app_database(harness) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = database_of(harness).read_bytes()
        _damage(database_of(harness))
        accepted = False
        refusals = _database_refusals(harness)
        with suppress(Unanswered, NotOffered):
            accepted = await match.next_step(expected).do()
        assert accepted or _database_refusals(harness) == refusals + 1
        await harness.kill_app()
        await _ends_or_refuses(harness, match, expected)

        for file in database_of(harness).parent.glob("gang.sqlite3-*"):
            file.unlink()
        database_of(harness).write_bytes(whole)
        await harness.start_app()
        (after,) = expected_states(harness).values()
        assert after.lines == expected.lines
        await _play(harness, match, after, 3)


async def test_damage_inside_the_file_affects_only_reads_of_the_damaged_page(tmp_path: Path) -> None:
    """The app starts, and writes nothing if something can't be read."""
    async with running_app(tmp_path, IMPATIENT) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        await _play(harness, match, None, 7)
        await harness.kill_app()
        with app_database(harness) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
        _damage(database_of(harness), page)
        place = slice(PAGE * (page - 1), PAGE * page)
        damaged = database_of(harness).read_bytes()[place]

        await harness.start_app()
        ana = harness.people[0]
        refusals = _database_refusals(harness)
        for _ in range(2):
            reply = await ana.click(tables_shown(ana, harness.channel, 1)[-1], MY_HAND)
            assert OUT_OF_REACH in private_text(reply)
        assert OUT_OF_REACH in private_text(await harness.under_more(ana, "close:1:0:open"))
        assert _database_refusals(harness) == refusals + 3
        assert "No match of this kind" in private_text(await ana.slash(harness.channel, "gang leaderboard"))
        assert "failed: database disk image is malformed" in await wait_for_log(harness, "malformed")
        with app_database(harness) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert database_of(harness).read_bytes()[place] == damaged


def _damage(file: Path, page: int | None = None) -> None:
    """Overwrite one page of a database (counted from 1), or all but the first."""
    first, number = (2, file.stat().st_size // PAGE - 1) if page is None else (page, 1)
    with file.open("r+b") as opened_file:
        opened_file.seek((first - 1) * PAGE)
        opened_file.write(b"nonsense" * (number * PAGE // 8))
        os.fsync(opened_file.fileno())


async def _ends_or_refuses(harness: AppHarness, match: ScriptedMatch, expected: ExpectedState) -> None:
    """The start fails with a sentence, or each step is refused with one."""
    refusals = _database_refusals(harness)
    if await harness.try_start():
        with suppress(Unanswered, NotOffered):
            assert not await match.next_step(expected).do()
        assert _database_refusals(harness) == refusals + 1
        await harness.kill_app()
    else:
        assert harness.app is not None
        assert await harness.app.wait() == 2
        assert harness.log.read_text().splitlines()[-1].startswith("The database cannot be used: ")
