"""What a server has set."""

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import guilds


async def locale(connection: AsyncConnection, guild_id: int) -> str | None:
    """The language of a server's public messages, as a Discord locale; None before it is known."""
    return await connection.scalar(select(guilds.c.locale).where(guilds.c.id == guild_id))


async def set_locale(connection: AsyncConnection, guild_id: int, value: str) -> None:
    """Remember the language of a server."""
    changed = await connection.execute(update(guilds).where(guilds.c.id == guild_id).values(locale=value))
    if changed.rowcount == 0:
        await connection.execute(insert(guilds).values(id=guild_id, locale=value))
