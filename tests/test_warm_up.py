"""What is computed once is computed before anybody can press anything."""

from typing import get_args

from bot.app import warm_up
from bot.engine import combinations
from bot.engine.combinations import FlushOrder
from bot.engine.finding import finder
from bot.presentation.lessons import stands
from bot.presentation.words import LOCALES, read_catalog, words_in
from bot.services import luck


def test_the_first_press_finds_everything_in_memory() -> None:
    warm_up()
    caches = (combinations._table, finder, read_catalog, luck._counts, stands)
    misses = [cache.cache_info().misses for cache in caches]
    for flush_order in get_args(FlushOrder):
        combinations.table(flush_order)
        finder(flush_order)
    for language in ("en", *(folder.name for folder in LOCALES.iterdir())):
        words_in(language)
    luck.percentile(90)
    stands()
    assert [cache.cache_info().misses for cache in caches] == misses
