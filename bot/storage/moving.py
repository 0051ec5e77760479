"""Copy a SQLite database into an empty PostgreSQL database, in one transaction of the target.

The transaction creates the schema, copies all tables and compares each with its source. So after a failure the target
is as empty as before.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from sqlalchemy import JSON, Column, Insert, Text, bindparam, cast, func, insert, literal, make_url, select, text
from sqlalchemy import Table as SqlTable
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.storage.session_locks import HELD_BY_OTHERS
from bot.table.errors import StorageError

Progress: TypeAlias = Callable[[str, str, int, int], None]
"""Called with what is done ("copied" or "compared"), the table, the number of its rows done, and of all its rows."""
BATCH_SIZE: Final = 500
"""Rows that are stored by one statement, and the most that are in memory."""
_HASHES: Final = 2**256


class MoveError(Exception):
    """The data can't be moved. The message is a part of a sentence without contents of rows."""


@dataclass
class _Digest:
    """The number of rows and the sum of their hashes: the same in any order, because text is ordered differently."""

    rows: int = 0
    sum: int = 0

    def add(self, row: tuple[Any, ...]) -> None:
        self.rows += 1
        self.sum = (self.sum + int.from_bytes(sha256(repr(row).encode()).digest())) % _HASHES


def source_url(given: str) -> str:
    """The URL of a SQLite database, which can be given as a file. Raises `MoveError`."""
    url = given if "://" in given else f"sqlite+aiosqlite:///{given}"
    return _url(url, "sqlite+aiosqlite", "the source isn't a SQLite database: give its file")


def target_url(given: str) -> str:
    """The URL of a PostgreSQL database. Raises `MoveError`."""
    return _url(
        given, "postgresql+asyncpg", "the target isn't a PostgreSQL database: its URL begins with postgresql+asyncpg:"
    )


def _url(given: str, driver: str, problem: str) -> str:
    """The URL if it has this driver. Raises `MoveError` without the URL, which can contain a password."""
    try:
        is_right = make_url(given).drivername == driver
    except (ArgumentError, ValueError):
        is_right = False
    if not is_right:
        raise MoveError(problem)
    return given


async def move(source: Database, target: Database, progress: Progress) -> int:
    """Copy all rows from SQLite to PostgreSQL. Returns their number. Nothing else may use the source meanwhile.

    Raises `MoveError` or `StorageError`.
    """
    try:
        await source.require()
    except StorageError as error:
        raise MoveError(f"the source can't be used: {error}") from None
    rows = 0
    async with source.read() as old, target.write() as new:
        await _prepare(new)
        for sql_table in metadata.sorted_tables:
            rows += await _move_table(old, new, sql_table, progress)
        await _continue_numbers(old, new)
    return rows


async def _prepare(new: AsyncConnection) -> None:
    """Create the schema, and keep others from writing. Raises `MoveError` if the target isn't empty or is in use."""
    from bot.storage.migrating import migrate  # noqa: PLC0415  # takes memory, and is rarely needed

    if await new.scalar(HELD_BY_OTHERS) is not None:
        raise MoveError("the app uses the target: stop it first")
    try:
        await new.run_sync(migrate)
    except StorageError as error:
        raise MoveError(f"the target can't be used: {error}") from None
    names = [sql_table.name for sql_table in metadata.sorted_tables]
    await new.execute(text(f"LOCK TABLE {', '.join(names)} IN EXCLUSIVE MODE"))
    for sql_table in metadata.sorted_tables:
        if (await new.execute(select(literal(1)).select_from(sql_table).limit(1))).first() is not None:
            raise MoveError(f"the target already has data, in the table {sql_table.name}: give an empty database")


async def _move_table(old: AsyncConnection, new: AsyncConnection, sql_table: SqlTable, progress: Progress) -> int:
    """Copy the rows of a table, and compare them. Returns their number."""
    total = await old.scalar(select(func.count()).select_from(sql_table)) or 0
    copied, found = _Digest(), _Digest()
    async for batch in _batches(old, sql_table, copied):
        await _store(new, sql_table, batch)
        progress("copied", sql_table.name, copied.rows, total)
    async for _ in _batches(new, sql_table, found):
        progress("compared", sql_table.name, found.rows, total)
    if found != copied:
        raise MoveError(f"the copy of the table {sql_table.name} differs")
    return found.rows


async def _batches(
    connection: AsyncConnection, sql_table: SqlTable, digest: _Digest
) -> AsyncIterator[list[dict[str, Any]]]:
    """The rows of a table in parts, by column and added to a digest. JSON is text."""
    names = [column.name for column in sql_table.columns]
    query = select(*(cast(column, Text) if _is_json(column) else column for column in sql_table.columns))
    result = await connection.stream(query, execution_options={"yield_per": BATCH_SIZE})
    async for part in result.partitions():
        for row in part:
            digest.add(tuple(row))
        yield [dict(zip(names, row, strict=True)) for row in part]


async def _store(new: AsyncConnection, sql_table: SqlTable, rows: list[dict[str, Any]]) -> None:
    """Store rows. Raises `MoveError` if PostgreSQL refuses one, without its text, which can contain the values."""
    try:
        await new.execute(_insertion(sql_table), rows)
    except DBAPIError as error:
        if error.connection_invalidated or error.orig is None:
            raise
        refusal = type(error.orig.__cause__ or error.orig).__name__
        raise MoveError(f"PostgreSQL refuses a row of the table {sql_table.name}: {refusal}") from None


def _insertion(sql_table: SqlTable) -> Insert:
    """An insert of all columns. JSON arrives as text, so that it's stored as it was."""
    json = {
        column.name: cast(bindparam(column.name, type_=Text), JSON) for column in sql_table.columns if _is_json(column)
    }
    return insert(sql_table).values({column.name: bindparam(column.name) for column in sql_table.columns} | json)


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, JSON)


async def _continue_numbers(old: AsyncConnection, new: AsyncConnection) -> None:
    """Let new rows get numbers that were never given, not even to a row that was deleted since."""
    found = await old.execute(text("SELECT name, seq FROM sqlite_sequence"))
    used = {row.name: row.seq for row in found}
    for sql_table in metadata.sorted_tables:
        if (column := sql_table.autoincrement_column) is not None:
            last = max(await old.scalar(select(func.max(column))) or 0, used.get(sql_table.name, 0))
            if last:
                sequence = func.pg_get_serial_sequence(sql_table.name, column.name)
                await new.execute(select(func.setval(sequence, last)))
