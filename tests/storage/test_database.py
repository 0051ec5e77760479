"""The connection: schema, durability, transactions, and the contents of errors."""

import asyncio
import os
import sqlite3
import stat
import sys
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from sqlalchemy import insert, make_url, select, text

from bot.storage import database as database_module
from bot.storage import guild_settings, matches
from bot.storage.database import Database
from bot.storage.schema import events, seats, tables
from bot.table.errors import StorageError
from bot.table.guild import GuildSettings
from tests.conftest import opened
from tests.storage.sample_rows import BO, SEED, table_row

CARDS = "7R 7R 10G"
COUNTING = (
    "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 999999) "
    "SELECT max(n) FROM counted"
)
CONNECTIONS = 5 + 10
"""The most connections that SQLAlchemy opens."""
Fault: TypeAlias = Callable[[Database], Awaitable[None]]


async def test_a_damaged_file_is_not_cleaned(sqlite_url: str, caplog: pytest.LogCaptureFixture) -> None:
    _damage(Path(make_url(sqlite_url).database or ""))
    async with opened(sqlite_url) as database:
        assert not await database.clean(of_any_size=True)
    assert "the database can't be cleaned" in caplog.text


def _damage(file: Path) -> None:
    """Overwrite a page."""
    pages = file.read_bytes()
    file.write_bytes(pages[: 5 * 4096] + b"\xff" * 4096 + pages[6 * 4096 :])


async def test_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    async with opened(f"sqlite+aiosqlite:///{tmp_path / ('x' * 300)}") as database:
        with pytest.raises(StorageError, match="too long"):
            await database.require()


async def test_closing_waits_for_transactions(any_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "CLOSING_SECONDS", 60)  # a second is short for a busy machine
    reading, read = asyncio.Event(), asyncio.Event()

    async def count() -> None:
        async with any_database.read() as connection:
            reading.set()
            await connection.execute(text(COUNTING))
            read.set()

    task = asyncio.create_task(count())
    await reading.wait()
    await any_database.close()
    assert read.is_set()
    await task


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)],
    ids=["WAL", "synchronous FULL", "foreign keys"],
)
async def test_every_connection_to_sqlite_has_its_pragmas(
    sqlite_database: Database, pragma: str, value: str | int
) -> None:
    for _ in range(2):
        async with sqlite_database.read() as outer, sqlite_database.read() as inner:
            for connection in (outer, inner):
                assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


async def test_the_file_and_its_folders_are_created(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "deeper" / "gang.sqlite3"
    database = Database(f"sqlite+aiosqlite:///{file}")
    await database.upgrade()
    await database.close()
    assert file.is_file()


async def test_a_folder_that_cannot_be_created_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'file' / 'gang.sqlite3'}")
    with pytest.raises(StorageError):
        await database.upgrade()
    await database.close()


