"""A cache that drops the least recently used values."""

from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


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
