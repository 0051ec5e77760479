"""Backups and restores: consistent, and complete or without effect."""

import asyncio
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copy

import pytest
from sqlalchemy import text

from bot.storage import matches
from bot.storage.backup import BackupError, back_up, file_of, restore
from bot.storage.database import Database
from bot.storage.session_locks import locked
from tests.conftest import opened as opened_database
from tests.storage.sample_rows import table_row


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> Path:
    """A database with a guild, and columns whose names are SQL keywords."""
    file = tmp_path / "gang.sqlite3"
    copy(migrated, file)
    columns = "id, locale, language, celebrations, text_cards, channels, roles, defaults, limits, post_every"
    say(file, f"INSERT INTO guilds ({columns}) VALUES (7, 'de', '', 'people', 0, '[]', '[]', '{{}}', '{{}}', '')")
    return file


def say(file: Path, *statements: str) -> None:
    with opened(file) as connection:
        for statement in statements:
            connection.execute(statement)


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        yield connection


def locales(file: Path) -> list[str]:
    with opened(file) as connection:
        return [locale for (locale,) in connection.execute("SELECT locale FROM guilds ORDER BY id")]


def quiet(_done: int, _of: int) -> None:
    pass


def also_create(file: Path) -> set[str]:
    """The names of the files in a file's folder, without empty files for locks."""
    return {other.name for other in file.parent.iterdir() if other.suffix != ".lock"}


