"""Signs of life of the processes that serve Discord from here, for `python -m bot health`.

Each process keeps a file of its own, locked for as long as it lives, in a folder that only its user can enter. Times
are seconds of `time.monotonic`, which all processes of a machine share and which nobody sets.
"""

import asyncio
import fcntl
import hashlib
import logging
import os
import stat
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

from bot.client import GangBot
from bot.services.instances import Instances
from bot.settings import DatabaseSettings
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

EVERY: Final = 20.0
"""Seconds between two signs."""
DEAD_AFTER: Final = 90.0
"""Seconds without a sign: longer than two heartbeats of Discord's, or than a reconnection takes."""
NEVER: Final = 0.0


@dataclass(frozen=True, slots=True)
class Sign:
    """When a process last did what it has to do."""

    written: float
    """The event loop has written this."""
    answered: float
    """Discord has acknowledged a heartbeat, on the shard where that is longest ago; `NEVER` if not on all shards."""
    stored: float
    """Something has been written to the database."""

    def problem(self, now: float) -> str | None:
        """What is wrong, as a sentence; None if nothing is."""
        if now - self.written > DEAD_AFTER:
            return f"The event loop has been stuck for {now - self.written:.0f} seconds."
        if self.answered == NEVER:
            return "Discord has not acknowledged a heartbeat on every shard yet."
        if now - self.answered > DEAD_AFTER:
            return f"Discord has not acknowledged a heartbeat for {now - self.answered:.0f} seconds."
        if now - self.stored > DEAD_AFTER:
            return "Nothing can be written to the database."
        return None


def problem(database_url: str) -> str | None:
    """Why not every process that serves this database from here is healthy; None if all are, and there is one."""
    try:
        signs = list(_signs(database_url))
    except OSError as error:
        return f"The signs of life cannot be read: {error}."
    if not signs:
        return "No process serves this database from here."
    now = time.monotonic()
    return next((found for sign in signs if (found := sign.problem(now)) is not None), None)


def _signs(database_url: str) -> Iterator[Sign]:
    """What the living processes have written; the files of dead ones are deleted."""
    for path in sorted(_folder().glob(f"{_key(database_url)}-*")):
        with suppress(FileNotFoundError), path.open() as file:  # its process may end just now
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                yield _read(file.read())
            else:
                path.unlink(missing_ok=True)


def _read(line: str) -> Sign:
    """What a file says; in the first moment, nothing."""
    written, answered, stored = map(float, line.split()) if line else (time.monotonic(), NEVER, NEVER)
    return Sign(written, answered, stored)


def _folder() -> Path:
    """The folder of the files. Raises OSError if it is not ours alone: another user could have made it."""
    folder = Path(tempfile.gettempdir()) / f"gang-of-four-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not a folder of this user alone")
    return folder


def _key(database_url: str) -> str:
    """What tells the files of one bot from those of another; no secret can be read from it."""
    url = make_url(database_url).set(password=None)
    if url.get_backend_name() == "sqlite" and url.database:
        url = url.set(database=str(Path(url.database).resolve()))
    return hashlib.sha256(url.render_as_string().encode()).hexdigest()[:16]


class SignFile:
    """The file of this process."""

    def __init__(self, database_url: str, instance: str) -> None:
        self._name = f"{_key(database_url)}-{instance}"
        self._descriptor: int | None = None

    def write(self, sign: Sign) -> None:
        """Replace what was written before. Raises OSError."""
        if self._descriptor is None or os.fstat(self._descriptor).st_nlink == 0:
            self.close()
            self._descriptor = self._opened()
        line = " ".join(f"{moment:020.3f}" for moment in astuple(sign))  # always as long, so that no end is left over
        os.pwrite(self._descriptor, f"{line}\n".encode(), 0)

    def _opened(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(_folder() / self._name, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def close(self) -> None:
        """Delete the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                (_folder() / self._name).unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


class Heart:
    """Gives the signs of life of this process, in its file and in the database."""

    def __init__(
        self,
        settings: DatabaseSettings,
        client: GangBot,
        instances: Instances,
        clean_up: Callable[[int], Awaitable[None]],
    ) -> None:
        self._client = client
        self._instances = instances
        self._file = SignFile(settings.database_url.get_secret_value(), instances.id)
        self._clean_up = clean_up
        """Removes what another process has left in the channels since a moment (UTC milliseconds)."""
        self._unclean: int | None = None
        self._stored = NEVER

    async def beat_on(self) -> None:
        """Give a sign now and then, until cancelled."""
        try:
            while True:
                await self.beat()
                await asyncio.sleep(EVERY)
        finally:
            self._file.close()

    async def beat(self) -> None:
        """Give one sign."""
        try:
            async with asyncio.timeout(EVERY):
                await self._beat_in_the_database()
        except (StorageError, TimeoutError) as error:
            log.warning("no sign of life can be written to the database: %s", error or type(error).__name__)
        except Exception:
            log.exception("no sign of life can be written to the database")
        try:
            self._file.write(Sign(time.monotonic(), self._client.answered_at() or NEVER, self._stored))
        except OSError as error:
            log.warning("no sign of life can be written: %s", error)

    async def leave(self) -> None:
        """Note in the database that this process ends."""
        try:
            await self._instances.leave()
        except StorageError as error:
            log.warning("the end of this process cannot be noted: %s", error)

    async def _beat_in_the_database(self) -> None:
        since = await self._instances.beat()
        self._stored = time.monotonic()
        if since is not None:
            self._unclean = min(since, self._unclean or since)
        if self._unclean is not None:
            await self._clean_up(self._unclean)
            self._unclean = None
