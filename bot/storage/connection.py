"""SQLAlchemy's connections for asyncio.

`sqlalchemy.ext.asyncio` has them, too, but it imports the ORM, which takes 6 MiB. Both run SQLAlchemy's code with
`greenlet_spawn`: while it waits for the driver, the event loop goes on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
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

Patience: TypeAlias = Callable[[], float | None]
"""For how many seconds to wait for the server's next answer; None: as long as it takes."""
_closing: set[asyncio.Future[None]] = set()
"""Connections on their way back."""


def patient() -> None:
    """Wait as long as it takes, as `Patience`."""


class AsyncConnection:
    """A connection within a transaction, for one task at a time. Its methods are SQLAlchemy's, except `stream`."""

    def __init__(self, connection: Connection, patience: Patience = patient) -> None:
        self.sync_connection = connection
        self.dialect: Dialect = connection.dialect
        self._patience = patience

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
        with in_time(self.sync_connection, self._patience()):
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
        with in_time(self.sync_connection, self._patience()):
            return await greenlet_spawn(run, statement, None if parameters is None else tuple(parameters))

    async def stream(self, query: Executable, size: int) -> AsyncIterator[Sequence[Row[*tuple[Any, ...]]]]:
        """The rows of a query in parts of `size`, never all in memory."""
        options = {"stream_results": True}
        with in_time(self.sync_connection, self._patience()):
            result = await greenlet_spawn(self.sync_connection.execute, query, execution_options=options)
        while part := await self._fetch(result, size):
            yield part

    async def _fetch(self, result: CursorResult[*tuple[Any, ...]], size: int) -> Sequence[Row[*tuple[Any, ...]]]:
        with in_time(self.sync_connection, self._patience()):
            return await greenlet_spawn(result.fetchmany, size)

    async def run_sync(
        self, function: Callable[Concatenate[Connection, Args], Result], *args: Args.args, **kwargs: Args.kwargs
    ) -> Result:
        """The result of a function that uses SQLAlchemy's connection without awaiting."""
        return await greenlet_spawn(partial(function, self.sync_connection, *args, **kwargs))


@contextmanager
def in_time(connection: Connection, seconds: float | None) -> Iterator[None]:
    """Let the block fail if the server doesn't answer within some seconds: the connection is cut then."""
    if seconds is None or connection.invalidated:  # it may have been cut
        yield
        return
    driver: Any = connection.connection.driver_connection
    timer = asyncio.get_running_loop().call_later(seconds, driver.terminate)
    try:
        yield
    finally:
        timer.cancel()


@asynccontextmanager
async def transaction(
    engine: Engine, *, writes: bool, patience: Patience = patient, **options: object
) -> AsyncIterator[AsyncConnection]:
    """A connection with these execution options. If it `writes`, a block without an exception commits.

    The end of the block waits for the end of the transaction, even if the task is canceled meanwhile. Raises
    TimeoutError if there is no connection within the `patience`, which also limits the wait for each answer.
    """
    connection = await _connected(greenlet_spawn(_connect, engine, options), patience())
    try:
        yield AsyncConnection(connection, patience)
    except BaseException:
        await _end(connection, connection.close, patience)
        raise
    await _end(connection, partial(_commit_and_close, connection) if writes else connection.close, patience)


async def _connected(connecting: Coroutine[Any, Any, Connection], seconds: float | None) -> Connection:
    """A connection, which may be asked first whether it works. Raises TimeoutError if that takes too long."""
    if seconds is None:
        return await connecting
    task = asyncio.ensure_future(connecting)
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.shield(task)
    except BaseException:
        task.add_done_callback(_give_back)
        raise


def _give_back(connecting: asyncio.Future[Connection]) -> None:
    """Return a connection that nobody waits for any more."""
    if not connecting.cancelled() and connecting.exception() is None:
        closing = asyncio.ensure_future(greenlet_spawn(connecting.result().close))
        _closing.add(closing)
        closing.add_done_callback(_closing.discard)


async def _end(connection: Connection, end: Callable[[], None], patience: Patience) -> None:
    """End a transaction, even if the task is canceled meanwhile."""
    with in_time(connection, patience()):
        await _completed(greenlet_spawn(end))


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
