"""Cached values are computed before the app is ready."""

from typing import get_args

from bot.analysis import hand_strength
from bot.app import warm_up
from bot.engine import combinations
from bot.engine.combinations import FlushOrder
from bot.engine.finding import finder
from bot.presentation.help.lessons import lesson_starts
from bot.presentation.text.i18n import LOCALES, read_catalog, words_in


def test_the_first_press_finds_everything_in_memory() -> None:
    warm_up()
    caches = (combinations._combination_table, finder, read_catalog, hand_strength._counts, lesson_starts)
    misses = [cache.cache_info().misses for cache in caches]
    for flush_order in get_args(FlushOrder):
        combinations.combination_table(flush_order)
        finder(flush_order)
    for language in ("en", *(folder.name for folder in LOCALES.iterdir())):
        words_in(language)
    hand_strength.percentile(90)
    lesson_starts()
    assert [cache.cache_info().misses for cache in caches] == misses
