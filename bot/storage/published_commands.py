"""Which commands an application has published on Discord, as a digest."""

from typing import Final

from sqlalchemy import BigInteger, Column, String, Table, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.metadata import metadata
from bot.storage.upserts import put

published_commands: Final = Table(
    "published_commands",
    metadata,
    Column("application_id", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
)
"""A row for each application that has used this database."""


async def load(connection: AsyncConnection, application_id: int) -> str | None:
    """The digest that was stored last."""
    column = published_commands.c
    return await connection.scalar(select(column.digest).where(column.application_id == application_id))


async def save(connection: AsyncConnection, application_id: int, digest: str) -> None:
    """Store a digest in place of the last one."""
    await put(connection, published_commands, [{"application_id": application_id, "digest": digest}], ["digest"])
