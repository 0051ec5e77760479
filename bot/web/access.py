"""Which tables a user of the page may see, by the same rules as in Discord (`permissions.may_know`).

In Discord, each press brings the member's permissions. Here the member is fetched and kept for a short time; guilds,
roles and channels come over the gateway, so a hidden channel hides its tables at once.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import discord

from bot.presentation.text.names import APP_NAME, chosen_name
from bot.presentation.text.permissions import may_know, may_read, place_of
from bot.services.clock import seconds
from bot.services.tables import Tables
from bot.table import lobby
from bot.table.guild import is_own, own_guild_id
from bot.table.model import Place, TableRow
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

MEMBER_SECONDS: Final = 60.0
"""Seconds for which a member is trusted. Without a privileged intent, Discord doesn't say who leaves."""
MAX_MEMBERS: Final = 2000


@dataclass(frozen=True, slots=True)
class _Seen:
    """A member, or None for a user who isn't one, as fetched at a time (`clock.seconds`)."""

    member: discord.Member | None
    at: float


class Access:
    """Knows the members of guilds, as far as they use the page."""

    def __init__(self, client: discord.Client, tables: Tables) -> None:
        self._client = client
        self._tables = tables
        self._members: dict[tuple[int, int], _Seen] = {}
        """By guild and user, the earliest first."""

    async def table(self, user_id: int, number: int) -> Table:
        """A table that a user may know about. Raises `NoSuchTable`."""
        table = await self._tables.get(number)
        if not await self.may_know(user_id, table):
            raise NoSuchTable
        return table

    async def may_know(self, user_id: int, table: Table) -> bool:
        """True if a user may know about a table."""
        if is_own(table.row.guild_id):
            return may_know(table, user_id, own_guild_id(user_id), _nothing)
        member = await self.member(table.row.guild_id, user_id)
        if member is None:
            return False
        return may_know(table, user_id, member.guild.id, lambda row: sees(member, row))

    async def member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """A user as a member of a guild, None if they aren't one or the app isn't there."""
        key, guild = (guild_id, user_id), self._client.get_guild(guild_id)
        known = self._members.get(key)
        if known is not None and seconds() - known.at < MEMBER_SECONDS:
            return known.member
        member = None
        if guild is not None:
            with suppress(discord.NotFound):
                member = await guild.fetch_member(user_id)
        self._members.pop(key, None)
        self._members[key] = _Seen(member, seconds())
        while len(self._members) > MAX_MEMBERS:
            del self._members[next(iter(self._members))]
        return member

    async def person(self, user_id: int, guild_id: int) -> lobby.Person:
        """A user as a player for a seat."""
        member = None if is_own(guild_id) else await self.member(guild_id, user_id)
        user: discord.abc.User = member or await self._client.fetch_user(user_id)
        app = self._client.user
        return lobby.Person(user_id, chosen_name(user, APP_NAME if app is None else app.name))


def sees(member: discord.Member, row: TableRow | Place) -> bool:
    """True if a member can see a table's channel or thread."""
    channel = place_of(member.guild, row)
    return channel is not None and may_read(channel, member)


def _nothing(_row: TableRow) -> bool:
    return False