def test_a_copy_is_consistent_during_writes(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    with opened(database) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE guilds SET locale = 'fr'")
        back_up(database, target, quiet)
        writer.execute("COMMIT")
    assert locales(target) == ["de"]
    assert locales(database) == ["fr"]
    back_up(database, target, quiet)
    assert locales(target) == ["fr"]
    assert not {name for name in also_create(target) if "partial" in name}


def test_progress_is_reported_to_the_end(database: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    back_up(database, tmp_path / "copy.sqlite3", lambda done, of: told.append((done, of)))
    assert told[-1][0] == told[-1][1] > 0


def test_a_restore_puts_the_previous_database_aside(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.sqlite3"
    back_up(database, backup, quiet)
    say(database, "UPDATE guilds SET locale = 'fr'")
    kept = restore(database, backup, quiet)
    assert locales(database) == ["de"]
    assert kept is not None
    assert locales(kept) == ["fr"]


def test_a_restore_keeps_what_was_written_before_a_crash(database: Path, tmp_path: Path) -> None:
    back_up(database, backup := tmp_path / "copy.sqlite3", quiet)
    leave_log(database, log := tmp_path / "log")
    say(database, "UPDATE guilds SET locale = 'de'")
    copy(log, database.with_name(f"{database.name}-wal"))
    kept = restore(database, backup, quiet)
    assert locales(database) == ["de"]
    assert kept is not None
    assert locales(kept) == ["fr"]


def test_nothing_is_restored_while_the_app_runs(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.sqlite3"
    back_up(database, backup, quiet)
    say(database, "UPDATE guilds SET locale = 'fr'")
    with locked(database):
        before = also_create(database)
        with pytest.raises(BackupError, match="stop it first"):
            restore(database, backup, quiet)
        assert also_create(database) == before
    assert locales(database) == ["fr"]


async def test_after_a_restore_open_tables_are_drawn_and_no_number_is_used_again(
    sqlite_database: Database, sqlite_url: str, tmp_path: Path
) -> None:
    async with sqlite_database.write() as connection:
        await matches.create(connection, table_row())
        await connection.execute(text("UPDATE tables SET displayed_revision = 0, notice_id = 5"))
    back_up(file_of(sqlite_url), backup := tmp_path / "copy.sqlite3", quiet)
    await sqlite_database.commit(matches.create, table_row())
    await sqlite_database.close()
    await asyncio.to_thread(restore, file_of(sqlite_url), backup, quiet)
    async with opened_database(sqlite_url) as restored, restored.write() as connection:
        found = await connection.execute(text("SELECT id, displayed_revision, notice_id FROM tables"))
        assert found.all() == [(1, -2, None)]
        assert await matches.create(connection, table_row()) == 3


def test_a_restore_works_without_a_database(database: Path, tmp_path: Path) -> None:
    backup, new = tmp_path / "copy.sqlite3", tmp_path / "new" / "gang.sqlite3"
    back_up(database, backup, quiet)
    assert restore(new, backup, quiet) is None
    assert locales(new) == ["de"]
    assert also_create(new) == {"gang.sqlite3"}


def leave_log(database: Path, log: Path) -> None:
    """Copy the write-ahead log of a database, as if the app had been killed and the database deleted."""
    with opened(database) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("UPDATE guilds SET locale = 'fr'")
        copy(database.with_name(f"{database.name}-wal"), log)


def test_a_leftover_log_is_moved_aside_and_not_replayed(database: Path, tmp_path: Path) -> None:
    backup, lost = tmp_path / "copy.sqlite3", tmp_path / "lost.sqlite3"
    back_up(database, backup, quiet)
    leave_log(database, log := tmp_path / "lost.sqlite3-wal")
    content = log.read_bytes()
    assert restore(lost, backup, quiet) is None
    assert locales(lost) == ["de"]
    (aside,) = [tmp_path / name for name in also_create(lost) if name.startswith("lost.before-")]
    assert aside.read_bytes() == content


def test_a_backup_does_not_replay_a_log_next_to_its_file(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    back_up(database, target, quiet)
    leave_log(database, tmp_path / "copy.sqlite3-wal")
    say(database, "UPDATE guilds SET locale = 'it'")
    back_up(database, target, quiet)
    assert locales(target) == ["it"]


@pytest.mark.parametrize("content", [b"", b"no database " * 1000, None], ids=["empty", "no database", "damaged"])
def test_an_invalid_backup_is_refused_and_changes_nothing(
    database: Path, tmp_path: Path, content: bytes | None
) -> None:
    backup = tmp_path / "copy.sqlite3"
    if content is None:
        back_up(database, backup, quiet)
        whole = backup.read_bytes()
        backup.write_bytes(whole[: 5 * 4096] + b"\xff" * 4096 * 3 + whole[8 * 4096 :])
    else:
        backup.write_bytes(content)
    before = also_create(database)
    with pytest.raises(BackupError):
        restore(database, backup, quiet)
    assert locales(database) == ["de"]
    assert also_create(database) == before


def test_a_backup_of_a_newer_version_is_refused(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.sqlite3"
    back_up(database, backup, quiet)
    say(backup, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BackupError, match="9999"):
        restore(database, backup, quiet)
    assert locales(database) == ["de"]


@pytest.mark.parametrize("missing", ["database", "backup"])
def test_missing_files_are_reported(tmp_path: Path, missing: str) -> None:
    with pytest.raises(BackupError, match=f"there is no {missing}"):
        (back_up if missing == "database" else restore)(tmp_path / "a", tmp_path / "b", quiet)


def test_names_that_are_too_long_are_reported(database: Path, tmp_path: Path) -> None:
    too_long = tmp_path / ("x" * 300)
    for begin, source, target in (
        (back_up, database, too_long),
        (back_up, too_long, database),
        (restore, database, too_long),
    ):
        with pytest.raises(BackupError, match="too long"):
            begin(source, target, quiet)


def test_postgresql_has_its_own_tools() -> None:
    with pytest.raises(BackupError, match="pg_dump"):
        file_of("postgresql+asyncpg://user:password@localhost/gang")
    assert file_of("sqlite+aiosqlite:///data/gang.sqlite3") == Path("data/gang.sqlite3")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def generous() -> Iterator[None]:
    """A process whose new files everyone can read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("generous")
def test_copies_are_private_from_the_start(database: Path, tmp_path: Path) -> None:
    backup, modes = tmp_path / "copy.sqlite3", set[int]()

    def look(_done: int, _of: int) -> None:
        modes.update(mode_of(each) for each in tmp_path.iterdir() if "partial" in each.name or "rest" in each.name)

    back_up(database, backup, look)
    kept = restore(database, backup, look)
    new = tmp_path / "new" / "gang.sqlite3"
    restore(new, backup, look)
    assert modes == {0o600}
    assert kept is not None
    assert {mode_of(each) for each in (backup, kept, new)} == {0o600}
    assert mode_of(new.parent) == 0o700


@pytest.mark.usefixtures("generous")
def test_a_damaged_database_is_put_aside_privately(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.sqlite3"
    back_up(database, backup, quiet)
    database.write_text("no database " * 1000)
    database.chmod(0o644)
    kept = restore(database, backup, quiet)
    assert kept is not None
    assert {mode_of(each) for each in (database, kept)} == {0o600}
    assert kept.read_text().startswith("no database")
    assert locales(database) == ["de"]


def test_a_planted_link_is_not_followed(database: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "copy.sqlite3.partial").symlink_to(precious)
    back_up(database, tmp_path / "copy.sqlite3", quiet)
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("name", ["same", "relative", "symlink", "hard link", "-wal", "-shm", "-journal"])
def test_a_backup_onto_the_database_itself_is_refused(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    target = {"same": database, "relative": Path("gang.sqlite3")}.get(name, tmp_path / "other")
    if name == "symlink":
        target.symlink_to(database)
    elif name == "hard link":
        target.hardlink_to(database)
    elif name.startswith("-"):
        target = database.with_name(database.name + name)
    with opened(database) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("UPDATE guilds SET locale = 'fr'")
        before = also_create(database)
        for attempt in (back_up, restore):
            with pytest.raises(BackupError, match=r"a file of the database itself|there is no backup"):
                attempt(database, target, quiet)
        assert also_create(database) == before
    assert locales(database) == ["fr"]


def test_a_backup_whose_partial_file_would_be_the_database_is_refused(database: Path) -> None:
    live = database.rename(database.with_name("gang.partial"))
    with pytest.raises(BackupError, match="a file of the database itself"):
        back_up(live, live.with_name("gang"), quiet)
    assert locales(live) == ["de"]


def test_the_file_being_restored_is_refused_as_a_backup(database: Path) -> None:
    back_up(database, unfinished := database.with_name("gang.sqlite3.restoring"), quiet)
    with pytest.raises(BackupError, match="a file of the database itself"):
        restore(database, unfinished, quiet)
    assert unfinished.is_file()


def test_a_backup_onto_a_folder_is_refused(database: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(BackupError, match="is not a file"):
        back_up(database, tmp_path / "folder", quiet)


EVIL = 'x" SELECT 1; DROP TABLE guilds; --'


@pytest.mark.parametrize("live", ["same version", "missing", "damaged"])
@pytest.mark.parametrize(
    "statement",
    [
        f"CREATE TABLE '{EVIL}' (a)",
        "CREATE TABLE later (a)",
        "CREATE TRIGGER t AFTER INSERT ON tables BEGIN DELETE FROM guilds; END",
        "CREATE VIEW people_of_mine AS SELECT * FROM users",
        "CREATE VIRTUAL TABLE words USING fts5(a)",
        "DROP TABLE seasons",
    ],
)
def test_a_backup_with_a_schema_of_its_own_is_refused(
    database: Path, tmp_path: Path, statement: str, live: str
) -> None:
    backup = tmp_path / "copy.sqlite3"
    back_up(database, backup, quiet)
    say(backup, statement)
    if live == "missing":
        database = tmp_path / "new.sqlite3"
    elif live == "damaged":
        database.write_text("no database " * 1000)
    before = also_create(database)
    with pytest.raises(BackupError, match="a backup of this app"):
        restore(database, backup, quiet)
    assert also_create(database) == before
    if live == "same version":
        assert locales(database) == ["de"]
