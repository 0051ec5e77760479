"""Locks for changes that depend on what they have read. Call them before anything else in a transaction.

SQLite has one writer at a time. PostgreSQL has many, and each statement sees what others have committed until then. A
lock lasts until the end of the transaction. All take them in the same order, guilds and users before tables, so that
no two wait for each other.
"""

from collections.abc import Collection

from sqlalchemy import BigInteger, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import tables


async def lock(connection: AsyncConnection, *ids: int) -> None:
    """Lock guilds or users: their settings, results, and the number of their tables. Discord's ids differ."""
    if connection.dialect.name == "postgresql":
        for each in sorted({*ids}):
            await connection.execute(select(func.pg_advisory_xact_lock(literal(each, BigInteger))))


async def lock_tables(connection: AsyncConnection, numbers: Collection[int]) -> None:
    """Lock tables, so that their logs and results stay the same."""
    if connection.dialect.name == "postgresql":
        chosen = select(tables.c.id).where(tables.c.id.in_(numbers)).order_by(tables.c.id)
        await connection.execute(chosen.with_for_update())
