"""The open tables of a guild: lists of them, and the table that a user means. Lists read no logs."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.storage import open_tables
from bot.storage.database import Database
from bot.table.model import Place
from bot.table.pending_items import pending_for
from bot.table.refusals import NoOpenTable
from bot.table.snapshot import Table

NO_GUILD: Final = 0
PAGE_SIZE: Final = 8
"""Tables on a page."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list, without its `state`."""

    table: Table
    message_id: int | None = None
    """The message that shows it, if known."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list of tables, the newest first."""

    tables: Sequence[Listed]
    every: int
    """The number of tables in the whole list."""
    number: int = 0
    """The number of the page, from 0."""

    @property
    def is_last(self) -> bool:
        """True if no page follows."""
        return self.number >= last_page(self.every)


def last_page(every: int) -> int:
    """The number of the last page of so many tables."""
    return max(0, every - 1) // PAGE_SIZE


class OpenTables:
    """Finds open tables in the database; `load` returns a table with its state."""

    def __init__(self, database: Database, load: Callable[[int], Awaitable[Table]]) -> None:
        self._database = database
        self._load = load

    async def nearest(self, guild_id: int, user_id: int, channel_id: int) -> Table:
        """The table that a user most likely means in a channel. Raises `NoOpenTable`."""
        number = await self._database.fetch(open_tables.nearest, guild_id, user_id, channel_id)
        if number is None:
            raise NoOpenTable
        return await self._load(number)

    async def nearest_lobby(self, guild_id: int, host_id: int, channel_id: int) -> Table | None:
        """The table of a host before its first deal: one in this channel, or else the newest."""
        number = await self._database.fetch(open_tables.nearest_lobby, guild_id, host_id, channel_id)
        return None if number is None else await self._load(number)

    async def ai_names(self, guild_id: int, channel_id: int) -> set[str]:
        """The names of the AI players at open tables of a channel."""
        return await self._database.fetch(open_tables.ai_names, guild_id, channel_id)

    async def solo_match(self, guild_id: int, user_id: int) -> int | None:
        """A user's match against AI players that no channel shows; None without one."""
        return await self._database.fetch(open_tables.solo_match, guild_id, user_id)

    async def rematches(self, table_id: int) -> list[int]:
        """The open tables where the players of a match play again, the oldest first."""
        return await self._database.fetch(open_tables.rematches, table_id)

    async def places(self, guild_id: int) -> list[Place]:
        """The channels and threads where tables are open."""
        return await self._database.fetch(open_tables.places, guild_id)

    async def page(self, guild_id: int, user_id: int, visible: Collection[int], number: int) -> Page:
        """A page of the tables in the `visible` channels and threads, and of the user's own tables.

        The last one if the number is higher, because tables have closed.
        """
        async with self._database.read() as connection:
            query = partial(open_tables.page, connection, guild_id, user_id, visible, limit=PAGE_SIZE)
            every, found = await query(number * PAGE_SIZE)
            if number > last_page(every):
                number = last_page(every)
                every, found = await query(number * PAGE_SIZE)
        return Page([Listed(Table(row), message_id) for row, message_id in found], every, number)

    async def waiting_for(self, guild_id: int, user_id: int) -> list[Listed]:
        """The tables where something waits for a user, the soonest deadline first.

        Those in other guilds are among them if the user has a seat there.
        """
        async with self._database.read() as connection:
            rows = await open_tables.involving(connection, guild_id, user_id)
            rows += await open_tables.elsewhere(connection, guild_id, user_id)
        found = [Listed(Table(row), message_id) for row, message_id in rows]
        return sorted((each for each in found if pending_for(each.table, user_id)), key=lambda each: each.table.urgency)

    async def of_user(self, user_id: int) -> list[Listed]:
        """The tables of all guilds where a user has a seat, the oldest first."""
        rows = await self._database.fetch(open_tables.elsewhere, NO_GUILD, user_id)
        return [Listed(Table(row), message_id) for row, message_id in rows]

    async def has_seat(self, guild_id: int, user_id: int) -> bool:
        """True if a user has a seat at an open table of a guild."""
        return await self._database.fetch(open_tables.has_seat, guild_id, user_id)

    async def with_deadline(self, user_id: int) -> list[int]:
        """The tables in all guilds where a user's turn has a deadline."""
        return await self._database.fetch(open_tables.with_deadline, user_id)

    async def numbers(self, guild_id: int) -> list[int]:
        """All open tables of a guild, the oldest first."""
        return await self._database.fetch(open_tables.numbers, guild_id)

    async def in_thread(self, guild_id: int, thread_id: int) -> list[int]:
        """The tables shown in a thread of their own."""
        return await self._database.fetch(open_tables.in_thread, guild_id, thread_id)
