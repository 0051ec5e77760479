"""A simulation of the evening's peak: presses at tables, processes, the database and Discord's limit of requests.

The distributions and costs are assumptions and measurements; docs/performance.md gives their reasons.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from math import ceil
from typing import Final

import numpy as np

SECONDS: Final = 60.0
"""The simulated time."""
EARLIER_PRESSES: Final = 20
"""Presses at a table before the simulated time."""
GLOBAL_LIMIT: Final = 50.0
"""Requests a second that Discord allows a bot (docs/topics/rate-limits). Answers to interactions don't count."""
GUILDS_PER_SHARD: Final = 1000


@dataclass(frozen=True)
class Press:
    """A kind of press, with what it costs. Times are in milliseconds."""

    name: str
    share: float
    """The part of all presses that it makes up."""
    cpu: float
    """CPU time of the process until the first answer, on average."""
    later: float
    """CPU time after the answer: the table's message, other open hands."""
    database: float
    """Time of the database server for its transactions."""
    requests: float
    """Requests that count for Discord's global limit."""


PRESSES: Final = (
    Press("open a hand", 0.10, cpu=0.7, later=0.0, database=1.0, requests=0.0),
    Press("tap a card", 0.45, cpu=0.7, later=0.0, database=0.0, requests=0.0),
    Press("pass", 0.20, cpu=1.3, later=1.8, database=3.0, requests=1.3),
    Press("play", 0.25, cpu=1.4, later=1.9, database=3.0, requests=1.5),
)
"""The CPU times are measured (benchmarks.clicks); the two parts of a pass and a play are estimated."""


@dataclass(frozen=True)
class World:
    """The settings of a simulation."""

    servers: int
    processes: int
    presses: Sequence[Press] = PRESSES
    tables_per_server: float = 0.004
    """Tables that are played at the peak, on average: four of a thousand servers have one."""
    spread: float = 1.5
    """Standard deviation of the logarithm of a server's activity: 1 % of the servers have a fifth of the tables."""
    between_presses: float = 4.0
    """Seconds between two presses at a table, on average; the gaps have a log-normal distribution."""
    gap_spread: float = 1.0
    """Standard deviation of the logarithm of these gaps."""
    cpu_spread: float = 0.5
    """Standard deviation of the logarithm of a press's CPU time."""
    connections: int = 4
    """Transactions that the database server executes at the same time."""


class Clock:
    """Simulated time: calls functions at their times."""

    def __init__(self) -> None:
        self.now = 0.0
        self._calls: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()

    def call_at(self, time: float, function: Callable[[], None]) -> None:
        """Call a function at a time; calls for the same time keep their order."""
        heappush(self._calls, (time, next(self._number), function))

    def run(self) -> None:
        """Run until nothing is left to call."""
        while self._calls:
            self.now, _, function = heappop(self._calls)
            function()


class Station:
    """A queue with some servers, first come, first served."""

    def __init__(self, clock: Clock, servers: int) -> None:
        self.busy = 0.0
        """Seconds of work until now, of all servers."""
        self._clock = clock
        self._free = servers
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()

    def serve(self, seconds: float, then: Callable[[], None]) -> None:
        """Add a job. `then` is called when it's done."""
        self._waiting.append((seconds, then))
        self._begin()

    def _begin(self) -> None:
        while self._free and self._waiting:
            seconds, then = self._waiting.popleft()
            self._free -= 1
            self.busy += seconds
            self._clock.call_at(self._clock.now + seconds, partial(self._end, then))

    def _end(self, then: Callable[[], None]) -> None:
        self._free += 1
        then()
        self._begin()


@dataclass(frozen=True)
class Figures:
    """The result of a simulation."""

    tables: int
    presses: float
    """A second."""
    answers: tuple[float, float]
    """Milliseconds until the first answer: the median, and 99 of 100."""
    busiest: float
    """The share of its core that the busiest process uses."""
    database: float
    """The share of its time that the database works, of all its connections."""
    requests: float
    """Requests a second that count for Discord's global limit."""
    late: float
    """Seconds by which the table's message is late at the end because of that limit."""


def tables_of_processes(world: World, chance: np.random.Generator) -> np.ndarray:
    """Draw the number of tables at the peak in each server, and add them up by process."""
    activity = chance.lognormal(-(world.spread**2) / 2, world.spread, world.servers)
    tables = chance.poisson(world.tables_per_server * activity)
    shards = np.arange(world.servers) % max(1, ceil(world.servers / GUILDS_PER_SHARD))
    return np.bincount(shards % world.processes, weights=tables, minlength=world.processes).astype(int)


def arrivals(world: World, tables: int, chance: np.random.Generator) -> np.ndarray:
    """Draw the times of the presses at some tables, in order."""
    before = EARLIER_PRESSES * world.between_presses  # tables didn't all begin at the same moment
    expected = (SECONDS + before) / world.between_presses
    number = ceil(expected + 8 * expected**0.5 + 20)
    mean = np.log(world.between_presses) - world.gap_spread**2 / 2
    times = np.cumsum(chance.lognormal(mean, world.gap_spread, (tables, number)), axis=1).ravel() - before
    return np.sort(times[(times >= 0) & (times < SECONDS)])


class Peak:
    """The simulation of one minute: each process works on one thing at a time, the database on a few."""

    def __init__(self, world: World, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._world = world
        self._clock = Clock()
        self._processes = [Station(self._clock, 1) for _ in range(world.processes)]
        self._database = Station(self._clock, world.connections)
        self._answers: list[float] = []
        self._requests = 0.0

    def run(self) -> Figures:
        """Simulate."""
        world, chance = self._world, self._chance
        tables = tables_of_processes(world, chance)
        for process, number in zip(self._processes, tables, strict=True):
            times = arrivals(world, number, chance)
            kinds = chance.choice(len(world.presses), len(times), p=[press.share for press in world.presses])
            factors = chance.lognormal(-(world.cpu_spread**2) / 2, world.cpu_spread, len(times))
            for time, kind, factor in zip(times, kinds, factors, strict=True):
                self._clock.call_at(time, partial(self._arrive, process, world.presses[kind], factor))
        self._clock.run()
        median, most = np.percentile(self._answers, [50, 99]) if self._answers else (0.0, 0.0)
        return Figures(
            tables=int(tables.sum()),
            presses=len(self._answers) / SECONDS,
            answers=(float(median), float(most)),
            busiest=max(process.busy for process in self._processes) / SECONDS,
            database=self._database.busy / SECONDS / world.connections,
            requests=self._requests / SECONDS,
            late=max(0.0, self._requests / GLOBAL_LIMIT - SECONDS),
        )

    def _arrive(self, process: Station, press: Press, factor: float) -> None:
        begun = self._clock.now
        self._requests += press.requests

        def decided() -> None:
            self._database.serve(press.database / 1000, answered)

        def answered() -> None:
            self._answers.append(1000 * (self._clock.now - begun))
            process.serve(factor * press.later / 1000, lambda: None)

        process.serve(factor * press.cpu / 1000, decided)


def simulate(world: World, seed: int = 0) -> Figures:
    """Simulate the peak."""
    return Peak(world, seed).run()
