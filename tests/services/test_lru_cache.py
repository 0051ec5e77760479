"""A cache drops the least recently used values when they are too many in total."""

from bot.services.lru_cache import LruCache

FIVE = 5


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
