"""Duplicate matches: two tables play the same deals seat by seat, and are compared when both are over.

The second table has the seed of the first. It starts later, with the same salt and first dealer. Until both are over,
their deals are secret (`replay.reason_for_secrecy`), and nobody can play at both.
"""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import duplicates
from bot.table.duplicates import users_at
from bot.table.refusals import PlaysAtDuplicate
from bot.table.snapshot import Table


async def update_duplicate(connection: AsyncConnection, duplicate_of: int, before: Table, after: Table) -> Table:
    """Update both tables of a duplicate match after a change to one. Returns the changed one.

    `duplicate_of` is the other one.

    A table that closes before its first deal leaves nothing to compare, so the other becomes an ordinary table.
    Otherwise the later end reveals the deals of both. Raises `PlaysAtDuplicate` if a new player has sat at the other
    table.
    """
    newcomers, is_over = users_at(after) - users_at(before), not after.row.status.is_open
    if not newcomers and not is_over:
        return after
    duplicate_is_open = await duplicates.is_open(connection, duplicate_of, before.id)
    if newcomers and await duplicates.has_any(connection, duplicate_of, newcomers):
        raise PlaysAtDuplicate(duplicate_of)
    if not is_over:
        return after
    if after.state is None:
        await duplicates.reveal_deals(connection, duplicate_of, None)
        return replace(after, row=replace(after.row, duplicate_of=None, deals_secret=False))
    if duplicate_is_open:
        return after
    await duplicates.reveal_deals(connection, duplicate_of, before.id)
    return replace(after, row=replace(after.row, deals_secret=False))
