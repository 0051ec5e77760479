"""The health of the bot's processes on this machine, for `python -m bot health`.

Each process has a file, locked as long as it runs, in a folder that only its user can enter. Times are seconds of
`time.monotonic`, which is the same for all processes of a machine and can't be set.
"""

import asyncio
import fcntl
import hashlib
import logging
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import make_url

from bot.discord_client.client import GangBot
from bot.process.ownership import Ownership, Status
from bot.process.settings import DatabaseSettings

log = logging.getLogger(__name__)

INTERVAL: Final = 20.0
"""Seconds between two reports."""
UNHEALTHY_INTERVAL: Final = 1.0
"""Seconds between two reports while something is wrong, so that its end is known soon. A start is such a time, too,
and a wait for another process."""
STALE_AFTER: Final = 90.0
"""Seconds after which a report is too old: longer than two of Discord's heartbeats, or a reconnection."""
UNWRITTEN_SECONDS: Final = 30.0
"""Seconds without a write after which a process isn't ready. There is one every twenty seconds."""
NEVER: Final = 0.0


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a process, and the times at which it last worked."""

    status: Status
    written: float
    """The event loop wrote this report."""
    acknowledged: float
    """Discord acknowledged a heartbeat on the shard where that is longest ago; `NEVER` if it hasn't on all shards."""
    stored: float
    """The database accepted a write."""

    def problem(self, now: float) -> str | None:
        """The problem as a sentence, if there is one."""
        if now - self.written > STALE_AFTER:
            return f"The event loop has been stuck for {now - self.written:.0f} seconds."
        if self.status is Status.WAITING:
            return None
        if self.status is Status.LOST:
            return "The database doesn't answer."
        if self.acknowledged == NEVER:
            return "Discord has not acknowledged a heartbeat on every shard yet."
        if now - self.acknowledged > STALE_AFTER:
            return f"Discord has not acknowledged a heartbeat for {now - self.acknowledged:.0f} seconds."
        if now - self.stored > STALE_AFTER:
            return "Nothing can be written to the database."
        return None


def problem(database_url: str) -> str | None:
    """A sentence about an unhealthy process of this database, or that there is none; None if all are healthy."""
    try:
        reports = list(_reports(database_url))
    except OSError as error:
        return f"The health files can't be read: {error}."
    if not reports:
        return "No process on this machine uses this database."
    now = time.monotonic()
    return next((found for health in reports if (found := health.problem(now)) is not None), None)


def is_waiting(database_url: str) -> bool:
    """True if a process waits until another one ends. Raises OSError."""
    return any(health.status is Status.WAITING for health in _reports(database_url))


def _reports(database_url: str) -> Iterator[Health]:
    """The reports of the running processes. Files of dead processes are deleted."""
    for path in sorted(_folder().glob(f"{_key(database_url)}-*")):
        with suppress(FileNotFoundError), path.open() as file:  # its process may have just ended
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                yield _read(file.read())
            else:
                path.unlink(missing_ok=True)


def _read(line: str) -> Health:
    """Parse a report. A new file is empty at first."""
    status, *times = line.split() if line else (Status.SERVING, time.monotonic(), NEVER, NEVER)
    return Health(Status(status), *map(float, times))


def _folder() -> Path:
    """The folder of the files. Raises OSError if other users have access, because one of them may have made it."""
    folder = Path(tempfile.gettempdir()) / f"gang-of-four-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not a private folder of this user")
    return folder


def _key(database_url: str) -> str:
    """The prefix of the files of one database. It contains no secret."""
    url = make_url(database_url).set(password=None)
    if url.get_backend_name() == "sqlite" and url.database:
        url = url.set(database=str(Path(url.database).resolve()))
    return hashlib.sha256(url.render_as_string().encode()).hexdigest()[:16]


class HealthFile:
    """The file of this process."""

    def __init__(self, database_url: str, instance: str) -> None:
        self._name = f"{_key(database_url)}-{instance}"
        self._descriptor: int | None = None

    def write(self, health: Health) -> None:
        """Replace the last report. Raises OSError."""
        if self._descriptor is None or os.fstat(self._descriptor).st_nlink == 0:
            self.close()
            self._descriptor = self._open()
        status, *times = astuple(health)
        line = " ".join([f"{status:8}", *(f"{moment:020.3f}" for moment in times)])  # the same length each time
        os.pwrite(self._descriptor, f"{line}\n".encode(), 0)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(_folder() / self._name, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise
        if os.fstat(descriptor).st_nlink == 0:  # another process has found it unlocked, and deleted it
            os.close(descriptor)
            return self._open()
        return descriptor

    def close(self) -> None:
        """Delete the file."""
        if self._descriptor is not None:
            with suppress(OSError):
                (_folder() / self._name).unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


class HealthReporter:
    """Reports the health of this process in its file."""

    def __init__(
        self, settings: DatabaseSettings, client: GangBot, ownership: Ownership, since_write: Callable[[], float]
    ) -> None:
        """`since_write`: seconds since the database accepted a write."""
        self._client = client
        self._ownership = ownership
        self._since_write = since_write
        self._file = HealthFile(settings.database_url.value, secrets.token_hex(8))

    def problem(self) -> str | None:
        """Why this process isn't ready, as a sentence; None if it is.

        Stricter than `Health.problem`: the database must have accepted a write half a minute ago.
        """
        health = self._now()
        if health.status is Status.SERVING and health.stored + UNWRITTEN_SECONDS < health.written:
            return "Nothing can be written to the database."
        return health.problem(health.written)

    async def run_forever(self) -> None:
        """Report regularly until canceled."""
        while True:
            health = self._now()
            is_serving = health.status is Status.SERVING and health.problem(health.written) is None
            self._report(health)
            await asyncio.sleep(INTERVAL if is_serving else UNHEALTHY_INTERVAL)

    def _report(self, health: Health) -> None:
        try:
            self._file.write(health)
        except OSError as error:
            log.warning("can't write the health file: %s", error)

    def close(self) -> None:
        """Delete the file."""
        self._file.close()

    def _now(self) -> Health:
        now, acknowledged = time.monotonic(), self._client.heartbeat_acknowledged_at()
        return Health(self._ownership.status, now, acknowledged or NEVER, now - self._since_write())
