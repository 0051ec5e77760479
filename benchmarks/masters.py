"""The delay of the event loop and the memory of all processes while 51 masters play: `python -m benchmarks.masters`.

At each of 17 tables, a person with an open hand plays against three masters, which move without a pause. Pictures of
the hands are drawn. For comparison, the same is first measured while the app is idle.
"""

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from benchmarks.busy import Guest
from benchmarks.loop import ProbedHarness
from benchmarks.memory import memory_of
from bot.players.levels import Level
from playground.playground import Playground
from tests.end_to_end.match_table import MatchTable

TABLES: Final = 17
PAUSE: Final = 0.5
"""The mean number of seconds between two presses of a person."""
COMPILE_SECONDS: Final = 120.0
"""The time before measuring: masters are compiled first if this version has never played."""
SECONDS: Final = 120.0
P99: Final = 20
"""The limit of the loop's delay in 99 of 100 samples, in milliseconds."""
MEGABYTES: Final = 400
"""The limit for the memory of all processes, in millions of bytes."""


def descendants(pid: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread or process that has just ended
            for child in children.read_text().split():
                yield from descendants(int(child))


def memory_of_all(pid: int) -> dict[int, float]:
    """The memory of a process and all that it has started, in megabytes; shared memory is counted once."""
    found = {}
    for each in descendants(pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            found[each] = memory_of(each)[1] * 1.048576
    return found


@dataclass(frozen=True)
class Phase:
    """The amount that was measured in some time."""

    late: list[float]
    """The delays of the event loop, in milliseconds, sorted."""
    memory: dict[int, float]
    """The memory of each process, in megabytes, when the sum was largest."""


async def watch(harness: ProbedHarness, seconds: float) -> Phase:
    """Measure for some time."""
    assert harness.app is not None
    begun, most = monotonic(), dict[int, float]()
    while monotonic() < begun + seconds:
        await asyncio.sleep(1.0)
        most = max(most, memory_of_all(harness.app.pid), key=lambda memory: sum(memory.values()))
        print(f"\r{monotonic() - begun:.0f} of {seconds:.0f} seconds ", end="", flush=True)
    print()
    late, _ = harness.samples_between(begun, monotonic())
    return Phase([1000 * each for each in late], most)


async def measure(seconds: float, warming: float) -> tuple[Phase, Phase]:
    """The idle app, and the app while masters play."""
    with TemporaryDirectory() as folder:
        async with Playground(rate_limits="off") as world:
            harness = ProbedHarness(world, Path(folder))
            tables = [MatchTable.create(harness, number, people=1) for number in range(TABLES)]
            await harness.start_app(AI_DELAY_SECONDS="0", AI_WORKER="true")
            print("an idle app", flush=True)
            idle = await watch(harness, seconds / 4)
            guests = [Guest(table, PAUSE, random.Random(number), Level.MASTER) for number, table in enumerate(tables)]
            playing = asyncio.gather(*(guest.play() for guest in guests))
            print(f"{3 * TABLES} masters, warming up", flush=True)
            await asyncio.wait([playing], timeout=warming)
            print(f"{3 * TABLES} masters", flush=True)
            busy = await watch(harness, seconds)
            if playing.done():
                playing.result()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await harness.kill_app()
    return idle, busy


def main() -> None:
    """Measure and report."""
    idle, busy = asyncio.run(measure(SECONDS, COMPILE_SECONDS))
    late = {
        "median": [quantiles(phase.late, n=100)[49] for phase in (idle, busy)],
        "99 of 100": [quantiles(phase.late, n=100)[98] for phase in (idle, busy)],
        "at most": [phase.late[-1] for phase in (idle, busy)],
    }
    print(f"\n{'event loop late, milliseconds':<44}{'idle':>10}{'masters':>10}")
    for name, (alone, playing) in late.items():
        print(f"{name:<44}{alone:>10.1f}{playing:>10.1f}")
    print(f"{'met' if late['99 of 100'][1] <= P99 else 'missed'}: 99 of 100 at most {P99}")
    alone, playing = (sum(phase.memory.values()) for phase in (idle, busy))
    print(f"\n{'megabytes, shared memory counted once':<44}{alone:>10.0f}{playing:>10.0f}")
    print("each process:", ", ".join(f"{each:.0f}" for each in sorted(busy.memory.values(), reverse=True)))
    print(f"{'met' if playing <= MEGABYTES else 'missed'}: at most {MEGABYTES}")


if __name__ == "__main__":
    main()
