"""Rows that may be many, as values."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Row, RowMapping, Select
from sqlalchemy.ext.asyncio import AsyncConnection

Value = TypeVar("Value")
MAX_ROWS_ON_LOOP: Final = 500
"""Rows that are converted on the event loop; thousands would take over 10 ms."""
PART_SIZE: Final = 200
"""Rows that `in_parts` reads at once."""


async def selected(
    connection: AsyncConnection, query: Select[Any], convert: Callable[[Iterable[Row[Any]]], Value]
) -> Value:
    """What `convert` makes of the rows of a query, in a thread if they are many."""
    rows = (await connection.execute(query)).all()
    return convert(rows) if len(rows) <= MAX_ROWS_ON_LOOP else await asyncio.to_thread(convert, rows)


async def each_row(connection: AsyncConnection, query: Select[Any]) -> AsyncIterator[tuple[Any, ...]]:
    """The rows of a query, fetched `PART_SIZE` at a time: the event loop never waits for thousands to be converted."""
    async with connection.stream(query) as result:
        async for part in result.partitions(PART_SIZE):
            for row in part:
                yield tuple(row)


async def in_parts(connection: AsyncConnection, query: Select[Any]) -> AsyncIterator[Sequence[RowMapping]]:
    """The rows of a query, `PART_SIZE` at a time: one statement, and never all rows in memory."""
    async with connection.stream(query) as result:
        async for part in result.mappings().partitions(PART_SIZE):
            yield part
