"""The audit log of a guild."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import audit_log
from bot.table.guild import AuditEntry


async def add(connection: AsyncConnection, guild_id: int, change: AuditEntry) -> None:
    """Append an entry."""
    await connection.execute(insert(audit_log).values(guild_id=guild_id, **asdict(change)))


async def page(connection: AsyncConnection, guild_id: int, number: int, lines: int) -> tuple[int, Sequence[AuditEntry]]:
    """The number of entries, and a page of them (from 0) with `lines` entries, the newest first."""
    column = audit_log.c
    of_guild = column.guild_id == guild_id
    every = await connection.scalar(select(func.count()).select_from(audit_log).where(of_guild))
    query = (
        select(column.at, column.user_id, column.what, column.before, column.after)
        .where(of_guild)
        .order_by(column.id.desc())
        .limit(lines)
        .offset(number * lines)
    )
    return every or 0, [AuditEntry(*row) for row in await connection.execute(query)]


async def delete_before(connection: AsyncConnection, at: int) -> None:
    """Delete entries older than `at` (UTC seconds)."""
    await connection.execute(delete(audit_log).where(audit_log.c.at < at))
