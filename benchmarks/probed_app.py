"""The app as `python -m bot` serves it, and how late its event loop is: `python -m benchmarks.probed_app FILE`."""

import asyncio
import sys
from pathlib import Path
from time import monotonic, thread_time
from typing import Final

from bot.app import App
from bot.settings import Settings, load

EVERY: Final = 0.005
"""Seconds between two looks at the loop."""


async def probe(file: Path) -> None:
    """Write a line at each look: the monotonic clock, how late the loop was, and how long it computed since the last.

    All are seconds. What the loop computed does not depend on how busy the machine is otherwise.
    """
    with file.open("w", buffering=1) as samples:
        while True:
            due, computed = monotonic() + EVERY, thread_time()
            await asyncio.sleep(EVERY)
            now = monotonic()
            samples.write(f"{now:.6f} {now - due:.6f} {thread_time() - computed:.6f}\n")


async def serve(file: Path) -> None:
    """Serve until killed."""
    async with asyncio.TaskGroup() as group:
        group.create_task(probe(file))
        group.create_task(App(load(Settings)).run())


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
