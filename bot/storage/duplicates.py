"""The two tables of a duplicate match: queries, each a function of a connection inside a transaction."""

from collections.abc import Collection

from sqlalchemy import select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import seats, substitutes, tables
from bot.table.model import Status


async def is_open(connection: AsyncConnection, table_id: int, duplicate_of: int) -> bool:
    """Whether something can still happen at a table; it and its twin stay as they are until the transaction is over.

    They are locked in one order, whichever of the two asks, so that neither waits for the other for ever.
    """
    both = select(tables.c.id, tables.c.status).where(tables.c.id.in_((table_id, duplicate_of))).order_by(tables.c.id)
    found = {number: Status(status) for number, status in await connection.execute(both.with_for_update())}
    return table_id in found and found[table_id].is_open


async def has_any(connection: AsyncConnection, table_id: int, people: Collection[int]) -> bool:
    """Whether any of these people has a seat at a table, or has ever sat in there."""
    sitting = union_all(
        select(seats.c.seat).where(seats.c.table_id == table_id, seats.c.user_id.in_(people)),
        select(substitutes.c.seat).where(substitutes.c.table_id == table_id, substitutes.c.user_id.in_(people)),
    )
    return (await connection.execute(sitting.limit(1))).first() is not None


async def reveal_deals(connection: AsyncConnection, number: int, duplicate_of: int | None) -> None:
    """Let a table tell of its deals, as one that has this twin, or none any more; its revision grows."""
    opened = {"duplicate_of": duplicate_of, "deals_secret": False, "revision": tables.c.revision + 1}
    await connection.execute(update(tables).where(tables.c.id == number).values(opened))
