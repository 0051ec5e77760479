"""The processes that use this database. There should be only one."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import upserts
from bot.storage.schema import instances


@dataclass(frozen=True, slots=True)
class Instance:
    """A process that uses or has used this database. Times are in UTC milliseconds."""

    id: str
    """A random id."""
    host: str
    """The name of the machine and the id of the process."""
    started_at: int
    seen_at: int
    """When the process last wrote this row."""
    shared_since: int | None = None
    """Since when another process has been running at the same time; None: no other is running."""


async def load(connection: AsyncConnection) -> list[Instance]:
    """All processes, the oldest first."""
    rows = await connection.execute(select(instances).order_by(instances.c.started_at, instances.c.id))
    return [Instance(**row._mapping) for row in rows]  # noqa: SLF001  # the public name of SQLAlchemy's mapping


async def put(connection: AsyncConnection, instance: Instance) -> None:
    """Insert or replace a process."""
    row = asdict(instance)
    await upserts.put(connection, instances, [row], row)


async def remove(connection: AsyncConnection, ids: Iterable[str]) -> None:
    """Delete processes."""
    await connection.execute(delete(instances).where(instances.c.id.in_(list(ids))))
