"""Prepares the process before the app connects: caches and pauses."""

import gc
import sys
from typing import Final, get_args

from bot.analysis.hand_strength import percentile
from bot.engine.combinations import FlushOrder, combination_table
from bot.presentation.help.lessons import lesson_starts
from bot.presentation.text.i18n import languages, words_in

SWITCH_SECONDS: Final = 0.001
"""Seconds that a computing thread can make the event loop wait for its turn. Python's default is 0.005."""
GC_THRESHOLDS: Final = (10_000, 10, 20)
"""A full collection scans all cached matches and tables, so it should be rare. Python's default is (700, 10, 10).

With these numbers it comes after about 14,000 presses. Until then, some of discord.py's interactions and views stay in
memory, because they and their parts refer to each other.
"""


def fill_caches() -> None:
    """Compute cached values in advance. On first use, each could block the event loop for up to 250 ms."""
    for flush_order in get_args(FlushOrder):
        combination_table(flush_order)
    for language in languages():
        words_in(language)
    percentile(0)
    lesson_starts()


def limit_pauses() -> None:
    """Limit how long threads and the garbage collector can block the event loop."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*GC_THRESHOLDS)
    gc.collect()
    gc.freeze()  # what exists now stays; scanning it again takes more than 100 ms
