"""One task that waits for the deadlines of all tables."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Final

from bot.base.metrics import DEADLINE_DELAY
from bot.services.background import finish
from bot.services.downtimes import Downtimes
from bot.storage import deadlines
from bot.storage.database import Database
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter
from bot.table.errors import StorageError
from bot.table.model import Deadline, DeadlineKind

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 100
"""Due tables that are read together."""
MAX_SLEEP: Final = 5.0
"""Seconds. The wall clock may be changed during a sleep, and another process may change a deadline."""
CLOCK_SET_BACK: Final = 1000
"""Milliseconds. A smaller step backwards doesn't count as a change of the clock."""
RETRY_SECONDS: Final = 5.0
"""Seconds before a failed action is tried again."""
GRACE_SECONDS: Final = 1.0
"""Seconds for running actions when the app stops."""


class Deadlines:
    """Calls `due` for each deadline at its time. `due` must replace or remove the deadline.

    Deadlines of guilds that aren't `connected` to Discord wait, because nobody can press there. That time, and time in
    which the app is off, is a downtime.

    `max_delays` holds the longest delays, in milliseconds, for deadlines that don't depend on players.
    """

    def __init__(
        self,
        database: Database,
        now: Callable[[], int],
        due: Callable[[Deadline], Awaitable[None]],
        max_delays: Mapping[DeadlineKind, int],
        connected: Callable[[], GuildFilter] = lambda: ALL_GUILDS,
    ) -> None:
        self._database = database
        self._now = now
        """UTC milliseconds."""
        self._due = due
        self._max_delays = max_delays
        self.connected = connected
        self.downtimes = Downtimes(database, now)
        self._changed = asyncio.Event()
        self.wakes_at = inf
        """The time of the next check (`loop.time`); `inf` until it's known."""
        self._checked_at: int | None = None
        self._running: dict[int, asyncio.Task[None]] = {}

    def rearm(self, due_at: int | None = None) -> None:
        """Read the deadlines again, because one has changed. If it's later than the next check, that isn't needed.

        `due_at`: the new time in UTC milliseconds, if it's the only one.
        """
        if due_at is None or asyncio.get_running_loop().time() + (due_at - self._now()) / 1000 < self.wakes_at:
            self._changed.set()

    async def run(self) -> None:
        """Run until canceled, then let running actions finish for a moment."""
        try:
            while True:
                self._changed.clear()
                self.wakes_at = inf
                seconds = await self._check()
                self.wakes_at = asyncio.get_running_loop().time() + seconds
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._changed.wait()
        finally:
            await finish(self._running.values(), GRACE_SECONDS)

    async def _check(self) -> float:
        """Start the actions that are due. Returns the seconds until the next check.

        The clock may also have been set back while the app wasn't running, so the first check assumes that.
        """
        now = self._now()
        try:
            if self._checked_at is None or self._checked_at - now >= CLOCK_SET_BACK:
                await self._bring_forward(now)
            self._checked_at = now
            seconds = await self.look()
            await self.downtimes.save()
        except StorageError as error:
            log.warning("deadlines cannot be read; trying again in %s s: %s", RETRY_SECONDS, error)
            return RETRY_SECONDS
        except Exception:
            log.exception("deadlines cannot be read; trying again in %s s", RETRY_SECONDS)
            return RETRY_SECONDS
        return seconds

    @property
    def is_idle(self) -> bool:
        """True if no action is running."""
        return not self._running

    async def look(self) -> float:
        """Start the actions that are due. Returns the seconds until the next look. Raises `StorageError`."""
        connected = self.connected()
        busy = set(self._running)  # rows of actions that end during the read may be outdated
        async with self._database.read() as connection:
            limit = BATCH_SIZE + len(busy)
            nearest = [] if connected.is_empty else await deadlines.earliest(connection, limit, connected)
            await self.downtimes.look(connection, connected)
        now = self._now()
        for deadline in nearest:
            if deadline.table_id in busy:
                continue
            if deadline.due_at > now:
                return min((deadline.due_at - now) / 1000, MAX_SLEEP)
            DEADLINE_DELAY.labels(deadline.kind).observe((now - deadline.due_at) / 1000)
            self._start(deadline)
        return MAX_SLEEP

    async def _bring_forward(self, now: int) -> None:
        """Limit the delay of AI players and standing orders, which wait too long after the clock was set back."""
        async with self._database.write() as connection:
            for kind, wait in self._max_delays.items():
                await deadlines.bring_forward(connection, kind, now + wait)

    def _start(self, deadline: Deadline) -> None:
        task = asyncio.create_task(self._handle(deadline), name=f"deadline of table {deadline.table_id}")
        self._running[deadline.table_id] = task

    async def _handle(self, deadline: Deadline) -> None:
        try:
            await self._due(deadline)
        except StorageError as error:
            log.warning("table=%d: the due action waits for the database: %s", deadline.table_id, error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            log.exception("table=%d: the due action failed; trying again in %s s", deadline.table_id, RETRY_SECONDS)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._running.pop(deadline.table_id, None)
            self.rearm()
