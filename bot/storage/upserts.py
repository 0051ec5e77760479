"""INSERT … ON CONFLICT, which both databases have, and SQLAlchemy only in their dialects."""

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
    """An insert that may say what is done where the row is there already."""
    return _INSERTS[connection.dialect.name](table)
