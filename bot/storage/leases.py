"""The processes that serve Discord's shards: a lease for each shard."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import delete, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import upserts
from bot.storage.schema import leases


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of a process to serve one shard of `shard_count`."""

    shard_count: int
    shard: int
    holder: str = ""
    """The random id of the process; empty after it has given the lease back."""
    host: str = ""
    """The process and its machine, for people."""
    place: str = ""
    """The folder of its health file (see `bot.process.health`)."""
    beat: int = 0
    """Grows with each sign of life of the holder."""
    waiting: int = 0
    """Grows with each sign of life of a process that is connected to the shard and waits for the lease."""
    is_substitute: bool = False
    """True if the holder gives the lease back as soon as a process waits for it."""
    handled: tuple[int, ...] = ()
    """The ids of the last interactions that the holder handled before it gave the lease back."""

    @property
    def key(self) -> tuple[int, int]:
        """The primary key."""
        return self.shard_count, self.shard


async def load(connection: AsyncConnection) -> list[Lease]:
    """All leases, locked until the end of the transaction. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("LOCK TABLE leases IN SHARE ROW EXCLUSIVE MODE"))
    rows = await connection.execute(select(leases).order_by(leases.c.shard_count, leases.c.shard))
    return [Lease(**{**row, "handled": tuple(row["handled"])}) for row in rows.mappings()]


async def put(connection: AsyncConnection, changed: Iterable[Lease]) -> None:
    """Insert or replace leases."""
    rows = [{**asdict(lease), "handled": list(lease.handled)} for lease in changed]
    if rows:
        await upserts.put(connection, leases, rows, rows[0])


async def remove(connection: AsyncConnection, keys: Iterable[tuple[int, int]]) -> None:
    """Delete leases."""
    if rows := list(keys):
        await connection.execute(delete(leases).where(tuple_(leases.c.shard_count, leases.c.shard).in_(rows)))
