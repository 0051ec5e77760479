"""Who hosts a table when its host leaves it. The new host needs room for one more table (`limits.HOST_TABLES`)."""

from dataclasses import replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services import limits
from bot.table import lobby
from bot.table.model import Status
from bot.table.snapshot import Table

NO_HOST: Final = "no host"
"""Why a lobby was closed that nobody had room to host."""


async def with_room(connection: AsyncConnection, before: Table, after: Table) -> Table:
    """The table after a change, with a host who has room for it: the first in line who has.

    If nobody has room, a lobby is closed: nothing is lost there, and otherwise one user could fill another's
    limit by leaving tables. A running match isn't closed because its host left; the player who hosts the fewest tables
    hosts it. Raises `TooManyTables` for a user who takes the role while the host is still there.
    """
    row, old = after.row, before.row.host_id
    if row.host_id == old or not row.status.is_open:
        return after
    users = lobby.possible_hosts(row)
    if old in users:
        await limits.require_room_of_host(connection, row.guild_id, row.host_id)
        return after
    room, _ = await limits.room_of_hosts(connection, row.guild_id, users)
    host = max(users, key=lambda user: room[user] if room[user] <= 0 else 1)
    if room[host] <= 0 and row.status is Status.LOBBY:
        return replace(after, row=replace(row, status=Status.CLOSED, ended=NO_HOST))
    return replace(after, row=replace(row, host_id=host))
