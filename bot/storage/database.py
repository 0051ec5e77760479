"""The connection to the database: SQLite in one file, or PostgreSQL.

All access is through `async with database.write()` (one atomic transaction) or `database.read()`, or through `commit`
and `fetch` for one function.
"""

import asyncio
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine, QueuePool, Update, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.util import greenlet_spawn

from bot.base import press_context
from bot.base.metrics import Transaction
from bot.storage import files, sqlite_connection
from bot.storage.connection import AsyncConnection, transaction
from bot.storage.sqlite_connection import CHANGES_ONE, Unchanged
from bot.table.errors import StaleRead, StorageError

Args = ParamSpec("Args")
Result = TypeVar("Result")
Query: TypeAlias = Callable[Concatenate[AsyncConnection, Args], Awaitable[Result]]
"""A function of a connection in a transaction."""
MIGRATIONS: Final = Path(__file__).parent / "migrations"
BUSY_SECONDS: Final = 2
"""Seconds that an action waits for other writers in total. Discord expects an answer within 3 seconds."""
LOCK_SECONDS: Final = 1.5
"""Seconds that PostgreSQL waits for a lock, so that a press is refused before its connection is cut."""
LEFT_TO_ANSWER: Final = 0.2
"""Seconds between the end of a wait for a lock and the moment when the connection is cut."""
CLEANING_SECONDS: Final = 0.5
"""Seconds that cleaning waits for others. Writers wait for it during that time."""
OBSERVED_SECONDS: Final = 25.0
"""Seconds in which a running process of any version shows that it lives."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two looks for that."""
MIGRATION_LOCK: Final = 0x6A4_6034
"""The key of PostgreSQL's advisory lock for migrations; any number that other apps don't use."""
CONNECT_SECONDS: Final = 5
"""Seconds that a new connection to PostgreSQL may take."""
PROBE_SECONDS: Final = 5.0
"""Seconds for each answer while the app finds out what kind of server it has."""
KEEPALIVE: Final = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 20_000}
"""Options of connections to PostgreSQL: seconds, and for the last one milliseconds."""
POOLED: Final = (
    "a connection pooler gives each transaction another session of PostgreSQL; write PostgreSQL's own address, "
    "or that of a pooler in session mode, into DATABASE_URL"
)
_SESSION: Final = text("SELECT pg_backend_pid()")
_NOTHING: Final = text("SELECT 1")
MAX_VACUUM_BYTES: Final = 32 * 2**20
"""The largest database to rewrite while the app runs. Even on a slow machine this takes less than `BUSY_SECONDS`."""


def wait_deadline() -> float:
    """The time until which to wait for others, on the clock of the event loop."""
    left = press_context.seconds_left()
    return asyncio.get_running_loop().time() + (BUSY_SECONDS if left is None else min(left, BUSY_SECONDS))


def _seconds_left(until: float) -> float:
    return max(0.0, until - asyncio.get_running_loop().time())


