"""Simulates presses, processes, the database and Discord, to estimate how many servers some processes can serve.

`python -m benchmarks.scale` simulates one minute of the evening's peak for 1,000 to 1,000,000 servers, and prints how
long presses wait. `--check` compares the simulation with one process that serves a playground.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from benchmarks.peak import World, simulate
from benchmarks.scale_check import check

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
BUSY: Final = 0.6
"""The share of its core that a process should use at the peak."""


def enough_processes(world: World) -> World:
    """The same world with so many processes that the busiest is busy for at most `BUSY` of the time."""
    figures = simulate(world)
    while figures.busiest > BUSY:
        world = replace(world, processes=ceil(world.processes * max(1.1, figures.busiest / BUSY)))
        figures = simulate(world)
    return world


def report(worlds: Sequence[World]) -> None:
    """Print the figures of each world."""
    print(
        f"{'servers':>10}{'processes':>11}{'tables':>8}{'presses/s':>11}{'answer ms':>11}{'99 of 100':>11}"
        f"{'busiest':>9}{'database':>10}{'requests/s':>12}{'late s':>8}"
    )
    for world in worlds:
        found = simulate(world)
        print(
            f"{world.servers:>10,}{world.processes:>11}{found.tables:>8,}{found.presses:>11,.1f}"
            f"{found.answers[0]:>11,.0f}{found.answers[1]:>11,.0f}{found.busiest:>9.0%}{found.database:>10.0%}"
            f"{found.requests:>12,.1f}{found.late:>8,.0f}",
            flush=True,
        )


def main() -> None:
    """Simulate, or check the simulation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--processes", type=int, help="the number of processes; by default, as many as are needed")
    parser.add_argument("--tables-per-server", type=float, default=World.tables_per_server)
    parser.add_argument("--connections", type=int, default=World.connections)
    parser.add_argument("--check", action="store_true", help="compare with one process that serves a playground")
    options = parser.parse_args()
    if options.check:
        asyncio.run(check())
        return
    worlds = [
        World(
            servers,
            options.processes or 1,
            tables_per_server=options.tables_per_server,
            connections=options.connections,
        )
        for servers in options.servers
    ]
    report(worlds if options.processes else [enough_processes(world) for world in worlds])


if __name__ == "__main__":
    main()
