"""SQLite connections for SQLAlchemy that call their thread at most once for a statement.

aiosqlite runs SQLite in a thread. For a query, SQLAlchemy would call it four times: to create a cursor, execute, fetch,
and close. A call costs more than a typical query. So a transaction begins in the call of its first statement, a
statement that may run `LATER` waits for the call of the next one or of the commit, and the end of a read isn't awaited.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import methodcaller
from typing import Any, Final, Self, TypeAlias, cast

import aiosqlite
from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import ExecutionContext

LATER: Final = {"later": True}
"""Execution options of a statement whose result isn't needed. If it fails, the next statement or the commit raises."""
CHANGES_ONE: Final = LATER | {"changes_one": True}
"""The same; it fails if it changes no row."""
BATCH_SIZE: Final = 100
"""Rows fetched in the call that executes a query. Results with more are read in further calls."""
Run: TypeAlias = Callable[[sqlite3.Connection], sqlite3.Cursor]
"""Runs a statement."""
Step: TypeAlias = Callable[[sqlite3.Connection], object]
"""Runs a statement or a check whose result isn't needed. It raises an error to undo the transaction."""


class Unchanged(sqlite3.DatabaseError):
    """A statement that had to change a row hasn't changed one, or the database has another user version."""


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
        return await self._run(methodcaller("execute", statement, parameters))

    async def executemany(self, statement: str, parameters: Iterable[Any]) -> Self:
        """Run a statement for each set of parameters."""
        return await self._run(methodcaller("executemany", statement, parameters))

    async def _run(self, run: Run) -> Self:
        cursor, self._rows = await self._connection.run(run)
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

    user_version = 0
    """What `PRAGMA user_version` was at the last statement."""
    _opening: tuple[Step, ...] = ()
    """Begins the transaction, before its first statement."""
    _later: tuple[Step, ...] = ()
    """Runs before the next statement, or before the commit."""
    _is_open = False
    """True from `begin` until a commit or rollback is complete."""
    _only_reads = False

    @property
    def has_begun(self) -> bool:
        """True from the first statement of a transaction until its end."""
        return self._is_open and not self._opening

    def begin(self, *statements: str, only_reads: bool) -> None:
        """Begin a transaction: run `statements` before the next one."""
        self._opening = tuple(methodcaller("execute", statement) for statement in statements)
        self._is_open, self._only_reads = True, only_reads

    def postpone(self, step: Step) -> None:
        """Take a step in the call of the next statement, or of the commit."""
        self._later += (step,)

    def require_user_version(self, expected: int) -> None:
        """Fail with the next statement, or the commit, if `PRAGMA user_version` isn't as expected."""
        self.postpone(partial(_require_user_version, expected))

    def cursor(self) -> Cursor:  # type: ignore[override]  # SQLAlchemy uses it in the same way
        """A cursor for one statement."""
        return Cursor(self)

    async def run(self, run: Run) -> tuple[sqlite3.Cursor, list[Any]]:
        """Run a statement. Returns its cursor, closed if that has no more rows, and its first rows."""
        self.user_version, cursor, rows = await self.call(_run, self._conn, self._take_waiting(), run)
        return cursor, rows

    async def call(self, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401  # its result
        """The result of a function, called in the thread."""
        return await self._execute(function, *arguments)  # type: ignore[no-untyped-call]

    async def commit(self) -> None:
        """End the transaction, if there is one."""
        if self._opening and not self._later:  # it hasn't really begun
            self._opening, self._is_open = (), False
        elif self._is_open:
            await self.call(_commit, self._conn, self._take_waiting())
            self._is_open = False

    async def rollback(self) -> None:
        """Undo the transaction, if there is one. SQLAlchemy also calls this for each connection that it gets back."""
        has_begun, self._opening, self._later = self.has_begun, (), ()
        if has_begun and self._only_reads:
            self._tx.put_nowait((None, self._conn.rollback))  # the next call comes after it
        elif has_begun:
            await super().rollback()
        self._is_open = False

    def _take_waiting(self) -> tuple[Step, ...]:
        waiting, self._opening, self._later = self._opening + self._later, (), ()
        return waiting


def connect(database: str, **options: Any) -> Connection:  # noqa: ANN401  # those of sqlite3.connect
    """A connection that opens when it's awaited. Its thread doesn't keep the process alive."""
    connection = Connection(lambda: sqlite3.connect(database, **options), iter_chunk_size=BATCH_SIZE)
    connection._thread.daemon = True  # noqa: SLF001  # as SQLAlchemy does
    return connection


def support_later(engine: Engine) -> None:
    """Let an engine with these connections run statements `LATER`."""

    def postpone(run: Run, context: ExecutionContext) -> bool:
        if not context.execution_options.get("later"):
            return False
        connection = cast("Connection", context.root_connection.connection.driver_connection)
        connection.postpone(partial(_change_one, run) if "changes_one" in context.execution_options else run)
        return True

    @event.listens_for(engine, "do_execute")
    def execute(_cursor: object, statement: str, parameters: Any, context: ExecutionContext) -> bool:  # noqa: ANN401
        return postpone(methodcaller("execute", statement, parameters), context)

    @event.listens_for(engine, "do_executemany")
    def executemany(_cursor: object, statement: str, parameters: Any, context: ExecutionContext) -> bool:  # noqa: ANN401
        return postpone(methodcaller("executemany", statement, parameters), context)


def _run(connection: sqlite3.Connection, before: Iterable[Step], run: Run) -> tuple[int, sqlite3.Cursor, list[Any]]:
    """Run statements. Returns the user version, the cursor of the last one, and its first rows."""
    for step in before:
        step(connection)
    cursor = run(connection)
    rows = [] if cursor.description is None else cursor.fetchmany(BATCH_SIZE)
    if len(rows) < BATCH_SIZE:
        cursor.close()
    return _user_version(connection), cursor, rows


def _user_version(connection: sqlite3.Connection) -> int:
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def _require_user_version(expected: int, connection: sqlite3.Connection) -> None:
    if _user_version(connection) != expected:
        raise Unchanged


def _change_one(run: Run, connection: sqlite3.Connection) -> None:
    if run(connection).rowcount == 0:
        raise Unchanged


def _commit(connection: sqlite3.Connection, before: Iterable[Step]) -> None:
    for step in before:
        step(connection)
    connection.commit()
