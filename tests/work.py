"""Counts calls of functions and the threads that they are made in: tests of speed count work, not time."""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any


@dataclass
class Work:
    """Calls since the counting began, by the name of the function."""

    here: Counter[str] = field(default_factory=Counter)
    """Made in the thread that counts, which is the one of the event loop."""
    elsewhere: Counter[str] = field(default_factory=Counter)
    """Made in threads that were started since."""

    @property
    def total(self) -> Counter[str]:
        """Made anywhere."""
        return self.here + self.elsewhere

    def clear(self) -> None:
        """Count from zero again."""
        self.here.clear()
        self.elsewhere.clear()


@contextmanager
def counted(*functions: Callable[..., Any]) -> Iterator[Work]:
    """Count the calls of Python functions within the block."""
    work, own = Work(), threading.get_ident()
    codes: dict[CodeType, str] = {function.__code__: function.__name__ for function in functions}

    def see(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code in codes:
            where = work.here if threading.get_ident() == own else work.elsewhere
            where[codes[frame.f_code]] += 1

    before = sys.getprofile()
    threading.setprofile(see)
    sys.setprofile(see)
    try:
        yield work
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
