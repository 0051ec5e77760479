"""The guilds that a process serves: those of some of Discord's shards.

Direct messages come to shard 0, so the matches outside guilds belong to it (`bot.table.guild.own_guild_id`).
https://docs.discord.com/developers/events/gateway#sharding
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, Integer, case, literal, true
from sqlalchemy.ext.asyncio import AsyncConnection

OURS: Final = "our_guilds"
"""The execution option of a connection for `is_ours`."""
SNOWFLAKE_SHIFT: Final = 22
"""The lower bits of an id. The others choose the shard of a guild."""


def shard_of(guild_id: int, count: int) -> int:
    """The shard of a guild if there are `count`."""
    return (max(0, guild_id) >> SNOWFLAKE_SHIFT) % count


@dataclass(frozen=True, slots=True)
class GuildFilter:
    """The guilds of some of `count` shards."""

    count: int
    shards: frozenset[int]

    def has(self, guild_id: int) -> bool:
        """True if a guild is one of them."""
        return shard_of(guild_id, self.count) in self.shards

    @property
    def is_all(self) -> bool:
        """True if every guild is one of them."""
        return len(self.shards) == self.count

    @property
    def is_empty(self) -> bool:
        """True if no guild is one of them."""
        return not self.shards

    def condition(self, guild_id: ColumnElement[int]) -> ColumnElement[bool]:
        """The condition that a guild is one of them."""
        if self.is_all:
            return true()
        shift = literal(SNOWFLAKE_SHIFT, Integer())  # PostgreSQL doesn't shift by a bigint
        shard = case((guild_id < 0, 0), else_=guild_id.bitwise_rshift(shift) % self.count)
        return shard.in_(sorted(self.shards))


ALL_GUILDS: Final = GuildFilter(1, frozenset({0}))


def is_ours(connection: AsyncConnection, guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that a guild is one of those for which this database was opened (see `Database`)."""
    ours: GuildFilter = connection.engine.sync_engine.get_execution_options()[OURS]
    return ours.condition(guild_id)
