"""The connection to the database: SQLite in one file, or PostgreSQL.

All access is through `async with database.write()` (one atomic transaction) or `database.read()`, or through `commit`
and `fetch` for one function.
"""

import asyncio
import logging
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, ExceptionContext, Table, event, inspect, make_url, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.base import press_context
from bot.base.metrics import DATABASE_SECONDS, DATABASE_WAIT, Access
from bot.storage import files
from bot.storage.guild_filter import ALL_GUILDS, OURS, GuildFilter
from bot.table.errors import StorageError

if TYPE_CHECKING:
    from sqlalchemy.pool import AsyncAdaptedQueuePool

log = logging.getLogger(__name__)

Args = ParamSpec("Args")
Result = TypeVar("Result")
Query: TypeAlias = Callable[Concatenate[AsyncConnection, Args], Awaitable[Result]]
"""A function of a connection in a transaction."""
MIGRATIONS: Final = Path(__file__).parent / "migrations" / "versions"
BUSY_SECONDS: Final = 2
"""Seconds that an action waits for other writers in total. Discord expects an answer within 3 seconds."""
LOCK_SECONDS: Final = 1.5
"""Seconds that PostgreSQL waits for a lock, so that a press is refused before its connection is cut."""
CLEANING_SECONDS: Final = 0.5
"""Seconds that cleaning waits for others. Writers wait for it during that time."""
CONNECT_SECONDS: Final = 5
"""Seconds that a new connection to PostgreSQL may take."""
PROBE_SECONDS: Final = 5.0
"""Seconds for the check that no transaction pooler stands between the app and PostgreSQL."""
CLOSING_SECONDS: Final = 1.0
"""Seconds for the last transactions when the app stops."""
KEEPALIVE: Final = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 20_000}
"""Options of connections to PostgreSQL: seconds, and for the last one milliseconds."""
POOLED: Final = (
    "a connection pooler gives each transaction another session of PostgreSQL; write PostgreSQL's own address, "
    "or that of a pooler in session mode, into DATABASE_URL"
)
POOLED_STATES: Final = ("26000", "42P05")
"""PostgreSQL's error codes for a prepared statement that the session doesn't have, and for one that it has already."""
_SESSION: Final = text("SELECT pg_backend_pid()")
MAX_VACUUM_BYTES: Final = 32 * 2**20
"""The largest database to rewrite while the app runs. Even on a slow machine this takes less than `BUSY_SECONDS`."""


def wait_deadline() -> float:
    """The time until which to wait for others, on the clock of the event loop."""
    left = press_context.seconds_left()
    return asyncio.get_running_loop().time() + (BUSY_SECONDS if left is None else min(left, BUSY_SECONDS))


@asynccontextmanager
async def hold_lock(lock: asyncio.Lock, until: float) -> AsyncIterator[None]:
    """Hold a lock. Raises `StorageError` if it isn't free in time because its holder waits for the database."""
    try:
        async with asyncio.timeout_at(until):
            await lock.acquire()
    except TimeoutError:
        raise StorageError("the database is locked, and others wait for it already") from None
    try:
        yield
    finally:
        lock.release()


