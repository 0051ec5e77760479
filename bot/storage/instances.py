"""The processes that serve this database: there should be one."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import BigInteger, Column, String, Table, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.metadata import metadata
from bot.storage.upserts import upsert

instances: Final = Table(
    "instances",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("host", String(200), nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("shared_since", BigInteger),
)
"""One row for each process (see `Instance`). It belongs to the running processes: restoring a backup does not touch it.
"""


@dataclass(frozen=True, slots=True)
class Instance:
    """A process that serves, or has served, this database. Times are UTC milliseconds."""

    id: str
    """A random name."""
    host: str
    """Where it runs: the name of the machine and the id of the process."""
    started_at: int
    seen_at: int
    """When it last wrote this row."""
    shared_since: int | None = None
    """Since when another process has served at the same time; None: none has."""


async def load(connection: AsyncConnection) -> list[Instance]:
    """All of them, the oldest first."""
    rows = await connection.execute(select(instances).order_by(instances.c.started_at, instances.c.id))
    return [Instance(**row._mapping) for row in rows]  # noqa: SLF001  # the public name of SQLAlchemy's mapping


async def put(connection: AsyncConnection, instance: Instance) -> None:
    """Insert or replace one."""
    values = asdict(instance)
    statement = upsert(connection, instances).values(values)
    await connection.execute(statement.on_conflict_do_update(index_elements=[instances.c.id], set_=values))


async def remove(connection: AsyncConnection, ids: Iterable[str]) -> None:
    """Forget some."""
    await connection.execute(delete(instances).where(instances.c.id.in_(list(ids))))
