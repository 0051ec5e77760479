"""The right of this process to serve its guilds: a lock that ends with the process, so that only one serves a guild.

For SQLite it's a lock on a file. For PostgreSQL there is a lock for each of the process's shards, in a session of its
own. While that session is lost, the process serves nobody.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import make_url

from bot.process.settings import MAX_SHARDS
from bot.services import clock
from bot.storage.guild_filter import GuildFilter
from bot.storage.session_locks import ACQUIRING, IDENTIFYING, InUse, LockSession, try_lock
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

WAIT_SECONDS: Final = 0.5
"""Seconds between two attempts to get the locks."""
PING_SECONDS: Final = 1.0
"""Seconds between two checks of the session."""
TRUST_SECONDS: Final = 5.0
"""Seconds without an answer after which the locks count as lost. PostgreSQL frees them after about ten."""
LAST_WORDS_SECONDS: Final = 1.0
"""Seconds to send the last messages when the process ends."""
Prepare: TypeAlias = Callable[[bool], Awaitable[None]]
"""Brings the schema up to date. Told whether no other process serves guilds from the database."""


class Status(StrEnum):
    """The state of a process."""

    WAITING = "waiting"
    """It serves nobody yet, because another process has the locks."""
    SERVING = "serving"
    LOST = "lost"
    """It serves nobody: the connection to the database is lost, and another process may have the locks by now."""


class Ownership:
    """The locks of this process."""

    def __init__(self, url: str, guilds: GuildFilter, heard: Callable[[str], None]) -> None:
        """`guilds` are those to serve. `heard` is called with each message of another process."""
        parsed = make_url(url)
        self._path = Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None
        self._session = None if self._path else LockSession(url, heard)
        self._guilds = guilds
        self._file: int | None = None
        """The descriptor of the locked file."""
        self._confirmed_at: float | None = None
        """When PostgreSQL last answered (`clock.seconds`); None before the locks were held."""
        self._unsent: list[str] = []

    @property
    def status(self) -> Status:
        """The state of this process."""
        if self._file is not None:
            return Status.SERVING
        if self._confirmed_at is None or self._session is None:
            return Status.WAITING
        is_sure = self._session.is_open and clock.seconds() - self._confirmed_at < TRUST_SECONDS
        return Status.SERVING if is_sure else Status.LOST

    def require(self) -> None:
        """Raise `StorageError` if the locks are lost."""
        if self.status is Status.LOST:
            raise StorageError("it doesn't answer, so another process may use it")

    def tell(self, message: str) -> None:
        """Send a message to the other processes, if there are any, within a second."""
        if not self._guilds.is_all:
            self._unsent.append(message)

    async def acquire(self, prepare: Prepare) -> None:
        """Wait for the locks. Raises `StorageError`."""
        is_waiting = False
        while True:
            try:
                await self._try(prepare)
            except InUse:
                if not is_waiting:
                    log.warning("another process serves these servers; waiting until it ends")
                is_waiting = True
            except StorageError:
                has_lost_session = self._session is not None and not self._session.is_open
                if not (is_waiting and has_lost_session):
                    raise
            else:
                break
            await asyncio.sleep(WAIT_SECONDS)
        shards = ", ".join(map(str, sorted(self._guilds.shards)))
        log.info("serving %s", "all servers" if self._guilds.is_all else f"shards of {self._guilds.count}: {shards}")

    async def keep(self, regained: Callable[[], Awaitable[None]]) -> None:
        """Check the session until canceled. If it's lost, get the locks again, and call `regained`.

        Raises `InUse` if another process has them by then.
        """
        is_told = True
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._session is not None and not await self._works(self._session):
                log.warning("the connection to the database is lost; no press is handled until it's back")
                await self._regain()
                log.info("the database is back")
                is_told = False
            if not is_told:
                with suppress(StorageError):  # tried again
                    await regained()
                    is_told = True

    async def _works(self, session: LockSession) -> bool:
        """Check the session, and send the messages."""
        try:
            await self._send(session)
            asked_at = clock.seconds()
            await session.ping()
        except StorageError:
            self._confirmed_at = float("-inf")
            await session.close()
            return False
        self._confirmed_at = asked_at
        return True

    async def _send(self, session: LockSession) -> None:
        while self._unsent:
            await session.send(self._unsent[0])
            del self._unsent[0]

    async def _regain(self) -> None:
        while True:
            with suppress(StorageError):
                await self._try(_nothing)
                return
            await asyncio.sleep(WAIT_SECONDS)

    async def _try(self, prepare: Prepare) -> None:
        """Get the locks. Raises `InUse` or `StorageError`."""
        if self._path is not None:
            try:
                self._file = try_lock(self._path)
            except OSError as error:
                raise StorageError(str(error)) from None
            await prepare(True)
        elif self._session is not None:
            if not self._session.is_open:
                await self._session.close()
                await self._session.open()
            await self._lock(self._session, prepare)

    async def _lock(self, session: LockSession, prepare: Prepare) -> None:
        """Get all locks or none, while no other process tries that. Raises `InUse` or `StorageError`."""
        await session.lock(ACQUIRING)
        try:
            others = {key for key in await session.held_by_others() if key >= MAX_SHARDS}
            await prepare(not others)
            own = {self._guilds.count * MAX_SHARDS + shard for shard in self._guilds.shards}
            if others & own or any(key // MAX_SHARDS != self._guilds.count for key in others):
                raise InUse("another process serves these servers")
            for key in sorted(own):
                await session.lock(key)
            self._confirmed_at = clock.seconds()
        finally:
            await session.unlock(ACQUIRING)

    @asynccontextmanager
    async def identifying(self) -> AsyncIterator[None]:
        """The block in which a session at Discord begins: no other process begins one meanwhile.

        Raises `StorageError`.
        """
        if self._session is None:
            yield
            return
        while not await self._session.try_lock(IDENTIFYING):  # noqa: ASYNC110  # nobody says when it's free
            await asyncio.sleep(WAIT_SECONDS)
        try:
            yield
        finally:
            with suppress(StorageError):  # the lock has ended with its session
                await self._session.unlock(IDENTIFYING)

    async def release(self) -> None:
        """Let other processes serve the guilds."""
        if self._session is not None:
            with suppress(StorageError, TimeoutError):
                async with asyncio.timeout(LAST_WORDS_SECONDS):
                    await self._send(self._session)
            await self._session.close()
        if self._file is not None:
            os.close(self._file)
            self._file = None


async def _nothing(_is_alone: bool) -> None:
    """Prepare nothing."""
