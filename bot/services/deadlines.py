"""One task that waits for the deadlines of all tables, and the time that doesn't count for them.

While the app serves guilds, it stores the time now and then. When it begins to serve a shard, or after the database was
unreachable, it reads the last stored time: the gap is the downtime.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from math import inf
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.metrics import DEADLINE_DELAY
from bot.services import clock
from bot.services.background import finish
from bot.storage import matches
from bot.storage.database import Database
from bot.storage.downtimes import last_served, record_served
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter, shard_of
from bot.table.errors import StorageError
from bot.table.model import Deadline, DeadlineKind
from bot.table.timing import Downtime

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
SAVE_SECONDS: Final = 20.0
"""Seconds between two times that are stored."""
OUTAGE_SECONDS: Final = 120.0
"""Seconds in which nothing can be stored, after which the app counts as off."""


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
            await self.downtimes.save()
            seconds = await self.look()
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
            nearest = [] if connected.is_empty else await matches.earliest_deadlines(connection, limit, connected)
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
                await matches.bring_forward(connection, kind, now + wait)

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


log = logging.getLogger(__name__)


class Downtimes:
    """The last downtime of each shard that this process serves: the app was off, not connected, or not in a guild."""

    def __init__(
        self, database: Database, now: Callable[[], int], seconds: Callable[[], float] = clock.seconds
    ) -> None:
        """`now`: UTC milliseconds. `seconds`: a clock that nobody can set."""
        self._database, self._now, self._seconds = database, now, seconds
        self._served = GuildFilter(1, frozenset())
        self._last: dict[int, Downtime] = {}
        """By shard."""
        self._absences: dict[int, Downtime] = {}
        """By guild: when the app was last removed from it, until it was added again."""
        self._saved_at = seconds()

    def last(self, guild_id: int) -> Downtime | None:
        """The last downtime of a guild, or absence from it; None if there was none, or its shard isn't served."""
        last, absence = self._last.get(shard_of(guild_id, self._served.count)), self._absences.get(guild_id)
        return absence if last is None or (absence is not None and absence.until > last.until) else last

    def end_absence(self, guild_id: int, since: int) -> None:
        """Count the time since a guild removed the app (UTC milliseconds), now that the app is there again."""
        self._absences[guild_id] = Downtime(since, self._now())

    async def look(self, connection: AsyncConnection, served: GuildFilter) -> None:
        """Read the downtimes of guilds that are served since the last look."""
        if served.count != self._served.count:
            self._last = {}
        self._served = served
        self._last = {shard: known for shard, known in self._last.items() if shard in served.shards}
        if new := served.shards - self._last.keys():
            times, now = await last_served(connection, GuildFilter(served.count, new)), self._now()
            self._last |= {shard: Downtime(min(now, times.get(shard, now)), now) for shard in new}
            longest = max(self._last[shard].until - self._last[shard].since for shard in new)
            log.info("looking after deadlines; the %d s before don't count against players", longest // 1000)

    def since_save(self) -> float:
        """Seconds since the database last accepted such a time, or since the start."""
        return self._seconds() - self._saved_at

    async def save(self) -> None:
        """Store that the guilds are served, if that was long ago. After an outage, the time since then is a downtime.

        This comes before each look: while nothing can be stored, no deadline ends a turn.
        """
        if self.since_save() < SAVE_SECONDS:
            return
        async with self._database.write() as connection:
            if self.since_save() >= OUTAGE_SECONDS:
                self._last = {}
                await self.look(connection, self._served)
            await record_served(connection, self._served, self._now())
        self._saved_at = self._seconds()
