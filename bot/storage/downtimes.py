"""When guilds were last served."""

from math import gcd

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import put_rows
from bot.storage.guild_filter import GuildFilter
from bot.storage.schema import served_shards


async def last_served(connection: AsyncConnection, guilds: GuildFilter) -> dict[int, int]:
    """When the guilds of each shard were last served (UTC milliseconds), even if there were more or fewer shards."""
    rows = (await connection.execute(select(served_shards))).all()
    found: dict[int, int] = {}
    for row in rows:
        common = gcd(row.shard_count, guilds.count)
        for shard in guilds.shards:
            if row.shard % common == shard % common:  # a guild may belong to both
                found[shard] = max(row.served_at, found.get(shard, 0))
    return found


async def record_served(connection: AsyncConnection, guilds: GuildFilter, now: int) -> None:
    """Store that these guilds are served (`now`: UTC milliseconds)."""
    rows = [{"shard_count": guilds.count, "shard": shard, "served_at": now} for shard in sorted(guilds.shards)]
    await put_rows(connection, served_shards, rows, ("served_at",))
