"""One task that sleeps until something is due, however many tables there are."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.services.clock import Clock
from bot.storage import deadlines
from bot.storage.database import Database
from bot.table.errors import StorageError
from bot.table.model import Deadline, DeadlineKind

log = logging.getLogger(__name__)

BATCH_SIZE: Final = 100
"""How many due tables are looked at together."""
MAX_SLEEP: Final = 60.0
"""Seconds; the wall clock may be set while we sleep."""
CLOCK_SET_BACK: Final = 1000
"""Milliseconds by which the wall clock has to go backwards for it to be taken as set."""
RETRY_SECONDS: Final = 5.0
"""Seconds until something that failed is tried again."""
GRACE_SECONDS: Final = 1.0
"""Seconds that what is under way may still take when the app ends."""


class Deadlines:
    """Calls `due` for each deadline when its time has come; `due` has to replace or remove it.

    `max_waits` is how long, in milliseconds, what never waits longer may have to wait.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        due: Callable[[Deadline], Awaitable[None]],
        max_waits: Mapping[DeadlineKind, int],
    ) -> None:
        self._database = database
        self._clock = clock
        self._due = due
        self._max_waits = max_waits
        self._changed = asyncio.Event()
        self._checked_at: int | None = None
        self._under_way: dict[int, asyncio.Task[None]] = {}

    def rearm(self) -> None:
        """Look again: a deadline was set, moved or removed."""
        self._changed.set()

    async def run(self) -> None:
        """Work until cancelled; what is under way then may end, unless it takes too long."""
        try:
            while True:
                self._changed.clear()
                await self._wait(await self._start_what_is_due())
        finally:
            under_way = list(self._under_way.values())
            try:
                if under_way:
                    await asyncio.wait(under_way, timeout=GRACE_SECONDS)
            finally:
                for task in under_way:
                    task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _start_what_is_due(self) -> float:
        """Start the handlers of what is due; gives the seconds until the next deadline."""
        busy = set(self._under_way)  # what ends while we read may still stand in what we have read
        try:
            await self._follow_the_clock()
            async with self._database.read() as connection:
                nearest = await deadlines.earliest(connection, BATCH_SIZE + len(busy))
        except StorageError as error:
            log.warning("deadlines cannot be read; trying again in %s s: %s", RETRY_SECONDS, error)
            return RETRY_SECONDS
        except Exception:
            log.exception("deadlines cannot be read; trying again in %s s", RETRY_SECONDS)
            return RETRY_SECONDS
        now = self._clock.milliseconds()
        for deadline in nearest:
            if deadline.table_id in busy:
                continue
            if deadline.due_at > now:
                return min((deadline.due_at - now) / 1000, MAX_SLEEP)
            self._start(deadline)
        return MAX_SLEEP

    async def _follow_the_clock(self) -> None:
        """Where the wall clock was set back, robots do not wait for the old time to come again; people's turns do.

        It may have been set while we were not running.
        """
        now = self._clock.milliseconds()
        if self._checked_at is None or self._checked_at - now >= CLOCK_SET_BACK:
            async with self._database.write() as connection:
                for kind, wait in self._max_waits.items():
                    await deadlines.bring_forward(connection, kind, now + wait)
        self._checked_at = now

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _start(self, deadline: Deadline) -> None:
        task = asyncio.create_task(self._handle(deadline), name=f"deadline of table {deadline.table_id}")
        self._under_way[deadline.table_id] = task

    async def _handle(self, deadline: Deadline) -> None:
        try:
            await self._due(deadline)
        except StorageError as error:
            log.warning("table=%d: what was due waits for the database: %s", deadline.table_id, error)
            await asyncio.sleep(RETRY_SECONDS)
        except Exception:
            log.exception("table=%d: what was due failed; trying again in %s s", deadline.table_id, RETRY_SECONDS)
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._under_way.pop(deadline.table_id, None)
            self.rearm()
