"""A cache that drops the least recently used values."""

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Keeps at most `size` values."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """The value of a key; None if it isn't kept."""
        value = self._values.pop(key, None)
        if value is not None:
            self._values[key] = value
        return value

    def put(self, key: Key, value: Value) -> None:
        """Store a value, and drop the least recently used one if the cache is full."""
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self._size:
            del self._values[next(iter(self._values))]