class Database:
    """The engine and its transactions."""

    def __init__(
        self,
        url: str,
        answer_seconds: float | None = None,
        guilds: GuildFilter = ALL_GUILDS,
        require_ownership: Callable[[], None] = lambda: None,
    ) -> None:
        """PostgreSQL may take `answer_seconds` for each answer, and less during a press; None: any time.

        Queries for regular work are limited to these `guilds` (see `is_ours`). `require_ownership` raises
        `StorageError` if nothing may be written, because another process may serve them.
        """
        self._url = make_url(url)
        self._require_ownership = require_ownership
        self._is_sqlite = self._url.get_backend_name() == "sqlite"
        options: dict[str, Any] = {"timeout": CONNECT_SECONDS, "command_timeout": answer_seconds}
        if self._is_sqlite:
            options = {"timeout": BUSY_SECONDS, "isolation_level": None}  # the driver begins no transactions by itself
        try:
            self._engine = create_async_engine(
                self._url,
                connect_args=options,
                pool_timeout=BUSY_SECONDS,
                pool_pre_ping=not self._is_sqlite,
                execution_options={OURS: guilds},
            )
        except ModuleNotFoundError as error:
            raise StorageError(f"its driver {error.name} is not installed") from error
        self._writing = asyncio.Lock()
        if self._is_sqlite:
            event.listen(self._engine.sync_engine, "connect", _set_pragmas)
        else:
            _prepare_postgresql(self._engine)

    async def require(self) -> None:
        """Raise `StorageError` unless there is a database with the current schema."""
        with as_storage_error():
            if self._is_sqlite and not Path(self._url.database or "").is_file():  # noqa: ASYNC240  # before anything runs
                raise StorageError(f"the file {self._url.database} doesn't exist")
        async with self.read() as connection:
            if not await connection.run_sync(_is_up_to_date):
                raise StorageError("its schema is that of another version")

    async def upgrade(self) -> None:
        """Open the database, and migrate the schema."""
        await self.open()
        await self.migrate()

    async def open(self) -> None:
        """Create the file and its folder if necessary, readable only by their owner. Raises `StorageError`."""
        if self._is_sqlite and self._url.database:
            try:
                file = Path(self._url.database)
                files.make_folder(file.parent)
                files.make_private(file)
                sqlite3.connect(self._url.database).close()  # aiosqlite's thread would survive a failure
            except (OSError, sqlite3.Error) as error:
                raise StorageError(str(error)) from error
        else:
            await self._require_sessions()

    async def migrate(self, *, is_alone: bool = True) -> None:
        """Migrate the schema. Raises `StorageError` if that must be done but other processes use the database."""
        async with self.read() as connection:
            if await connection.run_sync(_is_up_to_date):
                return
        if not is_alone:
            raise StorageError("other processes still use it with another version; stop them first")
        async with self.write() as connection:
            if not await connection.run_sync(_is_up_to_date):
                from bot.storage.migrating import migrate  # noqa: PLC0415  # takes memory, and is rarely needed

                await connection.run_sync(migrate)

    async def _require_sessions(self) -> None:
        """Raise `StorageError` if a pooler gives each transaction any session, so that prepared statements get lost.

        A connection's session must be the same again although another one has begun a transaction meanwhile.
        """
        with as_storage_error():
            async with self._engine.connect() as one:
                before = await one.scalar(_SESSION)
                await one.rollback()
                try:
                    async with asyncio.timeout(PROBE_SECONDS), self._engine.connect() as other:
                        await other.scalar(_SESSION)
                        after = await one.scalar(_SESSION)
                except TimeoutError:
                    after = None
                except DBAPIError as error:
                    if getattr(error.orig, "sqlstate", None) not in POOLED_STATES:
                        raise
                    after = None
        if before != after:
            raise StorageError(POOLED)

    @asynccontextmanager
    async def write(self, until: float | None = None) -> AsyncIterator[AsyncConnection]:
        """One transaction, committed at the end of the block and rolled back if the block raises.

        It waits for other writers until `until`, by default until `wait_deadline()`.
        """
        self._require_ownership()
        until = wait_deadline() if until is None else until
        with as_storage_error(), measuring("write") as begin:
            async with self._turn_to_write(until), self._time_limit(), self._engine.begin() as connection:
                if self._is_sqlite:
                    await _begin_immediate(connection, until)
                begin()
                yield connection

    def _turn_to_write(self, until: float) -> AbstractAsyncContextManager[None]:
        """SQLite has one writer at a time. The others wait here, so that connections are left for readers."""
        return hold_lock(self._writing, until) if self._is_sqlite else nullcontext()

    def _time_limit(self) -> asyncio.Timeout:
        """PostgreSQL may not answer, so a transaction fails if it lasts until its press has to be answered."""
        return asyncio.timeout(None if self._is_sqlite else press_context.seconds_left())

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A consistent snapshot. It doesn't wait for writers."""
        with as_storage_error(), measuring("read") as begin:
            async with self._time_limit(), self._engine.connect() as connection:
                if self._is_sqlite:
                    await _run_script(connection, "BEGIN")
                else:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                begin()
                yield connection

    async def fetch(self, query: Query[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """The result of one query in `read`."""
        async with self.read() as connection:
            return await query(connection, *args, **kwargs)

    async def commit(self, change: Query[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """The result of one change in `write`."""
        async with self.write() as connection:
            return await change(connection, *args, **kwargs)

    async def clean(self, *, of_any_size: bool) -> bool:
        """Remove deleted data from the database files. Returns False if that must be done later.

        SQLite overwrites deleted data (`secure_delete`), but copies remain in the write-ahead log and where it has
        moved rows within pages. So the file is rewritten. A large one only if `of_any_size`, because others can't write
        until that is done. PostgreSQL's files are up to its operator.
        """
        if not self._is_sqlite or self._url.database is None:
            return True
        file = Path(self._url.database)
        with as_storage_error():
            async with hold_lock(self._writing, wait_deadline()):
                return await asyncio.to_thread(_clean, file, of_any_size)

    async def close(self) -> None:
        """Close all connections. Transactions that still run may end first: canceled, they would log an error."""
        pool = cast("AsyncAdaptedQueuePool", self._engine.pool)
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                while pool.checkedout():  # noqa: ASYNC110  # the pool has no event for it
                    await asyncio.sleep(0.01)
        await self._engine.dispose()


@contextmanager
def measuring(access: Access) -> Iterator[Callable[[], None]]:
    """Measure a transaction from the call of the yielded function on, and what is before it as waiting."""
    metric, since = DATABASE_WAIT, perf_counter()

    def begin() -> None:
        nonlocal metric, since
        end()
        metric, since = DATABASE_SECONDS, perf_counter()

    def end() -> None:
        metric.labels(access).observe(perf_counter() - since)

    try:
        yield begin
    finally:
        end()


@contextmanager
def as_storage_error() -> Iterator[None]:
    """Raise `StorageError` with the driver's message. SQLAlchemy's contains the values, such as seeds and hands."""
    try:
        yield
    except DBAPIError as error:
        raise StorageError(str(error.orig).splitlines()[0]) from None
    except sqlite3.Error as error:
        raise StorageError(str(error)) from None
    except NoConnectionFree:
        raise StorageError("too many wait for the database already") from None
    except TimeoutError:
        raise StorageError("it doesn't answer") from None
    except OSError as error:  # the server can't be reached
        raise StorageError(str(error)) from None


def _clean(file: Path, of_any_size: bool) -> bool:
    """Rewrite a database if that is allowed, and move its write-ahead log into it. Returns True if both were done."""
    is_allowed = of_any_size or file.stat().st_size <= MAX_VACUUM_BYTES
    try:
        with closing(sqlite3.connect(file, timeout=CLEANING_SECONDS, isolation_level=None)) as connection:
            if is_allowed:
                connection.execute("VACUUM")
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return is_allowed and not busy
    except sqlite3.DatabaseError as error:  # also one that is damaged
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:  # another process writes
            log.warning("the database can't be cleaned: %s", error)
        return False


def _is_up_to_date(connection: Connection) -> bool:
    """True if the schema is that of the newest migration. Their files begin with their numbers."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max(file.name.partition("_")[0] for file in MIGRATIONS.glob("[0-9]*.py"))
    stored: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return stored == newest


def _set_pragmas(connection: Any, _record: object) -> None:  # noqa: ANN401  # the driver's own
    """Make SQLite's transactions durable, and overwrite deleted data (sqlite.org/pragma.html)."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _begin_immediate(connection: AsyncConnection, until: float) -> None:
    """Begin a transaction of SQLite that waits for other processes now, so that its first write is never refused."""
    left = max(0.0, until - asyncio.get_running_loop().time())
    await _run_script(connection, f"PRAGMA busy_timeout={round(left * 1000)}; BEGIN IMMEDIATE")


async def _run_script(connection: AsyncConnection, statements: str) -> None:
    """Run statements of SQLite in one step of aiosqlite's thread. SQLAlchemy would take three for each."""
    driver: Any = (await connection.get_raw_connection()).driver_connection
    await driver.executescript(statements)


def _prepare_postgresql(engine: AsyncEngine) -> None:
    """Limit the waits for locks and answers, also those for a server that is gone."""

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401  # the driver's own
        cursor = connection.cursor()
        cursor.execute(f"SET lock_timeout = {round(LOCK_SECONDS * 1000)}")
        cursor.close()
        connection.commit()
        _keep_alive(connection.driver_connection)

    @event.listens_for(engine.sync_engine, "handle_error")
    def failed(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, TimeoutError):  # no answer, so a rollback would have none either
            context.is_disconnect = True

    @event.listens_for(engine.sync_engine, "invalidate")
    def invalidated(connection: Any, _record: object, _error: object) -> None:  # noqa: ANN401  # the driver's own
        connection.driver_connection.terminate()  # SQLAlchemy would wait for the server


def _keep_alive(driver: Any) -> None:  # noqa: ANN401  # asyncpg has no types
    """Notice a server that is gone: TCP alone would wait for a quarter of an hour."""
    peer = driver._transport.get_extra_info("socket")  # noqa: SLF001  # it offers no option
    if peer is not None and peer.family != socket.AF_UNIX:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if (option := getattr(socket, name, None)) is not None:
                peer.setsockopt(socket.IPPROTO_TCP, option, value)


def upsert(connection: AsyncConnection, table: Table) -> sqlite.Insert:
    """An insert to which `on_conflict_…` can be added. PostgreSQL's has the same methods."""
    return _insert(connection.dialect.name, table)


def _insert(dialect: str, table: Table) -> sqlite.Insert:
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # takes memory, which SQLite's users needn't spend

    return cast("sqlite.Insert", postgresql.insert(table))


async def put_rows(
    connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, Any]], columns: Iterable[str]
) -> None:
    """Insert rows. Where a row with the same key exists, update only these columns of it."""
    if rows:
        await connection.execute(_replacement(connection.dialect.name, table, tuple(columns)), rows)


@lru_cache
def _replacement(dialect: str, table: Table, columns: tuple[str, ...]) -> sqlite.Insert:
    new = _insert(dialect, table)
    values = {name: new.excluded[name] for name in columns}
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)
