"""`python -m playground.app FILE`: the app on a clock that the playground moves.

It runs as `python -m bot` does. FILE holds the milliseconds that its wall clock is ahead of the machine's.
"""

import mmap
import runpy
import sys
import time
from datetime import timedelta
from pathlib import Path
from struct import Struct

import discord

_NUMBER = Struct("<q")


class AppClock:
    """The clock of an app that was started with this file."""

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(_NUMBER.pack(0))
        with file.open("r+b") as opened:
            self._shared = mmap.mmap(opened.fileno(), 0)

    @property
    def ahead(self) -> int:
        """The milliseconds that it is ahead."""
        return int(_NUMBER.unpack_from(self._shared)[0])

    def advance(self, seconds: float) -> None:
        """Move it forward."""
        _NUMBER.pack_into(self._shared, 0, self.ahead + round(seconds * 1000))


def main() -> None:
    """Shift the clock of this process, then run the app."""
    clock = AppClock(Path(sys.argv.pop()))
    time_ns, utcnow = time.time_ns, discord.utils.utcnow
    time.time_ns = lambda: time_ns() + clock.ahead * 1_000_000
    discord.utils.utcnow = lambda: utcnow() + timedelta(milliseconds=clock.ahead)
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
