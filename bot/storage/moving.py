"""Copy a SQLite database into an empty PostgreSQL database, and compare every row afterwards.

Tables and columns come from the schema, and a table is copied before those that refer to it. A batch of rows is one
transaction, and the next one begins after the last key in the target, so an interrupted copy can continue. Until the
comparison has found no difference, the target has a schema version that the app doesn't know, so the app refuses it.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Insert,
    Select,
    String,
    Table,
    Text,
    bindparam,
    cast,
    func,
    insert,
    literal,
    make_url,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.bulk import stream_rows
from bot.storage.database import Database, schema_version
from bot.storage.schema import leases as lease_table
from bot.storage.schema import metadata, tables
from bot.table.errors import StorageError

Row: TypeAlias = tuple[Any, ...]
"""The values of a row, in the order of the table's columns. JSON is text."""
Key: TypeAlias = tuple[Any, ...]
"""The values of a primary key."""
Progress: TypeAlias = Callable[[str, str, int, int], None]
"""Called with what is done ("copied" or "compared"), the table, the number of its rows done, and of all its rows."""
MOVED: Final = tuple(table for table in metadata.sorted_tables if table is not lease_table)
"""The tables to copy: all but that of running processes."""
BATCH_SIZE: Final = 500
"""Rows copied in one transaction, and the most that are in memory."""
MAX_REPORTED: Final = 20
"""Differences that are reported with their keys."""
_COLLATIONS: Final = {"sqlite": "BINARY", "postgresql": "C"}
"""The order of text by its bytes."""
_UNFINISHED: Final = "move_data_unfinished_"
"""The version of a target that isn't complete yet. What follows identifies the source; both fit into 32 characters."""


class MoveError(Exception):
    """The data can't be moved. The message is a part of a sentence without contents of rows."""


@dataclass
class Comparison:
    """The result of comparing all rows."""

    rows: int = 0
    differences: int = 0
    examples: list[str] = field(default_factory=list)
    """The first differences: table and key."""

    def add(self, table: Table, key: Key) -> None:
        """Add a row that differs, or that only one of the databases has."""
        self.differences += 1
        if len(self.examples) < MAX_REPORTED:
            self.examples.append(f"{table.name} ({_named(table, key)})")


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


async def move(source: Database, target: Database, progress: Progress) -> Comparison:
    """Copy all rows from SQLite to PostgreSQL, or continue an interrupted copy, and compare them.

    The target can be used afterwards if there are no differences. Raises `MoveError` or `StorageError`.
    """
    try:
        await source.require()
    except StorageError as error:
        raise MoveError(f"the source can't be used: {error}") from None
    if (process := await source.running_process()) is not None:  # what it stores later would be missing
        raise MoveError(f"{process} serves Discord from the source: stop it first")
    served = await source.signs_of_life()
    async with source.read() as old:
        counts, version = await _counts(old), await old.run_sync(schema_version)
        mark = await _mark(old, counts)
        await _prepare(target, str(version), mark)
        for table in MOVED:
            await _copy(old, target, table, counts[table.name], progress)
        await target.commit(_continue_sequences, await _last_numbers(old))
        found = await _compare(old, target, counts, progress)
    async with source.read() as now:
        if await _mark(now, await _counts(now)) != mark:
            raise MoveError("the source has changed during the copy, so the target must be emptied")
    if await source.signs_of_life() != served:
        raise MoveError("a process has begun to serve Discord from the source: stop it first")
    if not found.differences:
        await target.commit(_set_version, str(version))
    return found


async def _counts(connection: AsyncConnection) -> dict[str, int]:
    """The number of rows by table."""
    return {
        table.name: (await connection.execute(select(func.count()).select_from(table))).scalar_one() for table in MOVED
    }


async def _mark(source: AsyncConnection, counts: Mapping[str, int]) -> str:
    """The version of an unfinished target. It's different if the source isn't the same or people have played there."""
    revisions = await source.scalar(select(func.sum(tables.c.revision)))
    return _UNFINISHED + sha256(repr((counts, revisions)).encode()).hexdigest()[: 32 - len(_UNFINISHED)]


async def _set_version(connection: AsyncConnection, version: str) -> None:
    await connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})


async def _prepare(target: Database, version: str, mark: str) -> None:
    """Create the schema in an empty target and mark it as unfinished. Raises `MoveError` if it isn't empty or ours."""
    async with target.read() as connection:
        found = await connection.run_sync(schema_version)
    if found == mark:
        return
    if found is not None and found.startswith(_UNFINISHED):
        raise MoveError(
            "the target has a part of another copy, or the source has changed since that began: empty the target"
        )
    if found is None:
        await target.upgrade()
    elif found != version:
        raise MoveError("the target's schema is that of another version of the app")
    async with target.write() as connection:
        for table in metadata.sorted_tables:
            if (await connection.execute(select(literal(1)).select_from(table).limit(1))).first() is not None:
                raise MoveError(f"the target already has data, in the table {table.name}: give an empty database")
        await _set_version(connection, mark)


