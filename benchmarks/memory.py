"""The memory of the app after a start, next to an app on bare discord.py: `python -m benchmarks.memory`.

Both are connected to a playground and idle, with the heaps of the Dockerfile. The database has the schema, so no
migration runs.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playground.playground import Playground
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import BOUND, ROOT

TARGET: Final = 100
"""Megabytes (MiB) of the app's own process."""
IDLE_SECONDS: Final = 5.0
HEAPS: Final = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": "65536"}
"""Settings of the C library, as in the Dockerfile."""


def memory_of(pid: int) -> tuple[float, float]:
    """The resident memory of a process and its proportional share of it (RSS and PSS), in MiB."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    rss, pss = (int(lines[name].split()[0]) / 1024 for name in ("Rss", "Pss"))
    return rss, pss


async def measure(folder: Path, *command: str) -> tuple[float, float]:
    """The memory of an app that has just started."""
    async with Playground(rate_limits="off") as world:
        environment = AppHarness(world, folder).environment(**HEAPS)
        app = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *command, env=environment, cwd=ROOT, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
        await world.app_ready(BOUND)
        await asyncio.sleep(IDLE_SECONDS)
        found = memory_of(app.pid)
        app.kill()
        await app.wait()
        return found


async def measure_all() -> dict[str, tuple[float, float]]:
    """The memory of both apps."""
    with TemporaryDirectory() as folder:
        await measure(Path(folder), "bot")  # makes the database
        return {
            "bare discord.py": await measure(Path(folder), "benchmarks.floor_app"),
            "the app": await measure(Path(folder), "bot"),
        }


def main() -> None:
    """Measure and report."""
    print(f"{'MiB after a start':<30}{'resident':>10}{'share':>10}")
    found = asyncio.run(measure_all())
    for name, (rss, pss) in found.items():
        print(f"{name:<30}{rss:>10.0f}{pss:>10.0f}")
    rss, _ = found["the app"]
    print(f"{'met' if rss <= TARGET else 'missed'}: at most {TARGET} resident")


if __name__ == "__main__":
    main()
