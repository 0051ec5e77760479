"""What a server has set."""

from dataclasses import dataclass

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import guilds


@dataclass(frozen=True, slots=True)
class Server:
    """What a server has set, and what Discord says of it."""

    locale: str = "en-US"
    """The language of the server as Discord knows it."""
    language: str = ""
    """The language that it has chosen for public messages; empty: what Discord says."""
    celebrates: bool = True
    """Whether gangs and titles are celebrated."""


async def load(connection: AsyncConnection, guild_id: int) -> Server:
    """What a server has set; what every server begins with, if nothing."""
    columns = (guilds.c.locale, guilds.c.language, guilds.c.celebrates)
    found = (await connection.execute(select(*columns).where(guilds.c.id == guild_id))).one_or_none()
    return Server() if found is None else Server(*found)


async def save(connection: AsyncConnection, guild_id: int, server: Server) -> None:
    """Store what a server has set, all of it."""
    values = {"locale": server.locale, "language": server.language, "celebrates": server.celebrates}
    changed = await connection.execute(update(guilds).where(guilds.c.id == guild_id).values(values))
    if changed.rowcount == 0:
        await connection.execute(insert(guilds).values(id=guild_id, **values))
