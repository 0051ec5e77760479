"""Duplicate matches: two tables that play the same deals, seat by seat, to be compared when both are over.

The second is laid with the seed of the first, and begins after it, with its salt and its first dealer. Until both are
over, both are sealed: nothing of the deals is told (`replay.require_public`), and nobody plays at both.
"""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import duplicates
from bot.table.duplicates import users_at
from bot.table.refusals import PlaysAtDuplicate
from bot.table.snapshot import Table


async def update_duplicate(connection: AsyncConnection, before: Table, after: Table) -> Table:
    """The table once it is known what its change means for both of a duplicate match; the other is changed at once.

    One that ends before its first deal has nothing to compare, and leaves the other an ordinary table. Otherwise the
    later end unseals both. Raises `PlaysAtDuplicate` for who sits down here and has sat there.
    """
    duplicate_of, newcomers = before.row.duplicate_of, users_at(after) - users_at(before)
    is_over = not after.row.status.is_open
    if duplicate_of is None or not (newcomers or is_over):
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
