"""Runs the app and samples what it computes: `python -m benchmarks.sampled_app FILE`.

Each few milliseconds of CPU, the stack of the event loop's thread is counted. SIGUSR1 clears the counts; at the end of
the app they are written to the file: a line with the count and the stack, outermost call first, for each stack.
"""

import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Final

from bot.__main__ import main

INTERVAL: Final = 0.001
"""Seconds of CPU between two samples. Linux rounds it up to its tick."""


def stack_of(frame: FrameType | None) -> str:
    """The calls of a stack, outermost first: `file:function;…`."""
    calls = []
    while frame is not None:
        calls.append(f"{frame.f_code.co_filename}:{frame.f_code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return ";".join(reversed(calls))


def run(file: Path) -> None:
    """Run the app until it is stopped."""
    counts = Counter[str]()
    signal.signal(signal.SIGPROF, lambda _, frame: counts.update([stack_of(frame)]))
    signal.signal(signal.SIGUSR1, lambda *_: counts.clear())
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    try:
        main([])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        file.write_text("".join(f"{number} {stack}\n" for stack, number in counts.items()))


if __name__ == "__main__":
    run(Path(sys.argv[1]))
