"""Which tables a user of the page may see, by the same rules as in Discord (`permissions.may_know`).

In Discord, each press brings the member's permissions. Here the member is fetched and kept for a short time. Roles and
channels come over the gateway, so a hidden channel hides its tables at once; only those of guilds that another process
serves are fetched, too.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

import discord

from bot.base.press_context import ANSWER_SECONDS
from bot.presentation.text.names import APP_NAME, chosen_name
from bot.presentation.text.permissions import may_know, may_read, opener_elsewhere, place_of
from bot.presentation.ui.replies import UNREACHABLE
from bot.services.clock import seconds
from bot.services.tables import Tables
from bot.table import lobby
from bot.table.guild import Opener, is_own, own_guild_id
from bot.table.model import Place, TableRow
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table
from bot.web.watchers import Watchers

KEPT_SECONDS: Final = 60.0
"""Seconds for which a member is trusted. Without a privileged intent, Discord doesn't say who leaves."""
RETRY_SECONDS: Final = 10.0
"""Seconds for which a member is trusted further if Discord doesn't answer, so that not every request waits for it."""
MAX_KEPT: Final = 2000
"""Members, and as many users and channels, that are kept."""
NOWHERE: Final = Opener((0,), frozenset(), may_write=False)
"""The opener of a table that no channel shows."""
_REFUSED: Final = (discord.NotFound, discord.Forbidden)
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """Values fetched from Discord, for a short time; longer while Discord doesn't answer."""

    def __init__(self, fetch: Callable[[Key], Awaitable[Value]]) -> None:
        self._fetch = fetch
        self._known: dict[Key, tuple[Value | None, float]] = {}
        """With the time until which they count (`clock.seconds`), the earliest first."""

    async def get(self, key: Key) -> Value | None:
        """A value, fetched if it isn't known; None if Discord refuses it. Raises an error of `UNREACHABLE`."""
        known = self._known.get(key)
        if known is not None and seconds() < known[1]:
            return known[0]
        kept = KEPT_SECONDS
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = await self._fetch(key)
        except _REFUSED:
            found = None
        except UNREACHABLE:
            if known is None:
                raise
            found, kept = known[0], RETRY_SECONDS
        self._known.pop(key, None)
        self._known[key] = found, seconds() + kept
        while len(self._known) > MAX_KEPT:
            del self._known[next(iter(self._known))]
        return found


class Access:
    """Knows the members of guilds, as far as they use the page."""

    def __init__(self, client: discord.Client, tables: Tables, watchers: Watchers) -> None:
        self._client = client
        self._tables = tables
        self._watchers = watchers
        self._members = Kept(self._fetch_member)
        self._users = Kept(client.fetch_user)
        self._places = Kept(self._fetch_place)

    async def table(self, user_id: int, number: int) -> Table:
        """A table that a user may know about. Raises `NoSuchTable`."""
        return await self._checked(user_id, await self._tables.get(number))

    async def shown_table(self, user_id: int, number: int) -> Table:
        """The same for an update. A table that isn't in memory is read once for all pages that show it."""
        table = self._tables.cache.known(number) or await self._watchers.read(number, self._tables.get)
        return await self._checked(user_id, table)

    async def _checked(self, user_id: int, table: Table) -> Table:
        if not await self.may_know(user_id, table.row.guild_id, table):
            raise NoSuchTable
        return table

    async def may_know(self, user_id: int, guild_id: int, table: Table) -> bool:
        """True if a user may know about a table of a guild that they are in."""
        if is_own(guild_id):
            return may_know(table, user_id, own_guild_id(user_id), lambda _row: False)
        member = await self.member(guild_id, user_id)
        if member is None:
            return False
        needs_channel = table.row.in_channel and table.seat_of(user_id) is None
        sees = needs_channel and await self.sees(member, table.row)
        return may_know(table, user_id, guild_id, lambda _row: sees)

    async def member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """A user as a member of a guild; None if they aren't one or the app isn't there."""
        return await self._members.get((guild_id, user_id))

    async def sees(self, member: discord.Member, row: TableRow | Place) -> bool:
        """True if a member can see a table's channel or thread."""
        guild = self._known_guild(member.guild.id)
        if guild is not None:
            channel = place_of(guild, row)
            return channel is not None and may_read(channel, member)
        fetched = await self._places.get((member.guild, row.place_id))
        return fetched is not None and may_read(fetched[0], member, fetched[1])

    async def person(self, user_id: int, guild_id: int) -> lobby.Person:
        """A user as a player for a seat. Raises `NoSuchTable` if they aren't in the guild."""
        user: discord.abc.User | None = None
        if not is_own(guild_id):
            user = await self.member(guild_id, user_id)
        elif guild_id == own_guild_id(user_id):
            user = await self._users.get(user_id)
        if user is None:
            raise NoSuchTable
        app = self._client.user
        return lobby.Person(user_id, chosen_name(user, APP_NAME if app is None else app.name))

    async def names_of_places(self, user_id: int, guild_id: int) -> dict[int, str]:
        """The names of the channels that a user sees in a guild, and of its roles, by id."""
        member = await self.member(guild_id, user_id)
        if member is None:
            return {}
        channels = {channel.id: f"#{channel.name}" for channel in member.guild.channels if may_read(channel, member)}
        return channels | {role.id: f"@{role.name}" for role in member.guild.roles}

    async def opener(self, user_id: int, row: TableRow) -> Opener:
        """A user as the member who opens a table in the channel of another one."""
        member = None if is_own(row.guild_id) else await self.member(row.guild_id, user_id)
        if member is None:
            return NOWHERE
        may_manage = member.guild_permissions.manage_guild
        return opener_elsewhere(member, row.channel_id, row.parent_id, may_manage=may_manage)

    def _known_guild(self, guild_id: int) -> discord.Guild | None:
        """A guild with its roles and channels; None while the gateway hasn't sent it to this process."""
        guild = self._client.get_guild(guild_id)
        return None if guild is None or guild.unavailable else guild

    async def _fetch_member(self, key: tuple[int, int]) -> discord.Member:
        guild_id, user_id = key
        guild = self._known_guild(guild_id) or await self._client.fetch_guild(guild_id, with_counts=False)
        return await guild.fetch_member(user_id)

    async def _fetch_place(
        self, key: tuple[discord.Guild, int]
    ) -> tuple[discord.abc.GuildChannel | discord.Thread, discord.abc.GuildChannel | None]:
        """A channel or thread, and the parent of a thread."""
        guild, place_id = key
        channel = await guild.fetch_channel(place_id)
        if not isinstance(channel, discord.Thread):
            return channel, None
        parent = await guild.fetch_channel(channel.parent_id)
        return channel, None if isinstance(parent, discord.Thread) else parent
