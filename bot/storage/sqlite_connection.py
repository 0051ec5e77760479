"""SQLite connections for SQLAlchemy that run a statement with one call of their thread.

aiosqlite runs SQLite in a thread. For a query, SQLAlchemy would call it four times: to create a cursor, execute, fetch,
and close. A call costs more than a typical query. A transaction begins in the call of its first statement.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Self, TypeAlias

import aiosqlite

BATCH_SIZE: Final = 100
"""Rows fetched in the call that executes a query. Results with more are read in further calls."""
Execute: TypeAlias = Callable[[sqlite3.Connection, str, Any], sqlite3.Cursor]
"""`sqlite3.Connection.execute` or `executemany`."""


class Cursor:
    """The cursor of one statement."""

    arraysize = 1
    description: Any = None
    """The columns, as in PEP 249; None for a statement without rows."""
    rowcount = -1
    lastrowid: int | None = None

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        self._rest: sqlite3.Cursor | None = None
        """Has the rows that haven't been fetched yet."""

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> Self:
        """Run a statement."""
        return await self._run(sqlite3.Connection.execute, statement, parameters)

    async def executemany(self, statement: str, parameters: Iterable[Any]) -> Self:
        """Run a statement for each set of parameters."""
        return await self._run(sqlite3.Connection.executemany, statement, parameters)

    async def _run(self, execute: Execute, statement: str, parameters: Iterable[Any]) -> Self:
        cursor, self._rows = await self._connection.run(execute, statement, parameters)
        self.description, self.rowcount, self.lastrowid = cursor.description, cursor.rowcount, cursor.lastrowid
        self._rest = cursor if len(self._rows) == BATCH_SIZE else None
        return self

    async def fetchmany(self, size: int) -> list[Any]:
        """The next rows, at least one if there are any."""
        if not self._rows and self._rest is not None:
            return list(await self._connection.call(self._rest.fetchmany, size))
        found, self._rows = self._rows[:size], self._rows[size:]
        return found

    async def fetchall(self) -> list[Any]:
        """All other rows."""
        found, self._rows = self._rows, []
        return found if self._rest is None else found + await self._connection.call(self._rest.fetchall)

    async def close(self) -> None:
        """Drop the other rows."""
        rest, self._rest = self._rest, None
        if rest is not None:
            await self._connection.call(rest.close)


class Connection(aiosqlite.Connection):
    """A connection whose transactions begin with their first statement."""

    _before: tuple[str, ...] = ()
    _is_open = False
    """True from `begin` until a commit or rollback is complete."""

    def begin(self, *statements: str) -> None:
        """Begin a transaction: run `statements` before the next one."""
        self._before, self._is_open = statements, True

    def cursor(self) -> Cursor:  # type: ignore[override]  # SQLAlchemy uses it in the same way
        """A cursor for one statement."""
        return Cursor(self)

    async def run(self, execute: Execute, statement: str, parameters: Any) -> tuple[sqlite3.Cursor, list[Any]]:  # noqa: ANN401
        """Run a statement. Returns its cursor, closed if that has no more rows, and its first rows."""
        before, self._before = self._before, ()
        found: tuple[sqlite3.Cursor, list[Any]] = await self.call(
            _run, self._conn, before, execute, statement, parameters
        )
        return found

    async def call(self, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401  # its result
        """The result of a function, called in the thread."""
        return await self._execute(function, *arguments)  # type: ignore[no-untyped-call]

    async def commit(self) -> None:
        """End the transaction, if there is one."""
        await self._end(super().commit)

    async def rollback(self) -> None:
        """Undo the transaction, if there is one. SQLAlchemy also calls this for each connection that it gets back."""
        await self._end(super().rollback)

    async def _end(self, end: Callable[[], Any]) -> None:
        if self._before:  # it hasn't really begun
            self._before, self._is_open = (), False
        elif self._is_open:
            await end()
            self._is_open = False


def connect(database: str, **options: Any) -> Connection:  # noqa: ANN401  # those of sqlite3.connect
    """A connection that opens when it's awaited. Its thread doesn't keep the process alive."""
    connection = Connection(lambda: sqlite3.connect(database, **options), iter_chunk_size=BATCH_SIZE)
    connection._thread.daemon = True  # noqa: SLF001  # as SQLAlchemy does
    return connection


def _run(
    connection: sqlite3.Connection, before: Iterable[str], execute: Execute, statement: str, parameters: Iterable[Any]
) -> tuple[sqlite3.Cursor, list[Any]]:
    for each in before:
        connection.execute(each)
    cursor = execute(connection, statement, parameters)
    rows = [] if cursor.description is None else cursor.fetchmany(BATCH_SIZE)
    if len(rows) < BATCH_SIZE:
        cursor.close()
    return cursor, rows
