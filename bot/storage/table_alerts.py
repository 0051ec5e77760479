"""The users who want to hear about new tables of a guild."""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import upsert
from bot.storage.schema import table_alerts


async def wants(connection: AsyncConnection, guild_id: int, user_id: int) -> bool:
    """True if a user wants to hear about new tables of a guild."""
    column = table_alerts.c
    query = select(column.user_id).where(column.guild_id == guild_id, column.user_id == user_id)
    return await connection.scalar(query) is not None


async def add(connection: AsyncConnection, guild_id: int, user_id: int) -> None:
    """Store that a user wants to hear about new tables of a guild."""
    row = {"guild_id": guild_id, "user_id": user_id}
    await connection.execute(upsert(connection, table_alerts).values(row).on_conflict_do_nothing())


async def remove(connection: AsyncConnection, guild_id: int, user_id: int) -> None:
    """Delete what `add` has stored."""
    column = table_alerts.c
    await connection.execute(delete(table_alerts).where(column.guild_id == guild_id, column.user_id == user_id))


async def users(connection: AsyncConnection, guild_id: int) -> list[int]:
    """The users who want to hear about new tables of a guild."""
    column = table_alerts.c
    query = select(column.user_id).where(column.guild_id == guild_id).order_by(column.user_id)
    return list(await connection.scalars(query))
