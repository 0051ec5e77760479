"""Back up the database while the app runs, and restore it while the app is stopped.

SQLite only; PostgreSQL has its own tools.
"""

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import make_url

from bot.storage import files
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.storage.session_locks import InUse, locked
from bot.table.errors import StorageError

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the part that is done, and the total."""
PAGES_PER_STEP: Final = 1000
LOCK_TIMEOUT: Final = 30.0
"""Seconds to wait for the app's transactions."""
REDRAW: Final = (
    "UPDATE tables SET displayed_revision = -2, notice = NULL, notice_id = NULL WHERE status IN ('lobby', 'playing')"
)
"""Lets the app draw all open tables and call the players again: the messages in channels are newer than the backup.

-2 means that the app doesn't know its message, so it looks for a newer one in the channel before it posts another.
"""


class BackupError(Exception):
    """The backup or restore failed. Nothing has changed."""


def file_of(url: str) -> Path:
    """The database file of a URL. Raises `BackupError` for PostgreSQL."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        raise BackupError(
            "the database is PostgreSQL: pg_dump makes a backup of it, and pg_restore or psql restores it"
        )
    return Path(parsed.database)


def back_up(database: Path, target: Path, progress: Progress) -> None:
    """Copy a consistent state of the database into a file. An older file is replaced only after success."""
    partial = target.with_name(f"{target.name}.partial")
    with _as_backup_error():
        if not database.is_file():
            raise BackupError(f"there is no database at {database}")
        _require_separate(database, target, partial)
        if target.exists() and not target.is_file():
            raise BackupError(f"{target} is not a file")
        try:
            _copy(database, partial, progress)
            _flush_to_disk(partial)
            for log in files.parts_of(target)[1:]:  # SQLite would replay an old one
                log.unlink(missing_ok=True)
            partial.replace(target)
        finally:
            _remove(partial)


def restore(database: Path, backup: Path, progress: Progress) -> Path | None:
    """Replace the database by a backup. Returns the file with the previous database, if there was one.

    The app must be stopped. The backup is copied, checked and migrated to the current schema before anything is
    changed.
    """
    prepared = database.with_name(f"{database.name}.restoring")
    with _as_backup_error():
        if not backup.is_file():
            raise BackupError(f"there is no backup at {backup}")
        _require_separate(database, backup)
        _require_separate(prepared, backup)
        files.make_folder(database.parent)
        with locked(database):
            try:
                _copy(backup, prepared, progress)
                _require_tables_only(prepared)
                asyncio.run(_bring_up_to_date(prepared))
                _require_our_tables(prepared)
                _prepare_start(prepared, database)
                return _put_in_place(database, prepared)
            finally:
                _remove(prepared)


def _require_separate(database: Path, *others: Path) -> None:
    """Raise `BackupError` if one of the other files is part of the database, even under another name."""
    for other in others:
        for part in files.parts_of(database):
            is_same = other.resolve() == part.resolve() or (other.exists() and part.exists() and other.samefile(part))
            if is_same:
                raise BackupError(f"{other} is a file of the database itself")


def _prepare_start(prepared: Path, database: Path) -> None:
    """Let the app draw open tables again, and reuse no id: buttons of tables newer than the backup still exist."""
    used = [*_last_numbers(prepared), *_last_numbers(database)]
    highest = {name: max(number for each, number in used if each == name) for name, _ in used}
    with closing(sqlite3.connect(prepared)) as connection, connection:
        connection.execute(REDRAW)
        connection.execute("DELETE FROM sqlite_sequence")
        connection.executemany("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", highest.items())


def _last_numbers(file: Path) -> list[tuple[str, int]]:
    """The last number that was given to a row, by table. Empty if the database doesn't exist or is damaged."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    except sqlite3.DatabaseError:
        return []


def _put_in_place(database: Path, prepared: Path) -> Path | None:
    """Replace the database, after copying its files aside. Returns the copy, if there was a database."""
    kept = _unused_name(database)
    for part, copy in zip(files.parts_of(database), files.parts_of(kept), strict=True):
        if part.is_file():
            files.create_private(copy)
            shutil.copyfile(part, copy)
            _flush_to_disk(copy)
    _flush_to_disk(prepared)
    for log in files.parts_of(database)[1:]:  # SQLite would replay it
        log.unlink(missing_ok=True)
    prepared.replace(database)
    return kept if kept.is_file() else None


def _unused_name(database: Path) -> Path:
    """An unused file name next to the database, with the current time."""
    name = f"{database.stem}.before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    candidates = (database.with_name(f"{name}-{number}{database.suffix}") for number in count(1))
    return next(file for file in candidates if not any(part.exists() for part in files.parts_of(file)))


def _copy(source: Path, target: Path, progress: Progress) -> None:
    """Copy a consistent state of a database, and check the copy."""
    _remove(target)
    files.create_private(target)
    with closing(sqlite3.connect(source, timeout=LOCK_TIMEOUT)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("BEGIN")
        if not old.execute("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'").fetchone()[0]:
            raise BackupError(f"{source} is not a database of this app")
        old.backup(new, pages=PAGES_PER_STEP, progress=lambda _, left, every: progress(every - left, every))
        new.execute("PRAGMA journal_mode=DELETE")  # makes it a single file
        found = new.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise BackupError(f"{source} is damaged: {found}")


def _require_tables_only(file: Path) -> None:
    """Raise `BackupError` if a database contains SQL that runs automatically, such as triggers. This app has none."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute(
            "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
        ).fetchone()
    if found is not None:
        raise BackupError(f"this isn't a backup of this app: it contains the {found[0]} {found[1][:100]!r}")


def _require_our_tables(file: Path) -> None:
    """Raise `BackupError` unless a database has exactly the tables of our schema."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    names = {name for (name,) in found if not name.startswith("sqlite_")}
    for wrong in sorted(names ^ {*metadata.tables, "alembic_version"}):
        problem = "contains" if wrong in names else "lacks"
        raise BackupError(f"this isn't a backup of this app: it {problem} the table {wrong[:100]!r}")


async def _bring_up_to_date(file: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}")
    try:
        await database.upgrade()
    finally:
        await database.close()


def _flush_to_disk(file: Path) -> None:
    """Flush a file to the disk before it replaces another one."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(file: Path) -> None:
    for part in files.parts_of(file):
        part.unlink(missing_ok=True)


@contextmanager
def _as_backup_error() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, StorageError, InUse, OSError) as error:
        raise BackupError(str(error)) from error
