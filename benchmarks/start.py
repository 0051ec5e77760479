"""The time that the app takes to start with a hundred thousand unfinished matches, compared with ten.

Each start is a new process, `python -m bot`, measured until it is connected to the playground. The two take turns, and
the median counts.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from playground.playground import Playground
from tests.disasters.many_matches import fill
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import BOUND, ROOT

FEW, MANY = 10, 100_000
ROUNDS = 7
TARGET = 1.1


async def seconds_of_a_start(folder: Path) -> float:
    """Start the app with the database of a folder. Unlike the tests' apps, it imports everything."""
    async with Playground(rate_limits="off") as world:
        environment = AppHarness(world, folder).environment()
        begun = perf_counter()
        app = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", env=environment, cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL
        )
        await world.app_ready(BOUND)
        seconds = perf_counter() - begun
        app.kill()
        await app.wait()
        return seconds


async def measure() -> dict[int, float]:
    """The median seconds of a start, by the number of matches."""
    with TemporaryDirectory() as folder:
        places = {number: Path(folder) / str(number) for number in (FEW, MANY)}
        for number, place in places.items():
            place.mkdir()
            print(f"making {number:,} unfinished matches", flush=True)
            await fill(place / "gang.sqlite3", number)
            await seconds_of_a_start(place)  # fills the file cache
        seen: dict[int, list[float]] = {number: [] for number in places}
        for turn in range(1, ROUNDS + 1):
            print(f"round {turn} of {ROUNDS}", flush=True)
            for number, place in places.items():
                seen[number].append(await seconds_of_a_start(place))
        return {number: median(seconds) for number, seconds in seen.items()}


def main() -> None:
    """Measure and report."""
    medians = asyncio.run(measure())
    ratio = medians[MANY] / medians[FEW]
    print(f"\n{'seconds until the app listens':<40}")
    for number, seconds in medians.items():
        print(f"{f'{number:,} unfinished matches':<40}{seconds:>12,.3f}")
    print(f"{'ratio':<40}{ratio:>12,.2f}  {'met' if ratio <= TARGET else 'missed'}: at most {TARGET:g}")


if __name__ == "__main__":
    main()