async def test_a_file_that_is_not_a_database_is_a_storage_error(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, this is no database at all. " * 100)
    database = Database(f"sqlite+aiosqlite:///{file}")
    with pytest.raises(StorageError, match="not a database"):
        await database.upgrade()
    await database.close()
    assert file.read_text().startswith("Dear reader")


async def test_an_error_rolls_the_transaction_back(any_database: Database) -> None:
    async def half_done() -> None:
        async with any_database.write() as connection:
            await matches.create(connection, table_row())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await half_done()
    async with any_database.read() as connection:
        assert (await connection.execute(select(tables))).all() == []
        assert (await connection.execute(select(seats))).all() == []


async def test_readers_see_only_committed_data_and_do_not_wait(any_database: Database) -> None:
    async with any_database.write() as connection:
        await guild_settings.save(connection, 7, GuildSettings("de"))
        async with any_database.read() as reader:
            assert await guild_settings.load(reader, 7) == GuildSettings()
    async with any_database.read() as reader:
        assert await guild_settings.load(reader, 7) == GuildSettings("de")


async def test_a_reader_keeps_its_snapshot_during_writes(any_database: Database) -> None:
    async with any_database.read() as reader:
        assert await guild_settings.load(reader, 7) == GuildSettings()
        async with any_database.write() as connection:
            await guild_settings.save(connection, 7, GuildSettings("de"))
        assert await guild_settings.load(reader, 7) == GuildSettings()


async def test_rows_without_their_table_are_refused(any_database: Database) -> None:
    with pytest.raises(StorageError):
        async with any_database.write() as connection:
            await connection.execute(insert(seats).values(table_id=99, seat=0, name="Ada"))


async def test_a_write_fails_completely_while_another_process_locks_the_file(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    database = Database(sqlite_url)
    other = sqlite3.connect(tmp_path / "gang.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="locked"):
        async with database.write() as connection:
            await matches.create(connection, table_row())
    async with database.read() as connection:
        assert await matches.load(connection, 1) is None
    other.execute("ROLLBACK")
    other.close()
    async with database.write() as connection:
        assert await matches.create(connection, table_row()) == 1
    await database.close()


async def test_readers_do_not_wait_for_many_waiting_writers(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.5)
    database = Database(sqlite_url)

    async def write() -> None:
        async with database.write() as connection:
            await matches.create(connection, table_row())

    with closing(sqlite3.connect(tmp_path / "gang.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writers = [asyncio.create_task(write()) for _ in range(50)]
        for _ in range(30):
            async with database.read() as connection:
                assert await matches.load(connection, 1) is None
        assert not any(writer.done() for writer in writers)
        ends = await asyncio.gather(*writers, return_exceptions=True)
        assert {type(end) for end in ends} == {StorageError}
        assert all("locked" in str(end) for end in ends)
        other.execute("ROLLBACK")
    await write()
    await database.close()


async def test_having_no_free_connection_is_a_storage_error(any_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    database = Database(any_url)
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS):
            await stack.enter_async_context(database.read())
        with pytest.raises(StorageError, match="too many wait"):
            await stack.enter_async_context(database.read())
    async with database.read() as connection:
        assert await matches.load(connection, 1) is None
    await database.close()


async def create_with_a_doubled_seat(database: Database) -> None:
    async with database.write() as connection:
        number = await matches.create(connection, table_row())
        seat = {"table_id": number, "seat": 0, "user_id": BO.user_id, "name": BO.name}
        await connection.execute(insert(seats).values(seat))


async def append_a_line_twice(database: Database) -> None:
    async with database.write() as connection:
        number = await matches.create(connection, table_row())
        line = {"table_id": number, "seq": 0, "line": CARDS}
        await connection.execute(insert(events), [line, line])


async def store_a_seed_without_a_table(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(insert(tables).values(seed=SEED, guild_id=None, options={}))


@pytest.mark.parametrize("fail", [create_with_a_doubled_seat, append_a_line_twice, store_a_seed_without_a_table])
async def test_a_storage_error_contains_no_stored_values(any_database: Database, fail: Fault) -> None:
    with pytest.raises(StorageError) as caught:
        await fail(any_database)
    logged = "".join(traceback.format_exception(caught.value))
    for secret in (CARDS, SEED.hex(), repr(SEED)[2:-1], BO.name, str(BO.user_id)):
        assert secret not in logged


async def test_an_unreachable_server_is_a_storage_error() -> None:
    pytest.importorskip("asyncpg", reason="the optional extra for PostgreSQL is not installed")
    database = Database("postgresql+asyncpg://gang:hidden-password@127.0.0.1:1/gang")
    with pytest.raises(StorageError) as caught:
        await database.upgrade()
    await database.close()
    assert "hidden-password" not in str(caught.value)


def test_a_driver_that_is_not_installed_is_a_storage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(StorageError, match="asyncpg is not installed"):
        Database("postgresql+asyncpg://gang@127.0.0.1/gang")


def test_a_row_keeps_its_seed_out_of_logs() -> None:
    assert "seed" not in repr(table_row())
    assert "seed" not in repr(replace(table_row(), revision=3))


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def _modes_after_a_start(file: Path) -> set[int]:
    """Migrate a database, write to it, and return the modes of its files."""
    before = os.umask(0)
    database = Database(f"sqlite+aiosqlite:///{file}")
    try:
        await database.upgrade()
        async with database.write() as connection:
            await guild_settings.save(connection, 7, GuildSettings("de"))
        return {mode_of(each) for each in file.parent.glob(f"{file.name}*")}
    finally:
        await database.close()
        os.umask(before)


async def test_a_new_database_and_its_folder_are_private(tmp_path: Path) -> None:
    file = tmp_path / "new" / "data" / "gang.sqlite3"
    assert await _modes_after_a_start(file) == {0o600}
    assert {mode_of(file.parent), mode_of(file.parent.parent)} == {0o700}


async def test_a_database_readable_by_others_is_made_private(tmp_path: Path) -> None:
    file = tmp_path / "data" / "gang.sqlite3"
    file.parent.mkdir(mode=0o755)
    sqlite3.connect(file).close()
    file.chmod(0o644)
    assert await _modes_after_a_start(file) == {0o600}
    assert mode_of(file.parent) == 0o700


async def test_a_folder_with_other_files_keeps_its_mode(tmp_path: Path) -> None:
    (folder := tmp_path / "shared").mkdir()
    folder.chmod(0o755)
    (folder / "notes.txt").touch()
    assert await _modes_after_a_start(folder / "gang.sqlite3") == {0o600}
    assert mode_of(folder) == 0o755
