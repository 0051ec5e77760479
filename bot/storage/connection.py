"""SQLAlchemy's connections for asyncio.

`sqlalchemy.ext.asyncio` has them, too, but it imports the ORM, which takes 6 MiB. Both run SQLAlchemy's code with
`greenlet_spawn`: while it waits for the driver, the event loop goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Dialect, Engine, Executable, Row, ScalarResult
from sqlalchemy.sql.selectable import TypedReturnsRows
from sqlalchemy.util import greenlet_spawn

Args = ParamSpec("Args")
Result = TypeVar("Result")
Value = TypeVar("Value")
Values = TypeVarTuple("Values")
Parameters: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
"""Values for a statement. With a list, it runs once for each item."""
Options: TypeAlias = Mapping[str, Any] | None
"""SQLAlchemy's execution options."""


class AsyncConnection:
    """A connection within a transaction, for one task at a time. Its methods are SQLAlchemy's, except `stream`."""

    def __init__(self, connection: Connection) -> None:
        self.sync_connection = connection
        self.dialect: Dialect = connection.dialect

    @overload
    async def execute(
        self, statement: TypedReturnsRows[*Values], parameters: Parameters = None, *, execution_options: Options = None
    ) -> CursorResult[*Values]: ...

    @overload
    async def execute(
        self, statement: Executable, parameters: Parameters = None, *, execution_options: Options = None
    ) -> CursorResult[*tuple[Any, ...]]: ...

    async def execute(
        self, statement: Executable, parameters: Parameters = None, *, execution_options: Options = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement and read all rows of its result."""
        run = self.sync_connection.execute
        return await greenlet_spawn(run, statement, parameters, execution_options=execution_options)

    @overload
    async def scalar(self, statement: TypedReturnsRows[Value], parameters: Parameters = None) -> Value | None: ...

    @overload
    async def scalar(self, statement: Executable, parameters: Parameters = None) -> Any: ...  # noqa: ANN401  # any value

    async def scalar(self, statement: Executable, parameters: Parameters = None) -> Any:
        """The first value of the first row; None without rows."""
        return (await self.execute(statement, parameters)).scalar()

    @overload
    async def scalars(
        self, statement: TypedReturnsRows[Value], parameters: Parameters = None
    ) -> ScalarResult[Value]: ...

    @overload
    async def scalars(self, statement: Executable, parameters: Parameters = None) -> ScalarResult[Any]: ...

    async def scalars(self, statement: Executable, parameters: Parameters = None) -> ScalarResult[Any]:
        """The first value of each row."""
        return (await self.execute(statement, parameters)).scalars()

    async def exec_driver_sql(
        self, statement: str, parameters: Sequence[Any] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement in the driver's own syntax."""
        run = self.sync_connection.exec_driver_sql
        return await greenlet_spawn(run, statement, None if parameters is None else tuple(parameters))

    async def stream(self, query: Executable, size: int) -> AsyncIterator[Sequence[Row[*tuple[Any, ...]]]]:
        """The rows of a query in parts of `size`, never all in memory."""
        options = {"stream_results": True}
        result = await greenlet_spawn(self.sync_connection.execute, query, execution_options=options)
        while part := await greenlet_spawn(result.fetchmany, size):
            yield part

    async def run_sync(
        self, function: Callable[Concatenate[Connection, Args], Result], *args: Args.args, **kwargs: Args.kwargs
    ) -> Result:
        """The result of a function that uses SQLAlchemy's connection without awaiting."""
        return await greenlet_spawn(partial(function, self.sync_connection, *args, **kwargs))


@asynccontextmanager
async def transaction(engine: Engine, *, writes: bool, **options: object) -> AsyncIterator[AsyncConnection]:
    """A connection with these execution options. If it `writes`, a block without an exception commits.

    The end of the block waits for the end of the transaction, even if the task is canceled meanwhile.
    """
    connection = await greenlet_spawn(_connect, engine, options)
    try:
        yield AsyncConnection(connection)
    except BaseException:
        await _completed(greenlet_spawn(connection.close))
        raise
    await _completed(greenlet_spawn(partial(_commit_and_close, connection) if writes else connection.close))


async def _completed(work: Coroutine[Any, Any, None]) -> None:
    """Wait for the end of some work, even if the task is canceled meanwhile."""
    running, canceled = asyncio.ensure_future(work), None
    while not running.done():
        try:
            await asyncio.shield(running)
        except asyncio.CancelledError as error:
            canceled = error
    if canceled is not None:
        raise canceled
    running.result()


def _connect(engine: Engine, options: dict[str, object]) -> Connection:
    connection = engine.connect()
    return connection.execution_options(**options) if options else connection


def _commit_and_close(connection: Connection) -> None:
    try:
        connection.commit()
    except BaseException:
        connection.rollback()  # the driver would keep a transaction that it couldn't commit
        raise
    finally:
        connection.close()
