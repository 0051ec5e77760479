"""Locks that a process holds until it ends, even if it's killed: on a file for SQLite, on a session of PostgreSQL.

They need no table and no clock, because the operating system or the server frees them with their process.
"""

import fcntl
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import NullPool, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.table.errors import StorageError

NAMESPACE: Final = 0x6A4_6035
"""The first key of PostgreSQL's advisory locks; any number that other apps don't use. The second one is ours."""
DOOR: Final = 0
"""The second key of the lock that a process holds while it tries to get those of its shards, which are higher."""
IDENTIFYING: Final = 1
"""The second key of the lock for a new session at Discord."""
LOCK: Final = text("SELECT pg_advisory_lock(:namespace, :key)")


class InUse(Exception):
    """Another process holds the lock."""


def try_lock(database: Path) -> int:
    """Lock a SQLite database until the returned file descriptor is closed. Raises `InUse` or `OSError`.

    The lock is on a file of its own, because closing the database's file would drop SQLite's locks.
    """
    file = database.with_name(f"{database.name}.lock")
    descriptor = os.open(file, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
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


@asynccontextmanager
async def session_lock(url: str, key: int) -> AsyncIterator[None]:
    """Hold an advisory lock of PostgreSQL during the block, on a connection of its own. Waits until it's free.

    Raises `StorageError` if the server can't be reached.
    """
    engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    async with AsyncExitStack() as closing:
        try:
            connection = await closing.enter_async_context(engine.connect())
            await connection.execute(LOCK, {"namespace": NAMESPACE, "key": key})
        except (OSError, DBAPIError) as error:
            raise StorageError(str(error)) from None
        yield


def identifying(url: str) -> Callable[[], AbstractAsyncContextManager[object]] | None:
    """The lock for new sessions at Discord. None for SQLite, where one process serves the bot."""
    if make_url(url).get_backend_name() == "sqlite":
        return None
    return lambda: session_lock(url, IDENTIFYING)
