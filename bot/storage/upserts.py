"""INSERT … ON CONFLICT for both databases. SQLAlchemy has it only in its dialects."""

from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

_INSERTS: Final[Mapping[str, Callable[[Table], sqlite.Insert | postgresql.Insert]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert to which `on_conflict_…` can be added."""
    return _INSERTS[connection.dialect.name](table)
