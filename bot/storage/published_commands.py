"""A digest of the commands that an application has published on Discord."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import put_rows
from bot.storage.schema import published_commands


async def load(connection: AsyncConnection, application_id: int) -> str | None:
    """The digest that was stored last."""
    column = published_commands.c
    return await connection.scalar(select(column.digest).where(column.application_id == application_id))


async def save(connection: AsyncConnection, application_id: int, digest: str) -> None:
    """Store a digest in place of the last one."""
    await put_rows(connection, published_commands, [{"application_id": application_id, "digest": digest}], ["digest"])
