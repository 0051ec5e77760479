"""The two tables of a duplicate match."""

from collections.abc import Collection

from sqlalchemy import select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import seats, substitutes, tables
from bot.table.model import Status


async def is_open(connection: AsyncConnection, table_id: int, duplicate_of: int) -> bool:
    """True if a table is open. Locks both tables until the end of the transaction.

    They're locked in a fixed order, so that two transactions can't wait for each other.
    """
    both = select(tables.c.id, tables.c.status).where(tables.c.id.in_((table_id, duplicate_of))).order_by(tables.c.id)
    found = {number: Status(status) for number, status in await connection.execute(both.with_for_update())}
    return table_id in found and found[table_id].is_open


async def has_any(connection: AsyncConnection, table_id: int, people: Collection[int]) -> bool:
    """True if one of these users has a seat at a table, or has ever substituted there."""
    sitting = union_all(
        select(seats.c.seat).where(seats.c.table_id == table_id, seats.c.user_id.in_(people)),
        select(substitutes.c.seat).where(substitutes.c.table_id == table_id, substitutes.c.user_id.in_(people)),
    )
    return (await connection.execute(sitting.limit(1))).first() is not None


async def reveal_deals(connection: AsyncConnection, number: int, duplicate_of: int | None) -> None:
    """Make the deals of a table public, and set its duplicate. Increases its revision."""
    opened = {"duplicate_of": duplicate_of, "deals_secret": False, "revision": tables.c.revision + 1}
    await connection.execute(update(tables).where(tables.c.id == number).values(opened))
