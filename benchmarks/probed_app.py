"""Runs the app and records the delay of its event loop: `python -m benchmarks.probed_app FILE`."""

import asyncio
import sys
from pathlib import Path
from time import monotonic, thread_time
from typing import Final

INTERVAL: Final = 0.005
"""Seconds between two samples."""


async def probe(file: Path) -> None:
    """Write a line for each sample: monotonic time, delay of the loop, and its computing time since the last sample.

    All are seconds. The computing time doesn't depend on other processes.
    """
    with file.open("w", buffering=1) as samples:
        while True:
            due, computed = monotonic() + INTERVAL, thread_time()
            await asyncio.sleep(INTERVAL)
            now = monotonic()
            samples.write(f"{now:.6f} {now - due:.6f} {thread_time() - computed:.6f}\n")


async def serve(file: Path) -> None:
    """Run the app and the probe until killed."""
    from bot.app import App  # noqa: PLC0415  # the processes that the app starts import this module, too
    from bot.process.settings import Settings, load  # noqa: PLC0415

    async with asyncio.TaskGroup() as group:
        group.create_task(probe(file))
        group.create_task(App(load(Settings)).run())


if __name__ == "__main__":
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(Path(sys.argv[1])))
