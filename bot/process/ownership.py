"""The right of this process to serve its guilds: a lock that ends with the process, so that only one serves a guild.

For SQLite it's a lock on a file. For PostgreSQL there is a lock for each of the process's shards, on a connection of
its own. While that connection is lost, the process serves nobody.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import NullPool, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.process.settings import MAX_SHARDS
from bot.services import clock
from bot.storage.session_locks import DOOR, LOCK, NAMESPACE, InUse, try_lock
from bot.storage.shards import Shards
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 0.5
"""Seconds between two attempts to get the locks."""
PING_SECONDS: Final = 1.0
"""Seconds between two checks of the connection."""
TRUST_SECONDS: Final = 5.0
"""Seconds without an answer after which the locks count as lost. PostgreSQL frees them later (see `_SET_UP`)."""
GIVE_UP_SECONDS: Final = 30.0
"""Seconds without an answer after which the connection is replaced."""
CONNECT_SECONDS: Final = 5
CHANNEL: Final = "gang_of_four"
"""PostgreSQL's channel for messages among processes."""
_SET_UP: Final = (
    "SET tcp_keepalives_idle = 5",  # the locks of a machine that is gone are free after about ten seconds
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = 10000",
)
_PING: Final = text("SELECT 1")
_UNLOCK: Final = text("SELECT pg_advisory_unlock(:namespace, :key)")
_NOTIFY: Final = text("SELECT pg_notify(:channel, :message)")
_HELD_BY_OTHERS: Final = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()"
    " AND classid::bigint = :namespace AND objid::bigint >= :least"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
Prepare: TypeAlias = Callable[[bool], Awaitable[None]]
"""Brings the schema up to date. Told whether no other process serves guilds from the database."""


class Taken(Exception):
    """Another process serves guilds of this one."""


class Status(StrEnum):
    """What a process may do."""

    WAITING = "waiting"
    """Nothing yet: another process serves its guilds."""
    SERVING = "serving"
    LOST = "lost"
    """Nothing until the database answers: another process may have its locks by then."""


class Ownership:
    """The locks of this process."""

    def __init__(self, url: str, shards: Shards, heard: Callable[[str], None]) -> None:
        """`shards` has the guilds to serve. `heard` is called with each message of another process."""
        self._url, self._shards, self._heard = make_url(url), shards, heard
        self._file: int | None = None
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        """The connection of asyncpg, which has no types."""
        self._confirmed_at: float | None = None
        """When the connection last worked (`clock.seconds`); None before the locks were held."""
        self._unsent: list[str] = []

    @property
    def status(self) -> Status:
        """What this process may do."""
        if self._file is not None:
            return Status.SERVING
        if self._confirmed_at is None:
            return Status.WAITING
        return Status.SERVING if clock.seconds() - self._confirmed_at < TRUST_SECONDS else Status.LOST

    def require(self) -> None:
        """Raise `StorageError` if the locks are lost."""
        if self.status is Status.LOST:
            raise StorageError("it doesn't answer, so another process may use it")

    def tell(self, message: str) -> None:
        """Send a message to the other processes within a second."""
        if self._file is None:
            self._unsent.append(message)

    async def acquire(self, prepare: Prepare) -> None:
        """Wait for the locks. Raises `StorageError`."""
        is_waiting = False
        while True:
            try:
                await self._try(prepare)
            except Taken:
                if not is_waiting:
                    log.warning("another process serves these servers; waiting until it ends")
                is_waiting = True
            except StorageError:
                if not is_waiting or self._connection is not None:
                    raise
            else:
                break
            await asyncio.sleep(WAIT_SECONDS)
        shards = ", ".join(map(str, sorted(self._shards.ids)))
        log.info("serving %s", "all servers" if self._shards.is_all else f"shards of {self._shards.count}: {shards}")

    async def keep(self, regained: Callable[[], Awaitable[None]]) -> None:
        """Check the connection until cancelled. If it's lost, get the locks again, and call `regained`.

        Raises `Taken` if another process has them by then.
        """
        is_told = True
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._connection is not None and not await self._works(self._connection):
                log.warning("the connection to the database is lost; no press is handled until it's back")
                await self._regain()
                log.info("the database is back")
                is_told = False
            if not is_told:
                with suppress(StorageError):  # tried again
                    await regained()
                    is_told = True

    async def _works(self, connection: AsyncConnection) -> bool:
        """Check the connection, and send the messages."""
        try:
            while self._unsent:
                await connection.execute(_NOTIFY, {"channel": CHANNEL, "message": self._unsent[0]})
                del self._unsent[0]
            await connection.execute(_PING)
        except (DBAPIError, OSError):
            return False
        self._confirmed_at = clock.seconds()
        return True

    async def _regain(self) -> None:
        await self._disconnect()
        while True:
            with suppress(StorageError):
                await self._try(_nothing)
                return
            await asyncio.sleep(WAIT_SECONDS)

    async def _try(self, prepare: Prepare) -> None:
        """Get the locks. Raises `Taken` or `StorageError`."""
        if self._url.get_backend_name() == "sqlite":
            try:
                self._file = try_lock(Path(self._url.database or ""))
            except InUse:
                raise Taken from None
            except OSError as error:
                raise StorageError(str(error)) from None
            await prepare(True)
            return
        try:
            if self._connection is None:
                self._connection = await self._connect()
            await self._lock(self._connection, prepare)
        except (DBAPIError, OSError) as error:
            await self._disconnect()
            raise StorageError(str(error).splitlines()[0]) from None

    async def _lock(self, connection: AsyncConnection, prepare: Prepare) -> None:
        """Get all locks or none, while no other process tries that. Raises `Taken`."""
        await connection.execute(LOCK, {"namespace": NAMESPACE, "key": DOOR})
        try:
            held = await connection.scalars(_HELD_BY_OTHERS, {"namespace": NAMESPACE, "least": MAX_SHARDS})
            others = set(held)
            await prepare(not others)
            own = {self._shards.count * MAX_SHARDS + shard for shard in self._shards.ids}
            if others & own or any(other // MAX_SHARDS != self._shards.count for other in others):
                raise Taken
            for key in sorted(own):
                await connection.execute(LOCK, {"namespace": NAMESPACE, "key": key})
            self._confirmed_at = clock.seconds()
        finally:
            await connection.execute(_UNLOCK, {"namespace": NAMESPACE, "key": DOOR})

    async def _connect(self) -> AsyncConnection:
        limits = {"timeout": CONNECT_SECONDS, "command_timeout": GIVE_UP_SECONDS}
        engine = create_async_engine(self._url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=limits)
        connection = await engine.connect()
        for statement in _SET_UP:
            await connection.exec_driver_sql(statement)
        self._driver = (await connection.get_raw_connection()).driver_connection
        self._driver.add_termination_listener(self._notice_end)
        await self._driver.add_listener(CHANNEL, self._listen)
        return connection

    def _notice_end(self, _driver: object) -> None:
        """The connection has ended, and the locks with it."""
        if self._confirmed_at is not None:
            self._confirmed_at = float("-inf")

    def _listen(self, driver: Any, sender: int, _channel: str, message: str) -> None:  # noqa: ANN401  # asyncpg's own
        if sender != driver.get_server_pid():
            self._heard(message)

    async def _disconnect(self) -> None:
        """End the connection at once: its server may not answer."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._driver.terminate()
            await connection.invalidate()
            await connection.close()

    async def release(self) -> None:
        """Let other processes serve the guilds."""
        await self._disconnect()
        if self._file is not None:
            os.close(self._file)
            self._file = None


async def _nothing(_is_alone: bool) -> None:
    """Prepare nothing."""
