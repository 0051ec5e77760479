"""Rows that may be many, as values."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from sqlalchemy import Row, Select
from sqlalchemy.ext.asyncio import AsyncConnection

Value = TypeVar("Value")
FEW: Final = 500
"""Rows that are converted on the event loop; thousands would take over 10 ms."""


async def selected(
    connection: AsyncConnection, query: Select[Any], convert: Callable[[Iterable[Row[Any]]], Value]
) -> Value:
    """What `convert` makes of the rows of a query, in a thread if they are many."""
    rows = (await connection.execute(query)).all()
    return convert(rows) if len(rows) <= FEW else await asyncio.to_thread(convert, rows)
