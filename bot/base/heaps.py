"""Limits for the heaps of a process (man 3 mallopt)."""

import ctypes
from contextlib import suppress
from typing import Final

M_ARENA_MAX: Final = -8
M_MMAP_THRESHOLD: Final = -3
"""From glibc's malloc.h."""
LARGE_BLOCK: Final = 64 * 1024
"""Bytes."""


def limit_heaps() -> None:
    """Let all threads share two heaps, and keep large blocks out of them.

    By default there are eight heaps for each core, and what is free in one isn't used for another, so each thread that
    opens and closes makes the process grow. Large blocks, such as pictures, would leave holes in a heap.
    """
    with suppress(AttributeError, OSError, TypeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
