"""Cached values are computed before the app is ready."""

import sys
from typing import Any, get_args

from bot.analysis import hand_strength
from bot.engine.combinations import FlushOrder, combination_table
from bot.presentation.help.lessons import lesson_starts
from bot.presentation.text.i18n import LOCALES, read_catalog, words_in
from bot.process.process_setup import fill_caches


def test_the_first_press_finds_everything_in_memory() -> None:
    fill_caches()
    modules = [module for name, module in sys.modules.items() if name.startswith("bot.")]
    caches: set[Any] = {
        value for module in modules for value in vars(module).values() if isinstance(value, type(read_catalog))
    }
    assert {read_catalog, lesson_starts} < caches
    misses = {cache: cache.cache_info().misses for cache in caches}
    for flush_order in get_args(FlushOrder):
        combination_table(flush_order)
    for language in ("en", *(folder.name for folder in LOCALES.iterdir())):
        words_in(language)
    hand_strength.percentile(90)
    lesson_starts()
    missed = {cache for cache in caches if cache.cache_info().misses != misses[cache]}
    assert missed <= {hand_strength.percentile}  # by the sum of the ranks, from counts that are in memory
