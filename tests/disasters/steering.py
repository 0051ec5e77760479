"""A few numbers that a test and the app under it share through a file: a counter, a point to die at, a clock."""

import mmap
import struct
from enum import IntEnum
from pathlib import Path
from typing import Final

_NUMBER: Final = struct.Struct("<q")


class Dial(IntEnum):
    """What each number is."""

    STEPS = 0
    """How many callbacks and resumptions of coroutines the app's event loop has begun."""
    DIES_AT = 1
    """The step at which the app kills itself; 0: never."""
    JUMP = 2
    """Milliseconds by which the app's wall clock is wrong."""
    DATABASE_WORK = 3
    """How many instructions SQLite has carried out for the app, if they are counted."""


class Steering:
    """The shared numbers. Whoever writes first makes the file."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(_NUMBER.size * len(Dial)))
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), 0)

    def __getitem__(self, dial: Dial) -> int:
        return int(_NUMBER.unpack_from(self._shared, dial * _NUMBER.size)[0])

    def __setitem__(self, dial: Dial, value: int) -> None:
        _NUMBER.pack_into(self._shared, dial * _NUMBER.size, value)
