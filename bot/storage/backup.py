"""Back up and restore the database while the app runs. SQLite only; PostgreSQL has its own tools.

A restore is one transaction, so the app sees all of it or nothing. It keeps the ids of messages on Discord, so that
the messages are edited instead of posted again.
"""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import make_url

from bot.storage import files
from bot.storage.database import Database
from bot.storage.schema import leases, metadata
from bot.table.errors import StorageError

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the part that is done, and the total."""
PAGES_PER_STEP: Final = 1000
LOCK_TIMEOUT: Final = 30.0
"""Seconds to wait for the app's transactions."""
_DISPLAY_COLUMNS: Final = "message_id, notice_id, notice, notice_channel_id, thread_id"
"""The columns of a table about its messages on Discord."""
_OLD_COLUMNS: Final = f"revision, display_version, {_DISPLAY_COLUMNS}"
"""The columns needed from before the restore."""


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
    if not database.is_file():
        raise BackupError(f"there is no database at {database}")
    partial = target.with_name(f"{target.name}.partial")
    _require_separate(database, target, partial)
    if target.exists() and not target.is_file():
        raise BackupError(f"{target} is not a file")
    try:
        with _as_backup_error():
            _copy(database, partial, progress)
            _flush_to_disk(partial)
            for log in files.parts_of(target)[1:]:  # SQLite would replay an old one
                log.unlink(missing_ok=True)
            partial.replace(target)
    finally:
        _remove(partial)


def restore(database: Path, backup: Path, progress: Progress) -> Path | None:
    """Restore the database from a backup. Returns the file with the previous database, if there was one.

    The backup is copied, checked and migrated to the current schema before anything is changed.
    """
    if not backup.is_file():
        raise BackupError(f"there is no backup at {backup}")
    prepared = database.with_name(f"{database.name}.restoring")
    _require_separate(database, backup)
    _require_separate(prepared, backup)
    try:
        with _as_backup_error():
            files.make_folder(database.parent)
            _copy(backup, prepared, progress)
            _require_tables_only(prepared)
            asyncio.run(_bring_up_to_date(prepared))
            _require_our_tables(prepared)
            return _put_in_place(database, prepared, progress)
    finally:
        _remove(prepared)


def _require_separate(database: Path, *others: Path) -> None:
    """Raise `BackupError` if one of the other files is part of the database, even under another name."""
    for other in others:
        for part in files.parts_of(database):
            is_same = other.resolve() == part.resolve() or (other.exists() and part.exists() and other.samefile(part))
            if is_same:
                raise BackupError(f"{other} is a file of the database itself")


def _put_in_place(database: Path, prepared: Path, progress: Progress) -> Path | None:
    kept = _unused_name(database)
    if not database.is_file():
        _move_aside(database, kept)
        prepared.replace(database)
        return None
    if _version(database) == _version(prepared):
        back_up(database, kept, progress)
        _replace_rows(database, prepared, progress)
        return kept
    _require_unused(database)
    _move_aside(database, kept)
    files.make_private(kept)
    prepared.replace(database)
    return kept


def _move_aside(database: Path, kept: Path) -> None:
    """Rename all existing files of a database. SQLite would replay an old log next to a new database."""
    for part, aside in zip(files.parts_of(database), files.parts_of(kept), strict=True):
        if part.is_file():
            part.replace(aside)


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
        raise BackupError(f"the backup is not of this app: it holds the {found[0]} {found[1][:100]!r}")


def _require_our_tables(file: Path) -> None:
    """Raise `BackupError` unless a database has exactly the tables of our schema."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    names = {name for (name,) in found if not name.startswith("sqlite_")}
    for wrong in sorted(names ^ {*metadata.tables, "alembic_version"}):
        problem = "holds" if wrong in names else "lacks"
        raise BackupError(f"the backup is not of this app: it {problem} the table {wrong[:100]!r}")


async def _bring_up_to_date(file: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{file}")
    try:
        await database.upgrade()
    finally:
        await database.close()


def _version(file: Path) -> str | None:
    """The version of the schema; None if the file is damaged or has no version."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return None
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        return None
    return None if found is None else str(found[0])


