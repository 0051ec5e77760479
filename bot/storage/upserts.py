"""INSERT … ON CONFLICT for both databases. SQLAlchemy has it only in its dialects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.sqlite_connection import LATER

_INSERTS: Final[Mapping[str, Callable[[Table], sqlite.Insert | postgresql.Insert]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}


def upsert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert to which `on_conflict_…` can be added."""
    return _INSERTS[connection.dialect.name](table)


async def put(
    connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, Any]], columns: Iterable[str]
) -> None:
    """Insert rows. Where a row with the same key exists, update only these columns of it."""
    if rows:
        await connection.execute(_replacement(connection.dialect.name, table, tuple(columns)), rows)


@lru_cache
def _replacement(dialect: str, table: Table, columns: tuple[str, ...]) -> sqlite.Insert | postgresql.Insert:
    new = _INSERTS[dialect](table)
    values = {name: new.excluded[name] for name in columns}
    replacement = new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)
    return replacement.execution_options(**LATER)
