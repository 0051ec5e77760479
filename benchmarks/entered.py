"""The modules that a play enters: `python -m benchmarks.entered` lists them.

Four people with open hands play a match in the playground. A module counts if one of its functions runs in each of some
plays, from the press until the table and all hands show it. So regular work of the app, which may run meanwhile, hardly
counts.
"""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playground.playground import Playground
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import BOUND, ROOT
from tests.end_to_end.match_table import PASSING, PLAY, SELECT, MatchTable

PLAYS: Final = 4
QUIET: Final = 0.5
"""Seconds without a new request, after which a play is over."""
APART: Final = (
    "bot/app.py",
    "bot/base/",
    "bot/discord_client/",
    "bot/process/",
    "bot/services/background.py",
    "bot/storage/database.py",
)
"""Modules about processes, connections or measuring: neither cards nor messages."""


def is_apart(module: str) -> bool:
    """True if a module (its path) is about processes, connections or measuring."""
    return module.startswith(APART)


def modules_entered() -> list[str]:
    """The paths of the modules of the app that each play enters."""
    return asyncio.run(_measure())


async def _measure() -> list[str]:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        world = await stack.enter_async_context(Playground(rate_limits="off"))
        harness = AppHarness(world, folder)
        table = MatchTable.create(harness, 1)
        seen = folder / "modules"
        app = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.traced_app", str(seen)),
            env=harness.environment(),
            cwd=ROOT,
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        stack.push_async_callback(_end, app)
        await world.app_ready(BOUND)
        await table.start()
        for person in table.people:
            await table.open(person)
        plays = [await _play(table, app, seen) for _ in range(PLAYS)]
        return sorted(set.intersection(*plays))


async def _end(app: Process) -> None:
    app.terminate()
    await app.wait()


async def _play(table: MatchTable, app: Process, seen: Path) -> set[str]:
    """The modules that the next play enters; people who can't play pass before it."""
    person = await table.mover_soon()
    while table.next_kind(person, passes=False) == PASSING:
        await table.press(PASSING, person)
        person = await table.mover_soon()
    if table.next_kind(person, passes=False) == SELECT:
        await table.press(SELECT, person)
    exchanges = table.harness.world.record()
    await _quiet(exchanges)
    app.send_signal(signal.SIGUSR1)
    await table.press(PLAY, person)
    await _quiet(exchanges)
    app.send_signal(signal.SIGUSR2)
    return await asyncio.to_thread(_written, seen)


def _written(file: Path) -> set[str]:
    """Wait for a file of the app, and return its lines."""
    while not file.exists():
        time.sleep(0.01)
    found = set(file.read_text().splitlines())
    file.unlink()
    return found


async def _quiet(exchanges: Sequence[object]) -> None:
    """Wait until no more requests come."""
    before = -1
    while before != len(exchanges):
        before = len(exchanges)
        await asyncio.sleep(QUIET)


def main() -> None:
    """List the modules, those apart last."""
    for module in sorted(modules_entered(), key=is_apart):
        print(f"{module}{'  (apart)' if is_apart(module) else ''}")


if __name__ == "__main__":
    main()
