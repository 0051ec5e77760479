"""Choose a new host when the host leaves. Only users with room for one more table can host (`limits.HOST_TABLES`)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import guild_settings, locks, open_tables
from bot.table import lobby
from bot.table.guild import Opener
from bot.table.limits import GUILD_TABLES, HOST_TABLES
from bot.table.model import Status
from bot.table.refusals import GuildIsFull, TooManyTables
from bot.table.snapshot import Table

NO_HOST: Final = "no host"
"""The reason for closing a lobby that nobody has room to host."""


async def with_host_who_has_room(connection: AsyncConnection, before: Table, after: Table) -> Table:
    """An open table after a change of its host, hosted by the first user in line who has room.

    If nobody has room, a lobby is closed: nothing is lost there, and otherwise one user could fill another's limit by
    leaving tables. A running match isn't closed because its host left; the player who hosts the fewest tables hosts
    it. Raises `TooManyTables` for a user who becomes host while the host is still there.
    """
    row, old = after.row, before.row.host_id
    users = lobby.possible_hosts(row)
    if old in users:
        await require_room_of_host(connection, row.guild_id, row.host_id)
        return after
    room, _ = await room_of_hosts(connection, row.guild_id, users)
    host = max(users, key=lambda user: room[user] if room[user] <= 0 else 1)
    if room[host] <= 0 and row.status is Status.LOBBY:
        return replace(after, row=replace(row, status=Status.CLOSED, ended=NO_HOST))
    return replace(after, row=replace(row, host_id=host))


async def require_may_open(connection: AsyncConnection, guild_id: int, host_id: int, opener: Opener) -> None:
    """Raise a refusal of `Opener`, `TooManyTables` or `GuildIsFull` if a host can't open another table in a guild.

    Call it in the transaction that opens the table. Until that ends, no other table can be opened in the guild.
    """
    await require_room_of_host(connection, guild_id, host_id)
    settings = await guild_settings.load(connection, guild_id)
    opener.require_may_open(settings)
    number = await open_tables.count(connection, guild_id)
    if number >= GUILD_TABLES.in_guild(settings.limits):
        raise GuildIsFull(number)


async def require_room_of_host(connection: AsyncConnection, guild_id: int, host_id: int) -> None:
    """Raise `TooManyTables` if a user can't host another table in a guild. Call it like `require_may_open`."""
    free, limit = await room_of_hosts(connection, guild_id, [host_id])
    if free[host_id] <= 0:
        raise TooManyTables(limit - free[host_id])


async def room_of_hosts(connection: AsyncConnection, guild_id: int, users: Iterable[int]) -> tuple[dict[int, int], int]:
    """The number of further tables that each user can host in a guild, and the limit per host."""
    await locks.lock(connection, guild_id)
    limit = HOST_TABLES.in_guild((await guild_settings.load(connection, guild_id)).limits)
    return {user: limit - await open_tables.count(connection, guild_id, user) for user in users}, limit
