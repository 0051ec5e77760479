"""Prepares the process before the app connects: caches, pauses and memory."""

import ctypes
import gc
import sys
from contextlib import suppress
from typing import Final, get_args

from bot.analysis.hand_strength import percentile
from bot.engine.combinations import FlushOrder
from bot.engine.finding import finder
from bot.engine.lookups import Memo
from bot.presentation.help.lessons import lesson_starts
from bot.presentation.text.i18n import languages, words_in

SWITCH_SECONDS: Final = 0.001
"""Seconds that a computing thread can make the event loop wait for its turn. Python's default is 0.005."""
GC_THRESHOLDS: Final = (10_000, 10, 20)
"""A full collection scans all cached matches and tables, so it should be rare. Python's default is (700, 10, 10).

With these numbers it comes after about 14,000 presses. Until then, some of discord.py's interactions and views stay in
memory, because they and their parts refer to each other.
"""
LOOKUPS: Final = 2048
"""The entries of each of the engine's lookup tables: enough for an app, which finds few combinations in a second."""
M_ARENA_MAX: Final = -8
M_MMAP_THRESHOLD: Final = -3
"""From glibc's malloc.h."""
LARGE_BLOCK: Final = 64 * 1024
"""Bytes."""


def warm_up() -> None:
    """Compute cached values in advance. On first use, each could block the event loop for up to 250 ms."""
    for flush_order in get_args(FlushOrder):
        finder(flush_order)
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


def limit_memory() -> None:
    """Limit the engine's lookup tables, and what glibc's heaps take from the system and don't use (man 3 mallopt).

    All threads share two heaps. By default there are eight for each core, and what is free in one isn't used for
    another, so each thread that opens and closes makes the app grow. Large blocks, such as pictures, don't come from
    the heaps, where they would leave holes.
    """
    Memo.limit = LOOKUPS
    with suppress(AttributeError, OSError, TypeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
