"""Conditions on the shard of a guild (see `bot.table.shards`)."""

from sqlalchemy import ColumnElement, Integer, literal, true

from bot.table.shards import SNOWFLAKE_SHIFT, Shards


def in_shards(guild_id: ColumnElement[int], shards: Shards) -> ColumnElement[bool]:
    """The condition that a guild belongs to one of these shards."""
    if shards.is_all:
        return true()
    shift = literal(SNOWFLAKE_SHIFT, Integer())  # PostgreSQL doesn't shift by a bigint
    return (guild_id.bitwise_rshift(shift) % shards.count).in_(sorted(shards.ids))
