"""INSERT … ON CONFLICT for both databases. SQLAlchemy has it only in its dialects."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def upsert(connection: AsyncConnection, table: Table) -> sqlite.Insert:
    """An insert to which `on_conflict_…` can be added. PostgreSQL's has the same methods."""
    return _insert(connection.dialect.name, table)


def _insert(dialect: str, table: Table) -> sqlite.Insert:
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # takes memory, which SQLite's users needn't spend

    return cast("sqlite.Insert", postgresql.insert(table))


async def put(
    connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, Any]], columns: Iterable[str]
) -> None:
    """Insert rows. Where a row with the same key exists, update only these columns of it."""
    if rows:
        await connection.execute(_replacement(connection.dialect.name, table, tuple(columns)), rows)


@lru_cache
def _replacement(dialect: str, table: Table, columns: tuple[str, ...]) -> sqlite.Insert:
    new = _insert(dialect, table)
    values = {name: new.excluded[name] for name in columns}
    return new.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)