def _require_unused(database: Path) -> None:
    """Raise `BackupError` if the file is open. Without the same schema, it isn't replaced in one transaction."""
    try:
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise BackupError(f"{database} has another schema or is damaged, and is in use: stop the app first") from error
    except sqlite3.DatabaseError:
        pass  # not a database, so nothing can have it open


def _replace_rows(database: Path, prepared: Path, progress: Progress) -> None:
    """Replace all rows by those of the prepared database, in one transaction."""
    names = [table.name for table in metadata.sorted_tables if table is not leases]
    with closing(sqlite3.connect(database, timeout=LOCK_TIMEOUT, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("ATTACH ? AS backup", (str(prepared),))
        connection.execute("BEGIN IMMEDIATE")
        generation = connection.execute("PRAGMA main.user_version").fetchone()[0]
        connection.execute(f"CREATE TEMP TABLE before_restore AS SELECT id, {_OLD_COLUMNS} FROM main.tables")  # noqa: S608
        _keep_later_tables(connection)
        for done, name in enumerate(names, 1):
            columns = _columns(name)
            chosen = ", ".join(
                f'b."{column}"' for column in columns
            )  # without b., SQLite takes unknown columns for strings
            connection.execute(f"DELETE FROM main.{name}")  # noqa: S608  # names from the schema itself
            connection.execute(
                f"INSERT INTO main.{name} ({_quoted(columns)}) SELECT {chosen} FROM backup.{name} AS b"  # noqa: S608
            )
            progress(done, len(names))
        _keep_displays(connection)
        connection.execute(f"PRAGMA main.user_version = {generation + 1}")
        connection.execute("COMMIT")


def _keep_later_tables(connection: sqlite3.Connection) -> None:
    """Close tables opened since the backup. Their messages then say so, and their numbers aren't used again."""
    columns = _columns("tables")
    values = {
        "status": "'closed'",
        "ended": "'restored'",
        "displayed_revision": "-1",
        "duplicate_of": "NULL",
        "deals_secret": "0",
    }
    chosen = ", ".join(values.get(name, f'"{name}"') for name in columns)
    connection.execute(
        f"INSERT INTO backup.tables ({_quoted(columns)}) SELECT {chosen} FROM main.tables"  # noqa: S608
        " WHERE id NOT IN (SELECT id FROM backup.tables)"
    )


def _keep_displays(connection: sqlite3.Connection) -> None:
    """Keep the messages on Discord, and mark tables that may look different or have other messages as outdated."""
    same = "(SELECT {} FROM before_restore WHERE before_restore.id = tables.id)"
    sets = [f"{name} = {same.format(name)}" for name in _DISPLAY_COLUMNS.split(", ") if name != "thread_id"]
    sets += [f"thread_id = coalesce(thread_id, {same.format('thread_id')})", "displayed_revision = -1"]
    sets.append(f"display_version = {same.format('display_version')} + 1")
    changed = " OR ".join(f"{name} <> {same.format(name)}" for name in ("revision", "display_version"))
    connection.execute(
        f"UPDATE main.tables SET {', '.join(sets)} WHERE id IN (SELECT id FROM before_restore)"  # noqa: S608
        f" AND (status IN ('lobby', 'playing') OR ended = 'restored' OR {changed})"
    )
    connection.execute(
        "UPDATE main.sqlite_sequence SET seq = max(seq,"
        " coalesce((SELECT seq FROM backup.sqlite_sequence AS b WHERE b.name = sqlite_sequence.name), 0))"
    )


def _columns(table: str) -> list[str]:
    return [column.name for column in metadata.tables[table].columns]


def _quoted(columns: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


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
    except (sqlite3.Error, StorageError, OSError) as error:
        raise BackupError(str(error)) from error
