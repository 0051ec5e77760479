"""Delete all data about users, in short transactions that continue after a restart."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from bot.services import rerating, titles
from bot.services.background import logging_errors
from bot.services.retention import delete_guild
from bot.services.tables import Tables
from bot.storage import deletions, guild_settings
from bot.storage.database import Database
from bot.table import play
from bot.table.guild import own_guild_id
from bot.table.refusals import Refusal

log = logging.getLogger(__name__)

CLEAN_INTERVAL: Final = 60
"""Seconds between two cleanings of the database file, because nothing can be written during one."""
QUIET_SECONDS: Final = 300
"""A large file is rewritten when no user has done anything for so long, because it takes seconds."""
ATTEMPTS: Final = 5
"""The number of searches for data stored during the deletion. Later data is left to a later run."""


class Deletions:
    """Deletes users. Until that is done, they can't do anything else."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        now: Callable[[], int],
        idle_seconds: Callable[[], float] = lambda: 0.0,
        record_change: Callable[[int], None] = lambda _: None,
        forget_table: Callable[[int], None] = lambda _: None,
    ) -> None:
        """`now`: UTC milliseconds; `idle_seconds`: seconds since the last action of a user.

        `record_change` is called with a user at the start and at the end. `forget_table` drops what is kept in memory
        about a table, apart from the cache of `tables`.
        """
        self._database = database
        self._tables = tables
        self._now = now
        self._idle_seconds = idle_seconds
        self._record_change = record_change
        self._forget_table = forget_table
        self._cleaned_at: int | None = None
        """When the file was last cleaned, in UTC seconds."""
        self._lock = asyncio.Lock()
        """Only one deletion runs at a time, so that players wait for few transactions."""

    async def clean(self) -> None:
        """Clean the database file at the start of the app, whatever its size."""
        await self._clean(of_any_size=True)

    async def delete(self, user_id: int) -> bool:
        """Delete a user. AI players take their seats for good, and their matches keep a deleted player without a name.

        Ratings are computed again, with the deleted player as a newcomer in each match. Returns False if `resume` has
        to delete the rest later.
        """
        await self._database.commit(deletions.begin, user_id, self._now() // 1000)
        self._record_change(user_id)
        await self.resume()
        return user_id not in await self._database.fetch(deletions.under_way)

    async def resume(self, _now: int = 0) -> None:
        """Continue all deletions, then clean the database file.

        A failed deletion is logged and doesn't stop the others. The next run of the chores tries it again.
        """
        async with self._lock:
            found = await self._database.fetch(deletions.under_way)
            for user_id, guilds in found.items():
                with logging_errors(log, "a deletion"):
                    await self._finish(user_id, guilds)
            await self._clean()

    async def _finish(self, user_id: int, guilds: Sequence[int]) -> None:
        for _ in range(ATTEMPTS):
            await self._delete_rows(user_id)
            await self._delete_own_matches(user_id)
            for guild_id in guilds:
                await rerating.rate_again(self._database, guild_id)
                await self._database.commit(titles.reassign_titles, guild_id, self._now() // 1000)
            ended = await self._database.commit(deletions.end, user_id, self._now() // 1000)
            if ended:
                self._record_change(user_id)
                return
        log.warning("a deletion isn't finished: new data is stored again and again")

    async def _delete_rows(self, user_id: int) -> None:
        left = await self._leave_tables(user_id)
        async with self._database.read() as connection:
            numbers = iter(await deletions.tables_of(connection, user_id))
        while batch := list(islice(numbers, deletions.TABLES_AT_ONCE)):
            async with self._database.write() as connection:
                await deletions.delete_from_tables(connection, user_id, batch)
                await deletions.mark_outdated(connection, left.intersection(batch))
            self._tables.cache.forget(*batch)
            for number in batch:
                self._forget_table(number)
            await self._tables.publish_again(sorted(left.intersection(batch)))
        more = True
        while more:
            more = await self._database.commit(deletions.delete_some_rows, user_id)

    async def _delete_own_matches(self, user_id: int) -> None:
        """Delete the matches that the user has played outside guilds, where nobody else was."""
        own, now = own_guild_id(user_id), self._now() // 1000
        await self._database.commit(guild_settings.set_presence, {own: now})
        await delete_guild(self._database, self._tables, own, now + 1)

    async def _leave_tables(self, user_id: int) -> set[int]:
        """Give up the user's seats at open tables. Returns the tables."""
        numbers = await self._database.fetch(deletions.played_by, user_id)
        for number in numbers:
            try:
                await self._tables.act(number, play.leave_for_good, user_id)
            except Refusal:  # the table has changed and is read again
                self._tables.cache.forget(number)
        return {*numbers}

    async def _clean(self, *, of_any_size: bool = False) -> None:
        """Remove deleted data from the database file. Skipped shortly after another cleaning; the chores try again."""
        now = self._now() // 1000
        is_dirty = await self._database.fetch(deletions.needs_cleaning)
        if not is_dirty or (self._cleaned_at is not None and 0 <= now - self._cleaned_at < CLEAN_INTERVAL):
            return
        self._cleaned_at = now
        is_quiet = self._idle_seconds() >= QUIET_SECONDS
        if await self._database.clean(of_any_size=of_any_size or is_quiet):
            await self._database.commit(deletions.record_cleaned)
