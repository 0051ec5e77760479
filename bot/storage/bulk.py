"""Queries with many rows."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from sqlalchemy import Row, RowMapping, Select
from sqlalchemy.ext.asyncio import AsyncConnection

Value = TypeVar("Value")
MAX_ROWS_ON_LOOP: Final = 500
"""Rows converted on the event loop. Thousands would take more than 10 ms."""
PART_SIZE: Final = 200
"""Rows that `stream_parts` reads together."""


async def fetch_converted(
    connection: AsyncConnection, query: Select[Any], convert: Callable[[Iterable[Row[Any]]], Value]
) -> Value:
    """Run a query and convert its rows, in a thread if there are many."""
    rows = (await connection.execute(query)).all()
    return convert(rows) if len(rows) <= MAX_ROWS_ON_LOOP else await asyncio.to_thread(convert, rows)


async def stream_rows(connection: AsyncConnection, query: Select[Any]) -> AsyncIterator[tuple[Any, ...]]:
    """The rows of a query, fetched in parts so that the event loop never converts thousands at once."""
    result = await connection.stream(query, execution_options={"yield_per": PART_SIZE})
    async for row in result:
        yield tuple(row)


async def stream_parts(connection: AsyncConnection, query: Select[Any]) -> AsyncIterator[Sequence[RowMapping]]:
    """The rows of a query in parts: one statement, but never all rows in memory."""
    result = await connection.stream(query, execution_options={"yield_per": PART_SIZE})
    async for part in result.mappings().partitions():
        yield part
