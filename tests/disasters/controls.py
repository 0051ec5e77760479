"""Numbers that a test and its app share through a file: counters, the crash point and the clock offset."""

import mmap
import struct
from enum import IntEnum
from pathlib import Path
from typing import Final

_NUMBER: Final = struct.Struct("<q")


class Control(IntEnum):
    """The index of each number."""

    STEPS = 0
    """Callbacks and resumptions of coroutines that the app's event loop has begun."""
    CRASH_AT = 1
    """The step at which the app kills itself, or 0."""
    CLOCK_OFFSET = 2
    """Milliseconds by which the app's wall clock is ahead."""
    DATABASE_WORK = 3
    """Instructions that SQLite has executed for the app, if they are counted."""


class Controls:
    """The shared numbers. Creates the file if it doesn't exist."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(_NUMBER.size * len(Control)))
        with file.open("r+b") as shared:
            self._shared = mmap.mmap(shared.fileno(), 0)

    def __getitem__(self, control: Control) -> int:
        return int(_NUMBER.unpack_from(self._shared, control * _NUMBER.size)[0])

    def __setitem__(self, control: Control, value: int) -> None:
        _NUMBER.pack_into(self._shared, control * _NUMBER.size, value)
