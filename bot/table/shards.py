"""Discord's shards: parts of its guilds, of which each process serves some.

https://docs.discord.com/developers/events/gateway#sharding
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd
from typing import Final, TypeAlias

SNOWFLAKE_SHIFT: Final = 22
"""The lower bits of an id. The others are milliseconds, and choose the shard of a guild."""
FIRST_SHARD: Final = 0
"""The shard that receives the interactions in direct messages."""


def milliseconds_of(snowflake: int) -> int:
    """When Discord created something with this id, in milliseconds since the start of 2015 (UTC)."""
    return snowflake >> SNOWFLAKE_SHIFT


def shard_of(guild_id: int | None, count: int) -> int:
    """The shard of a guild, or of direct messages (None), if there are `count`."""
    return FIRST_SHARD if guild_id is None else milliseconds_of(guild_id) % count


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of `count` shards."""

    count: int
    ids: frozenset[int]

    @property
    def is_all(self) -> bool:
        """True if every guild belongs to one of them."""
        return len(self.ids) == self.count

    def has(self, guild_id: int | None) -> bool:
        """True if a guild, or direct messages (None), belong to one of them."""
        return shard_of(guild_id, self.count) in self.ids

    def overlaps(self, count: int, shard: int) -> bool:
        """True if a guild may belong to one of them, and to a shard of a partition into `count`."""
        common = gcd(self.count, count)
        return any(each % common == shard % common for each in self.ids)


ALL_SHARDS: Final = Shards(1, frozenset({FIRST_SHARD}))
Served: TypeAlias = Callable[[], Shards]
"""The shards that this process serves now."""


def every_shard() -> Shards:
    """All shards, as `Served`."""
    return ALL_SHARDS
