"""Compare the simulation of `benchmarks.peak` with one process: people tap cards at random times in a playground."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.loop import ProbedHarness
from benchmarks.peak import SECONDS, Peak, Press, World
from playground.client.screen import SeenMessage
from playground.playground import Playground
from tests.end_to_end.app_harness import Player, cards

TABLES: Final = 12
LOADS: Final = (0.1, 0.4, 0.7)
"""The shares of its core that the process should use."""
WARM_UP: Final = 200
"""Presses that are not measured."""


async def tap(player: Player, chance: Random) -> float:
    """Tap a card of an open hand. Returns the seconds until the answer."""
    assert isinstance(player.panel, SeenMessage)
    begun = time.perf_counter()
    await player.person.click(player.panel, custom_id=chance.choice(cards(player.panel)))
    return time.perf_counter() - begun


async def open_hands(world: Playground, folder: Path) -> tuple[ProbedHarness, list[Player]]:
    """The app, and a person with an open hand at each of some tables. It's always that person's turn."""
    harness = ProbedHarness(world, folder)
    await harness.start_app(PICTURES="false")
    players = []
    for number in range(TABLES):
        channel = harness.guild.channel(f"table-{number}")
        people = [world.person(f"{name} {number}", guilds=[harness.guild]) for name in ("Ana", "Ben", "Cleo")]
        with harness.in_channel(channel, people):
            for player in await harness.begin_match(3, target=1000):
                await player.open()
                players.append(player)
    return harness, players


def cpu_of(harness: ProbedHarness) -> float:
    """The CPU time of the app, in seconds."""
    assert harness.app is not None
    return time.clock_gettime((~harness.app.pid << 3) | 2)


async def taps_at(rate: float, seconds: float, players: Sequence[Player], chance: Random) -> list[float]:
    """Let random people tap at random times, `rate` a second. A person waits for each answer."""
    free, running = list(players), list[asyncio.Task[float]]()
    end, at = time.monotonic() + seconds, time.monotonic()

    async def one(player: Player) -> float:
        taken = await tap(player, chance)
        free.append(player)
        return taken

    while (at := at + chance.expovariate(rate)) < end:
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        if free:
            running.append(asyncio.create_task(one(free.pop(chance.randrange(len(free))))))
    return sorted(await asyncio.gather(*running))


async def check() -> None:
    """Measure at several loads, and print the simulation beside it."""
    chance = Random(1)
    with TemporaryDirectory() as folder:
        async with Playground(rate_limits="off") as world:
            harness, players = await open_hands(world, Path(folder))
            alone = sorted([await tap(chance.choice(players), chance) for _ in range(WARM_UP)])
            before = cpu_of(harness)
            for _ in range(WARM_UP):
                await tap(chance.choice(players), chance)
            cost = (cpu_of(harness) - before) / WARM_UP
            print(f"a tap: {1000 * cost:.1f} ms of CPU; an answer to a single tap takes {1000 * median(alone):.1f} ms")
            print(f"{'taps/s':>8}{'busy':>7}{'measured ms':>13}{'99 of 100':>11}{'simulated ms':>14}{'99 of 100':>11}")
            for load in LOADS:
                rate = load / cost
                before = cpu_of(harness)
                found = await taps_at(rate, SECONDS / 3, players, chance)
                used = cpu_of(harness) - before
                simulated = Peak(_world(rate, used / len(found)), seed=1).run().answers
                rest = 1000 * (median(alone) - cost)  # the playground and the client
                most = quantiles(found, n=100)[-1]
                print(
                    f"{rate:>8.0f}{used / (SECONDS / 3):>7.0%}{1000 * median(found):>13.1f}{1000 * most:>11.1f}"
                    f"{simulated[0] + rest:>14.1f}{simulated[1] + rest:>11.1f}"
                )
            await harness.kill_app()


def _world(rate: float, cost: float) -> World:
    """One process with so many tables that people tap `rate` times a second."""
    only = Press("tap a card", 1.0, cpu=1000 * cost, later=0.0, database=0.0, requests=0.0)
    whole = World(servers=1, processes=1, presses=(only,), cpu_spread=0.2, gap_spread=1.0)
    return replace(whole, tables_per_server=rate * whole.between_presses, spread=0.0)
