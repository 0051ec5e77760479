"""Finds out when the app was off, not connected to Discord or not in a guild. This time doesn't count against players.

While the app serves guilds, it stores the time now and then. When it begins to serve a shard, or after the database was
unreachable, it reads the last stored time: the gap is the downtime.
"""

import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services import clock
from bot.storage.database import Database
from bot.storage.guild_filter import GuildFilter, last_served, record_served, shard_of
from bot.table.timing import Downtime

log = logging.getLogger(__name__)

SAVE_SECONDS: Final = 20.0
"""Seconds between two times that are stored."""
OUTAGE_SECONDS: Final = 120.0
"""Seconds without a look at the database after which the app counts as off."""


class Downtimes:
    """The last downtime of each shard that this process serves."""

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
        self._looked_at = self._saved_at = seconds()

    def last(self, guild_id: int) -> Downtime | None:
        """The last downtime of a guild, or absence from it; None if there was none, or its shard isn't served."""
        last, absence = self._last.get(shard_of(guild_id, self._served.count)), self._absences.get(guild_id)
        return absence if last is None or (absence is not None and absence.until > last.until) else last

    def end_absence(self, guild_id: int, since: int) -> None:
        """Count the time since a guild removed the app (UTC milliseconds), now that the app is there again."""
        self._absences[guild_id] = Downtime(since, self._now())

    async def look(self, connection: AsyncConnection, served: GuildFilter) -> None:
        """Read the downtimes of guilds that are served since the last look."""
        before, self._looked_at = self._looked_at, self._seconds()
        has_gap = self._looked_at - before >= OUTAGE_SECONDS
        if has_gap or served.count != self._served.count:
            self._last = {}
        self._served = served
        self._last = {shard: known for shard, known in self._last.items() if shard in served.shards}
        if new := served.shards - self._last.keys():
            times, now = await last_served(connection, GuildFilter(served.count, new)), self._now()
            self._last |= {shard: Downtime(min(now, times.get(shard, now)), now) for shard in new}
            longest = max(self._last[shard].until - self._last[shard].since for shard in new)
            log.info("looking after deadlines; the %d s before don't count against players", longest // 1000)
            self._saved_at = self._looked_at

    def since_save(self) -> float:
        """Seconds since the database last accepted such a time, or since the start."""
        return self._seconds() - self._saved_at

    async def save(self) -> None:
        """Store that the guilds are served, if that was long ago."""
        if self.since_save() < SAVE_SECONDS:
            return
        async with self._database.write() as connection:
            await record_served(connection, self._served, self._now())
        self._saved_at = self._seconds()