def _milliseconds(seconds: float) -> str:
    """A time as PostgreSQL's settings take it, at least one millisecond: 0 would mean no limit."""
    return str(max(1, round(seconds * 1000)))


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

    def __init__(self, url: str, answer_seconds: float | None = None) -> None:
        """PostgreSQL's answers may take `answer_seconds`, or during a press as long as it lasts; None: any time."""
        self._url, self._answer_seconds = make_url(url), answer_seconds
        try:
            self._engine = create_engine(self._url, **self._engine_options())
        except ModuleNotFoundError as error:
            raise StorageError(f"its driver {error.name} is not installed") from error
        self._writing = asyncio.Lock()
        if self._is_sqlite:
            _prepare_sqlite(self._engine)
        else:
            event.listen(self._engine, "connect", _prepare_postgresql)

    @property
    def _is_sqlite(self) -> bool:
        return self._url.get_backend_name() == "sqlite"

    def _engine_options(self) -> dict[str, Any]:
        if self._is_sqlite:
            arguments: dict[str, Any] = {"timeout": BUSY_SECONDS, "async_creator_fn": sqlite_connection.connect}
            return {"pool_timeout": BUSY_SECONDS, "connect_args": arguments}
        return {"pool_timeout": BUSY_SECONDS, "connect_args": {"timeout": CONNECT_SECONDS}, "pool_pre_ping": True}

    def _patience(self) -> float | None:
        """For how many seconds to wait for the server's next answer."""
        if self._is_sqlite or self._answer_seconds is None:
            return None
        left = press_context.seconds_left()
        return self._answer_seconds if left is None else left

    async def require(self) -> None:
        """Raise `StorageError` unless there is a database with the current schema."""
        if self._is_sqlite and not Path(self._url.database or "").is_file():  # noqa: ASYNC240  # before anything runs
            raise StorageError(f"the file {self._url.database} doesn't exist")
        async with self.read() as connection:
            if not await connection.run_sync(_is_up_to_date):
                raise StorageError("its schema is that of another version")

    async def upgrade(self) -> None:
        """Migrate the schema. Creates the file and its folder if necessary, readable only by their owner."""
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
        await self._require_alone()
        async with self.write() as connection:
            if not await connection.run_sync(_is_up_to_date):
                from bot.storage.migrating import migrate  # noqa: PLC0415  # takes memory, and is rarely needed

                await connection.run_sync(migrate, MIGRATIONS, MIGRATION_LOCK)

    async def _require_sessions(self) -> None:
        """Raise `StorageError` if a pooler gives each transaction any session, so that prepared statements get lost.

        A connection's session must be the same again although another one has begun a transaction meanwhile.
        """
        with _as_storage_error():
            async with transaction(self._engine, writes=False, patience=lambda: PROBE_SECONDS) as one:
                before = await one.scalar(_SESSION)
                await greenlet_spawn(one.sync_connection.rollback)
                async with transaction(self._engine, writes=False, patience=lambda: PROBE_SECONDS) as other:
                    try:
                        await other.scalar(_SESSION)
                        after = await one.scalar(_SESSION)
                    except DBAPIError:
                        after = None
        if before != after:
            raise StorageError(POOLED)

    async def _require_alone(self) -> None:
        """Raise `StorageError` if the schema must be migrated while a process of another version still uses it."""
        async with self.read() as connection:
            if await connection.run_sync(_is_up_to_date):
                return
        if (process := await self.running_process()) is not None:
            raise StorageError(f"{process} still uses it with another version; stop that first, then start this one")

    async def running_process(self) -> str | None:
        """A process that serves Discord from this database; None if there isn't one.

        It takes `OBSERVED_SECONDS` to tell that a recorded process has crashed.
        """
        end = asyncio.get_running_loop().time() + OBSERVED_SECONDS
        before = await self.signs_of_life()
        while before and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(LOOK_SECONDS)
            for process, sign in (await self.signs_of_life()).items():
                if before.get(process) != sign:
                    return process
        return None

    async def signs_of_life(self) -> dict[str, int]:
        """The processes that serve Discord or have crashed, each with a number that grows while it runs."""
        async with self.read() as connection:
            return await connection.run_sync(_signs_of_life)

    @asynccontextmanager
    async def write(self, until: float | None = None, *, durable: bool = True) -> AsyncIterator[AsyncConnection]:
        """One transaction, committed at the end of the block and rolled back if the block raises.

        It waits for other writers until `until`, by default until `wait_deadline()`. Without `durable`, SQLite doesn't
        wait for the disk: if the machine loses power, the transaction may be lost, unless a later one was durable.
        """
        until = wait_deadline() if until is None else until
        with _as_storage_error(), Transaction("write") as measured:
            async with AsyncExitStack() as stack:
                if self._is_sqlite:  # one writer at a time, which leaves connections to readers
                    await stack.enter_async_context(hold_lock(self._writing, until))
                options = {"writes_until": until, "durable": durable}
                opened = transaction(self._engine, writes=True, patience=self._patience, **options)
                connection = await stack.enter_async_context(opened)
                if not self._is_sqlite and (left := _seconds_left(until) - LEFT_TO_ANSWER) < LOCK_SECONDS:
                    await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_milliseconds(left)}")
                measured.begin()
                yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A consistent snapshot. It doesn't wait for writers."""
        options = {} if self._is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with _as_storage_error(), Transaction("read") as measured:
            async with transaction(self._engine, writes=False, patience=self._patience, **options) as connection:
                measured.begin()
                yield connection

    async def fetch(self, query: Query[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """The result of one query in `read`."""
        async with self.read() as connection:
            return await query(connection, *args, **kwargs)

    async def commit(self, change: Query[Args, Result], *args: Args.args, **kwargs: Args.kwargs) -> Result:
        """The result of one change in `write`."""
        async with self.write() as connection:
            return await change(connection, *args, **kwargs)

    async def clean(self, *, of_any_size: bool = False) -> bool:
        """Remove deleted data from the database files. Returns False if that must be done later.

        SQLite overwrites deleted data (`secure_delete`), but copies remain in the write-ahead log and where it has
        moved rows within pages. So the file is rewritten, by default only if it isn't large, because others can't write
        until that is done. PostgreSQL's files are up to its operator.
        """
        if not self._is_sqlite or self._url.database is None:
            return True
        file = Path(self._url.database)
        with _as_storage_error():
            async with hold_lock(self._writing, wait_deadline()):
                return await asyncio.to_thread(_clean, file, of_any_size)

    async def close(self) -> None:
        """Close all connections, after waiting for those that are still being returned."""
        pool = cast("QueuePool", self._engine.pool)
        with suppress(TimeoutError):
            async with asyncio.timeout(BUSY_SECONDS):
                while pool.checkedout():  # noqa: ASYNC110  # the pool tells nobody
                    await asyncio.sleep(0.01)
        await greenlet_spawn(self._engine.dispose)


async def change_one(connection: AsyncConnection, statement: Update, values: Mapping[str, Any]) -> None:
    """Run an update. The transaction raises `StaleRead` if it changes no row."""
    changed = await connection.execute(statement, values, execution_options=CHANGES_ONE)
    if changed.rowcount == 0:
        raise StaleRead


async def restore_generation(connection: AsyncConnection) -> int:
    """The number of restores from a backup. Whatever was read before the last one is outdated.

    Only SQLite is restored by this app; the number is in the header of the file.
    """
    if connection.dialect.name != "sqlite":
        return 0
    driver = _sqlite_driver(connection.sync_connection)
    if not driver.has_begun:
        await connection.execute(_NOTHING)
    return driver.user_version


def require_generation(connection: AsyncConnection, generation: int) -> None:
    """Let the transaction raise `StaleRead` at its next statement if `restore_generation` is another one by now."""
    if connection.dialect.name == "sqlite":
        _sqlite_driver(connection.sync_connection).require_user_version(generation)


@contextmanager
def _as_storage_error() -> Iterator[None]:
    """Raise `StorageError` with the driver's message. SQLAlchemy's contains the values, such as seeds and hands."""
    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, Unchanged):
            raise StaleRead from None
        raise StorageError(str(error.orig).splitlines()[0]) from None
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
    except sqlite3.OperationalError:  # another process writes, or the disk is full
        return False


def _signs_of_life(connection: Connection) -> dict[str, int]:
    known = inspect(connection).get_table_names()
    if "leases" in known:
        query = "SELECT host, max(beat) AS sign FROM leases WHERE holder <> '' GROUP BY host"
    elif "instances" in known:  # versions before migration 0037
        query = "SELECT host, max(seen_at) AS sign FROM instances GROUP BY host"
    else:
        return {}
    return {row.host: row.sign for row in connection.execute(text(query))}


def _is_up_to_date(connection: Connection) -> bool:
    """True if the schema is that of the newest migration. Their files begin with their numbers."""
    newest = max(file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    return schema_version(connection) == newest


def schema_version(connection: Connection) -> str | None:
    """The number of the last migration of the stored schema; None without one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    stored: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return stored


def _prepare_sqlite(engine: Engine) -> None:
    """Make transactions durable, and overwrite deleted data (sqlite.org/pragma.html).

    The driver would begin transactions late, so it's told not to, and the BEGIN comes from here. Writers use
    IMMEDIATE: then their first write is never refused, and they wait for other processes until their deadline.
    """

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401  # the driver's own
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        until = connection.get_execution_options().get("writes_until")
        left = BUSY_SECONDS if until is None else _seconds_left(until)
        synchronous = "FULL" if connection.get_execution_options().get("durable", True) else "NORMAL"
        _sqlite_driver(connection).begin(
            f"PRAGMA busy_timeout={round(left * 1000)}",
            f"PRAGMA synchronous={synchronous}",
            "BEGIN" if until is None else "BEGIN IMMEDIATE",
            only_reads=until is None,
        )

    sqlite_connection.support_later(engine)


def _prepare_postgresql(connection: Any, _record: object) -> None:  # noqa: ANN401  # the driver's own
    """Limit the wait for locks, and notice a server that is gone: TCP alone would wait for a quarter of an hour."""
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {_milliseconds(LOCK_SECONDS)}")
    cursor.close()
    connection.commit()
    peer = connection.driver_connection._transport.get_extra_info("socket")  # noqa: SLF001  # it offers no option
    if peer is not None and peer.family != socket.AF_UNIX:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if (option := getattr(socket, name, None)) is not None:
                peer.setsockopt(socket.IPPROTO_TCP, option, value)


def _sqlite_driver(connection: Connection) -> sqlite_connection.Connection:
    return cast("sqlite_connection.Connection", connection.connection.driver_connection)
