"""When the guilds of each shard were last served."""

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import upserts
from bot.storage.schema import served_shards
from bot.table.shards import Shards


async def last_served(connection: AsyncConnection, shards: Shards) -> dict[int, int]:
    """When each of these shards was last served (UTC milliseconds), also while there was another number of shards."""
    rows = (await connection.execute(select(served_shards))).all()
    times = {shard: [each.served_at for each in rows if _overlaps(shards.count, shard, each)] for shard in shards.ids}
    return {shard: max(found) for shard, found in times.items() if found}


def _overlaps(count: int, shard: int, row: Row[tuple[int, int, int]]) -> bool:
    return Shards(count, frozenset({shard})).overlaps(row.shard_count, row.shard)


async def put(connection: AsyncConnection, shards: Shards, now: int) -> None:
    """Store that these shards are served."""
    rows = [{"shard_count": shards.count, "shard": shard, "served_at": now} for shard in sorted(shards.ids)]
    await upserts.put(connection, served_shards, rows, ("served_at",))
