"""Locks that a process holds until it ends, even if it's killed: on a file for SQLite, on a session of PostgreSQL.

They need no table and no clock, because the operating system or the server frees them with their process.
"""

import asyncio
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import NullPool, TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.storage.database import as_storage_error

NAMESPACE: Final = 0x6A4_6035
"""The first key of PostgreSQL's advisory locks; any number that other apps don't use. The second one is ours."""
ACQUIRING: Final = 0
"""The second key of the lock that a process holds while it acquires others, whose keys are higher."""
IDENTIFYING: Final = 1
"""The second key of the lock for a new session at Discord."""
CONNECT_SECONDS: Final = 5
GIVE_UP_SECONDS: Final = 30
"""Seconds without an answer after which a `LockSession` is lost."""
CHANNEL: Final = "gang_of_four"
"""PostgreSQL's channel for messages among sessions."""
_SET_UP: Final = text(  # the locks of a machine that is gone are free after about ten seconds
    "SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),"
    " set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '10000', false)"
)
_LOCK: Final = text("SELECT pg_advisory_lock(:namespace, :key)").bindparams(namespace=NAMESPACE)
_TRY: Final = text("SELECT pg_try_advisory_lock(:namespace, :key)").bindparams(namespace=NAMESPACE)
_UNLOCK: Final = text("SELECT pg_advisory_unlock(:namespace, :key)").bindparams(namespace=NAMESPACE)
_PING: Final = text("SELECT 1")
_NOTIFY: Final = text("SELECT pg_notify(:channel, :message)").bindparams(channel=CHANNEL)
HELD_BY_OTHERS: Final = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()"
    " AND classid::bigint = :namespace AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
).bindparams(namespace=NAMESPACE)
"""The second keys of the locks that other sessions hold."""


class InUse(Exception):
    """Another process holds a lock."""


def try_lock(database: Path) -> int:
    """Lock a SQLite database until the returned file descriptor is closed. Raises `InUse` or `OSError`.

    The lock is on a file of its own, because closing the database's file would drop SQLite's locks.
    """
    file = Path(f"{database.resolve()}.lock")  # the same one through a symbolic link
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise InUse(f"the app uses {database}: stop it first") from None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Keep the app from using a SQLite database during the block. Raises `InUse` if it runs, or `OSError`.

    An app that is started meanwhile waits for the end of the block.
    """
    descriptor = try_lock(database)
    try:
        yield
    finally:
        os.close(descriptor)


class LockSession:
    """A session of PostgreSQL whose locks end with it. Its methods raise `StorageError` if it's lost."""

    def __init__(self, url: str, heard: Callable[[str], None] = lambda _: None) -> None:
        """`heard` is called with each message of another session."""
        self._url = url
        self._heard = heard
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        """The connection of asyncpg, which has no types."""
        self._asking = asyncio.Lock()
        """A connection answers one statement at a time."""

    @property
    def is_open(self) -> bool:
        """True between `open` and the end, as far as this process knows."""
        return self._connection is not None and not self._driver.is_closed()

    async def open(self) -> None:
        """Begin the session."""
        limits = {"timeout": CONNECT_SECONDS, "command_timeout": GIVE_UP_SECONDS}
        engine = create_async_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=limits)
        async with self._asking:
            with as_storage_error():
                self._connection = await engine.connect()
                self._driver = (await self._connection.get_raw_connection()).driver_connection
                await self._driver.add_listener(CHANNEL, self._listen)
        await self._run(_SET_UP)

    def _listen(self, driver: Any, sender: int, _channel: str, message: str) -> None:  # noqa: ANN401  # asyncpg's own
        if sender != driver.get_server_pid():
            self._heard(message)

    async def _run(self, statement: TextClause, **values: object) -> Sequence[Any]:
        """The first value of each row."""
        async with self._asking:
            with as_storage_error():
                if self._connection is None or not self.is_open:
                    raise ConnectionError("the connection is closed")
                return (await self._connection.scalars(statement, values)).all()

    async def lock(self, key: int) -> None:
        """Wait for a lock."""
        await self._run(_LOCK, key=key)

    async def try_lock(self, key: int) -> bool:
        """Get a lock. Returns False if another session holds it."""
        (is_locked,) = await self._run(_TRY, key=key)
        return bool(is_locked)

    async def unlock(self, key: int) -> None:
        """Free a lock."""
        await self._run(_UNLOCK, key=key)

    async def held_by_others(self) -> set[int]:
        """The keys of the locks of other sessions."""
        return {*await self._run(HELD_BY_OTHERS)}

    async def send(self, message: str) -> None:
        """Send a message to the other sessions."""
        await self._run(_NOTIFY, message=message)

    async def ping(self) -> None:
        """Wait for an answer."""
        await self._run(_PING)

    async def close(self) -> None:
        """End the session at once: the server may not answer."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._driver.terminate()
            await connection.invalidate()
            await connection.close()
