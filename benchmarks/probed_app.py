"""The app as `python -m bot` serves it, and how late its event loop is: `python -m benchmarks.probed_app FILE`."""

import asyncio
import sys
from pathlib import Path
from time import monotonic
from typing import Final

from bot.app import App
from bot.settings import Settings, load

EVERY: Final = 0.005
"""Seconds between two looks at the loop."""


async def probe(file: Path) -> None:
    """Write when the loop was looked at (seconds of the monotonic clock) and how late it was (seconds)."""
    with file.open("w", buffering=1) as samples:
        while True:
            due = monotonic() + EVERY
            await asyncio.sleep(EVERY)
            now = monotonic()
            samples.write(f"{now:.6f} {now - due:.6f}\n")


async def serve(file: Path) -> None:
    """Serve until killed."""
    async with asyncio.TaskGroup() as group:
        group.create_task(probe(file))
        group.create_task(App(load(Settings)).run())


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
