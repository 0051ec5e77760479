"""Values in memory: those read from the database until they change, and computed ones while there is room."""

from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database

MAX_VALUES: Final = 5000
MAX_TABLES: Final = 1000
"""The most tables that are kept, and also the most channel displays."""

Key = TypeVar("Key")
Value = TypeVar("Value")


class ReadCache(Generic[Key, Value]):
    """Reads values of the database with `query`, and keeps them until there are too many.

    Call `put` or `forget` after each change.
    """

    def __init__(
        self,
        database: Database,
        query: Callable[[AsyncConnection, Key], Awaitable[Value]],
        *,
        keeps: Callable[[Value], bool] = lambda _: True,
        max_values: int = MAX_VALUES,
    ) -> None:
        """Values are read each time unless `keeps` returns True. Those stored first are dropped first."""
        self._database = database
        self._query = query
        self._keeps = keeps
        self._max_values = max_values
        self._values: dict[Key, Value] = {}
        self._forgotten = 0
        """The number of calls of `forget`. What was read before such a call may be outdated, so it isn't kept."""

    async def get(self, key: Key) -> Value:
        """The value of a key. It's read if it isn't in memory."""
        known = self.known(key)
        if known is None:
            forgotten = self._forgotten
            read = await self._database.fetch(self._query, key)
            known = self._values.get(key, read)  # one stored during the read is newer
            if forgotten == self._forgotten:
                self.put(key, known)
        return known

    def known(self, key: Key) -> Value | None:
        """The value of a key; None if it isn't in memory."""
        return self._values.get(key)

    def all_known(self) -> list[Value]:
        """All values in memory."""
        return list(self._values.values())

    def put(self, key: Key, value: Value) -> None:
        """Store a new value."""
        if not self._keeps(value):
            return
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self._max_values:
            del self._values[next(iter(self._values))]

    def forget(self, *keys: Key) -> None:
        """Read values again next time, because they have changed."""
        self._forgotten += 1
        for key in keys:
            self._values.pop(key, None)

    def forget_all(self) -> None:
        """Read every value again, because the database has changed."""
        self._forgotten += 1
        self._values.clear()


class LruCache(Generic[Key, Value]):
    """Keeps values of at most `limit` in total, each as much as `weigh` says, and always the latest one."""

    def __init__(self, limit: int, weigh: Callable[[Value], int]) -> None:
        self._limit = limit
        self._weigh = weigh
        self._values: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """The value of a key; None if it isn't kept."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def put(self, key: Key, value: Value) -> None:
        """Store a value, and drop the least recently used ones if they are too many."""
        self._values.pop(key, None)
        self._values[key] = value
        while len(self._values) > 1 and sum(map(self._weigh, self._values.values())) > self._limit:
            del self._values[next(iter(self._values))]
