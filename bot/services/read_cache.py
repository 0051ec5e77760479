"""Values read from the database a moment ago."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database

KEPT_SECONDS: Final = 600.0
"""The time for which a value is used again."""
MAX_VALUES: Final = 5000

Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadCache(Generic[Key, Value]):
    """Reads values with `query`, and keeps each for a while. Call `forget` after changing one."""

    def __init__(self, database: Database, query: Callable[[AsyncConnection, Key], Awaitable[Value]]) -> None:
        self._database = database
        self._query = query
        self._values: dict[Key, tuple[float, Value]] = {}
        """Values and when they were read, the earliest first."""
        self._forgotten = 0
        """The number of calls of `forget`. A value read before such a call may be outdated, so it isn't kept."""

    async def get(self, key: Key) -> Value:
        """The value of a key."""
        at, value = self._values.get(key, (None, None))
        now = monotonic()
        if value is not None and at is not None and now - at < KEPT_SECONDS:
            return value
        forgotten = self._forgotten
        value = await self._database.fetch(self._query, key)
        if forgotten == self._forgotten:
            self._values.pop(key, None)
            self._values[key] = now, value
            if len(self._values) > MAX_VALUES:
                del self._values[next(iter(self._values))]
        return value

    def forget(self, key: Key) -> None:
        """Read a value again next time, because it has changed."""
        self._forgotten += 1
        self._values.pop(key, None)

    def forget_all(self) -> None:
        """Read every value again, because the database has changed."""
        self._forgotten += 1
        self._values.clear()