async def _copy(source: AsyncConnection, target: Database, table: Table, of: int, progress: Progress) -> None:
    """Copy the rows of a table after the last one in the target."""
    async with target.read() as connection:
        done = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
        backwards = [column.desc() for column in _order(table, connection.dialect.name)]
        keys = select(*table.primary_key.columns).order_by(*backwards)
        last = (await connection.execute(keys.limit(1))).one_or_none()
    query = _all_rows(table, source.dialect.name)
    if last is not None:
        own = [literal(value, column.type) for value, column in zip(last, table.primary_key.columns, strict=True)]
        query = query.where(tuple_(*table.primary_key.columns) > tuple_(*own))
    progress("copied", table.name, done, of)
    rows = await source.stream(query, execution_options={"yield_per": BATCH_SIZE})
    async for batch in rows.partitions():
        await _store(target, table, [tuple(row) for row in batch])
        done += len(batch)
        progress("copied", table.name, done, of)


async def _store(target: Database, table: Table, rows: Sequence[Row]) -> None:
    """Store rows in one transaction. Raises `MoveError` with the key of the first row that PostgreSQL refuses."""
    try:
        await target.commit(_insert, table, rows)
    except _RefusedRow:
        for row in rows:
            try:
                await target.commit(_insert, table, [row])
            except _RefusedRow as error:
                named = _named(table, _key_of(table)(row))
                raise MoveError(f"PostgreSQL refuses the row {named} of the table {table.name}: {error}") from None


class _RefusedRow(Exception):
    """PostgreSQL refuses a value. The message is the name of the error, because its text can contain the value."""


async def _insert(connection: AsyncConnection, table: Table, rows: Sequence[Row]) -> None:
    names = [column.name for column in table.columns]
    try:
        await connection.execute(_insertion(table), [dict(zip(names, row, strict=True)) for row in rows])
    except DBAPIError as error:
        if error.connection_invalidated or error.orig is None:
            raise
        raise _RefusedRow(type(error.orig.__cause__ or error.orig).__name__) from None


def _insertion(table: Table) -> Insert:
    """An insert of all columns. JSON arrives as text, so that it's stored as it was."""
    json = {column.name: cast(bindparam(column.name, type_=Text), JSON) for column in table.columns if _is_json(column)}
    return insert(table).values({column.name: bindparam(column.name) for column in table.columns} | json)


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, JSON)


def _all_rows(table: Table, dialect: str) -> Select[Any]:
    """All rows in the order of their keys, which is the same in both databases. JSON is read as text."""
    columns = [cast(column, Text) if _is_json(column) else column for column in table.columns]
    return select(*columns).order_by(*_order(table, dialect))


def _order(table: Table, dialect: str) -> list[ColumnElement[Any]]:
    """The columns of the key. Text is ordered by its bytes, as Python orders it."""
    collation = _COLLATIONS[dialect]
    return [
        column.collate(collation) if isinstance(column.type, String) else column for column in table.primary_key.columns
    ]


def _key_of(table: Table) -> Callable[[Row], Key]:
    """A function that returns the key of a row."""
    places = [list(table.columns).index(column) for column in table.primary_key.columns]
    return lambda row: tuple(row[place] for place in places)


def _named(table: Table, key: Key) -> str:
    """A key with the names of its columns."""
    values = (value.hex() if isinstance(value, bytes) else value for value in key)
    return ", ".join(f"{column.name}={value}" for column, value in zip(table.primary_key.columns, values, strict=True))


async def _last_numbers(source: AsyncConnection) -> dict[str, int]:
    """The last number that was given to a row, by table. It may belong to a row that was deleted since."""
    found = await source.execute(text("SELECT name, seq FROM sqlite_sequence"))
    used: dict[str, int] = {row.name: row.seq for row in found}
    for table in MOVED:
        if (column := table.autoincrement_column) is not None:
            highest = await source.scalar(select(func.max(column))) or 0
            used[table.name] = max(highest, used.get(table.name, 0))
    return used


async def _continue_sequences(target: AsyncConnection, last: Mapping[str, int]) -> None:
    """Let new rows get numbers after the last ones."""
    for table in MOVED:
        column, number = table.autoincrement_column, last.get(table.name, 0)
        if column is not None and number:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            await target.execute(select(func.setval(sequence, number)))


async def _compare(
    source: AsyncConnection, target: Database, counts: Mapping[str, int], progress: Progress
) -> Comparison:
    """Compare all rows in the order of their keys. Only a batch of each database is in memory."""
    found = Comparison()
    async with target.read() as connection:
        for table in MOVED:
            before, of = found.rows, counts[table.name]
            progress("compared", table.name, 0, of)
            async for key in _different_keys(_rows(source, table), _rows(connection, table), _key_of(table)):
                if key is not None:
                    found.add(table, key)
                found.rows += 1
                if (done := found.rows - before) % BATCH_SIZE == 0 or done == of:
                    progress("compared", table.name, done, of)
    return found


def _rows(connection: AsyncConnection, table: Table) -> AsyncIterator[Row]:
    return stream_rows(connection, _all_rows(table, connection.dialect.name))


async def _different_keys(
    left: AsyncIterator[Row], right: AsyncIterator[Row], key_of: Callable[[Row], Key]
) -> AsyncIterator[Key | None]:
    """Compare two streams of rows. Yields for each key None if the rows are equal, otherwise the key."""
    old, new = await anext(left, None), await anext(right, None)
    while old is not None or new is not None:
        first = min(key_of(row) for row in (old, new) if row is not None)
        same = old == new
        if old is not None and key_of(old) == first:
            old = await anext(left, None)
        if new is not None and key_of(new) == first:
            new = await anext(right, None)
        yield None if same else first
