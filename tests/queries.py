"""Counts what the database is asked and how much SQLite works: tests of speed count work, not time."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database


@contextmanager
def asked(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The SELECT statements that are run in the block, and their parameters."""
    engine, found = database._engine.sync_engine, list[tuple[str, Any]]()

    def see(_connection: object, _cursor: object, statement: str, parameters: object, *_rest: object) -> None:
        if statement.startswith("SELECT"):
            found.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", see)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", see)


@dataclass
class Steps:
    """Instructions of SQLite's virtual machine."""

    number: int = 0


@asynccontextmanager
async def stepping(connection: AsyncConnection) -> AsyncIterator[Steps]:
    """Count what SQLite does for a connection in the block (https://sqlite.org/c3ref/progress_handler.html)."""
    steps = Steps()

    def step() -> None:
        steps.number += 1

    driver = cast("Any", (await connection.get_raw_connection()).driver_connection)
    await driver.set_progress_handler(step, 1)
    try:
        yield steps
    finally:
        await driver.set_progress_handler(None, 1)
