"""A locked, full, broken or unreachable database gives a sentence; nothing is half done."""

import asyncio
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import started_on
from tests.end_to_end.inspection import app_database, database_of, private_text, stored, wait_for_log

OUT_OF_REACH = "I can't reach the saved tables right now."


def _no_database(folder: Path) -> str:
    file = folder / "broken.sqlite3"
    file.write_bytes(b"This is no database, whatever its name says. " * 100)
    return str(file)


def _no_file(folder: Path) -> str:
    return str(folder)


def _no_folder(folder: Path) -> str:
    (folder / "file").write_text("no folder")
    return str(folder / "file" / "gang.sqlite3")


def _nowhere_to_write(_folder: Path) -> str:
    return "/proc/gang.sqlite3"


def _of_a_newer_version(folder: Path) -> str:
    file = folder / "newer.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('from the future')")
    connection.close()
    return str(file)


def _held_by_another_process(folder: Path) -> str:
    return str(folder / "locked.sqlite3")


BROKEN = (_no_database, _no_file, _no_folder, _nowhere_to_write, _of_a_newer_version, _held_by_another_process)


async def test_a_start_without_a_usable_database_ends_with_a_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "locked.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN IMMEDIATE")
        for make in BROKEN:
            code, said = await started_on(f"sqlite+aiosqlite:///{make(tmp_path)}", tmp_path)
            assert code == 2, make
            assert said.splitlines()[-1].startswith("The database cannot be used: "), said
            assert "Traceback" not in said


async def _lobby(harness: AppHarness) -> SeenMessage:
    await harness.open_table(harness.people[0], seats=3)
    await harness.press(harness.people[1], "Join")
    return harness.table()


async def test_many_presses_at_one_table_with_a_locked_file_are_all_answered_in_time(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.open_table(ana, seats=4)
    await harness.press(ben, "Join")
    table, before = harness.table(), stored(harness)
    with app_database(harness) as connection:
        connection.execute("BEGIN IMMEDIATE")
        presses = [(cleo, "Join"), (dan, "Join"), (cleo, "Join"), (ben, "Leave"), (ana, "Add AI"), (dan, "Join")]
        replies = await asyncio.gather(*(person.click(table, label) for person, label in presses))
        assert "1 open table" in private_text(await ben.slash(harness.channel, "gang list"))
        connection.execute("ROLLBACK")
    assert [OUT_OF_REACH in private_text(reply) for reply in replies] == [True] * len(presses)
    assert stored(harness) == before
    assert "locked" in await wait_for_log(harness, "failed")

    for person in (cleo, dan):
        await harness.press(person, "Join")
    await harness.start_match()


async def test_a_full_disk_is_said_and_all_goes_on_afterwards(harness: AppHarness) -> None:
    ana, _, cleo, _ = harness.people
    table = await _lobby(harness)
    before = stored(harness)
    log_size, used = harness.log.stat().st_size, database_of(harness).with_name("gang.sqlite3-wal").stat().st_size
    assert log_size < used / 2, "the app can still write its log"
    with _no_file_grows_beyond(used, harness):
        reply = await cleo.click(table, "Join")
        assert reply.message is not None, reply
        assert OUT_OF_REACH in reply.message.text
    assert stored(harness) == before
    await wait_for_log(harness, "failed")

    await harness.press(cleo, "Join")
    await harness.start_match()
    await ana.until(harness.notices)


@contextmanager
def _no_file_grows_beyond(size: int, harness: AppHarness) -> Iterator[None]:
    """Limit the sizes of the app's files, as on a full disk."""
    pid = _pid(harness)
    limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)


def _pid(harness: AppHarness) -> int:
    """The app's process, found by its open database."""
    for folder in Path("/proc").glob("[0-9]*/fd"):
        with suppress(OSError):
            if any(file.readlink() == database_of(harness) for file in folder.iterdir()):
                return int(folder.parent.name)
    raise AssertionError("nobody has the database open")


async def test_a_table_that_is_open_is_said_even_if_the_language_of_its_server_is_not_stored(
    harness: AppHarness,
) -> None:
    with app_database(harness) as connection:
        for event in ("INSERT", "UPDATE"):
            connection.execute(
                f"CREATE TRIGGER no_{event} BEFORE {event} ON guilds WHEN NEW.locale <> ''"
                " BEGIN SELECT RAISE(ABORT, 'no room'); END"
            )
    reply = await harness.people[0].slash(harness.channel, "gang new", seats=3)
    assert " is open." in private_text(reply)
    assert reply.message is not None
    with app_database(harness) as connection:
        assert connection.execute("SELECT locale FROM guilds WHERE locale <> ''").fetchall() == []
