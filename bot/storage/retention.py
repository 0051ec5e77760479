"""Delete guilds and lobbies. The schema deletes dependent rows."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Table as SqlTable
from sqlalchemy import delete, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import logs
from bot.storage.locks import lock_tables
from bot.storage.schema import guilds, metadata, tables
from bot.table.model import Status

ROWS_PER_BATCH: Final = 500
"""Rows of a guild deleted in one transaction."""


async def delete_guild(connection: AsyncConnection, guild_id: int, left_before: int, limit: int) -> list[int] | None:
    """Delete part of a guild that the app left before `left_before` (UTC seconds): `limit` tables, or some rows.

    Returns the deleted tables; None when nothing is left.
    """
    left = select(guilds.c.id).where(guilds.c.id == guild_id, guilds.c.left_at < left_before)
    if await connection.scalar(left.with_for_update()) is None:
        return None
    query = select(tables.c.id).where(tables.c.guild_id == guild_id).limit(limit)
    numbers = list(await connection.scalars(query))
    if numbers:
        await delete_tables(connection, numbers)
        return numbers
    for sql_table in metadata.sorted_tables:
        if "guild_id" in sql_table.c and await _delete_rows(connection, sql_table, guild_id):
            return []
    await connection.execute(delete(guilds).where(guilds.c.id == guild_id))
    return None


async def _delete_rows(connection: AsyncConnection, sql_table: SqlTable, guild_id: int) -> int:
    """Delete at most `ROWS_PER_BATCH` rows of a guild from a table of the database. Returns their number."""
    key = list(sql_table.primary_key.columns)
    some = select(*key).where(sql_table.c.guild_id == guild_id).limit(ROWS_PER_BATCH)
    return (await connection.execute(delete(sql_table).where(tuple_(*key).in_(some)))).rowcount


async def delete_tables(connection: AsyncConnection, numbers: Collection[int]) -> None:
    """Delete tables. If one has a duplicate, that becomes an ordinary table."""
    await lock_tables(connection, numbers)
    alone = {"duplicate_of": None, "deals_secret": False, "revision": tables.c.revision + 1}
    await connection.execute(update(tables).where(tables.c.duplicate_of.in_(numbers)).values(alone))
    await connection.execute(delete(tables).where(tables.c.id.in_(numbers)))


async def old_lobbies(connection: AsyncConnection, before: int, limit: int) -> list[int]:
    """Tables opened before `before` (UTC seconds) and closed without a match."""
    closed = tables.c.status == Status.CLOSED
    query = select(tables.c.id).where(tables.c.created_at < before, closed, ~logs.has_log()).limit(limit)
    return list(await connection.scalars(query))
