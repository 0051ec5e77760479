"""Count SQL statements, SQLite's steps and function calls: tests of speed count work, not time."""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, cast

from sqlalchemy import Engine, event
from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass
class Work:
    """Calls since the counting began, by the name of the function."""

    here: Counter[str] = field(default_factory=Counter)
    """Calls in the counting thread, which runs the event loop."""
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Calls in threads started since."""

    @property
    def total(self) -> Counter[str]:
        """All calls."""
        return self.here + self.elsewhere

    def clear(self) -> None:
        """Count from zero again."""
        self.here.clear()
        self.elsewhere.clear()


@contextmanager
def counted(*functions: Callable[..., Any]) -> Iterator[Work]:
    """Count the calls of Python functions within the block."""
    work, own = Work(), threading.get_ident()
    codes: dict[CodeType, str] = {function.__code__: function.__name__ for function in functions}

    def see(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in codes:
            where = work.here if threading.get_ident() == own else work.elsewhere
            where[codes[frame.f_code]] += 1

    before = sys.getprofile()
    _use_new_threads()  # only those are counted
    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield work
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
        _use_new_threads()


def _use_new_threads() -> None:
    """Let a running event loop use new threads from now on."""
    with suppress(RuntimeError):
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


@contextmanager
def statements(*kinds: str) -> Iterator[list[tuple[str, Any]]]:
    """The statements of some kinds (`SELECT`, …) that are run in the block, and their parameters."""
    found = list[tuple[str, Any]]()

    def see(_connection: object, _cursor: object, statement: str, parameters: object, *_rest: object) -> None:
        if statement.startswith(kinds):
            found.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", see)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", see)


def selects() -> AbstractContextManager[list[tuple[str, Any]]]:
    """The SELECT statements that are run in the block, and their parameters."""
    return statements("SELECT")


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
