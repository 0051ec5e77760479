"""Values in memory: never kept if they changed during the read, and dropped when there are too many."""

from collections.abc import Callable

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.caches import LruCache, ReadCache
from bot.storage.database import Database

FIVE = 5


class Stored:
    """A value in the database. `during_read` is called between reading it and returning it."""

    def __init__(self) -> None:
        self.value, self.reads = "old", 0
        self.during_read: Callable[[], None] = lambda: None

    async def read(self, _connection: AsyncConnection, _key: int) -> str:
        """The value, as the query of a cache."""
        self.reads, found = self.reads + 1, self.value
        self.during_read()
        return found


@pytest.fixture
def stored() -> Stored:
    return Stored()


@pytest.fixture
def cache(sqlite_database: Database, stored: Stored) -> ReadCache[int, str]:
    return ReadCache(sqlite_database, stored.read, keeps=lambda value: value != "foreign", max_values=2)


async def test_a_value_is_read_again_only_after_it_is_forgotten(cache: ReadCache[int, str], stored: Stored) -> None:
    assert [await cache.get(1), await cache.get(1)] == ["old", "old"]
    assert stored.reads == 1
    stored.value = "new"
    cache.forget(2)
    assert await cache.get(1) == "old"
    cache.forget(1)
    assert await cache.get(1) == "new"
    cache.forget_all()
    await cache.get(1)
    assert stored.reads == 3


async def test_a_value_forgotten_during_its_read_is_not_kept(cache: ReadCache[int, str], stored: Stored) -> None:
    stored.during_read = lambda: cache.forget(1)
    assert await cache.get(1) == "old"
    assert cache.known(1) is None


async def test_a_value_stored_during_a_read_wins(cache: ReadCache[int, str], stored: Stored) -> None:
    stored.during_read = lambda: cache.put(1, "new")
    assert await cache.get(1) == cache.known(1) == "new"


async def test_the_first_values_are_dropped_if_there_are_too_many(cache: ReadCache[int, str]) -> None:
    for key in (1, 2, 1, 3):
        cache.put(key, str(key))
    assert cache.all_known() == ["1", "3"]


async def test_a_value_of_others_is_read_each_time(cache: ReadCache[int, str], stored: Stored) -> None:
    stored.value = "foreign"
    assert [await cache.get(1), await cache.get(1)] == ["foreign", "foreign"]
    assert stored.reads == 2


def filled(*values: str) -> LruCache[str, str]:
    """A cache for five letters, with values that are their own keys."""
    cache = LruCache[str, str](FIVE, len)
    for value in values:
        cache.put(value, value)
    return cache


def test_the_least_recently_used_values_are_dropped() -> None:
    cache = filled("a", "bb", "cc")
    assert cache.get("a") == "a"
    cache.put("d", "d")
    assert [cache.get(key) for key in ("a", "bb", "cc", "d")] == ["a", None, "cc", "d"]


def test_a_large_value_takes_the_room_of_several_and_is_kept_alone_beyond_the_limit() -> None:
    cache = filled("a", "b", "c", "dddd")
    assert [cache.get(key) for key in ("a", "b", "c", "dddd")] == [None, None, "c", "dddd"]
    cache.put("e", "e" * 2 * FIVE)
    assert (cache.get("dddd"), cache.get("e")) == (None, "e" * 2 * FIVE)


def test_a_changed_value_replaces_the_old_one() -> None:
    cache = filled("a", "b")
    cache.put("a", "long")
    assert (cache.get("a"), cache.get("b")) == ("long", "b")
