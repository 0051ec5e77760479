"""The simulation of benchmarks.scale agrees with what queueing theory knows."""

from functools import partial
from math import isclose
from random import Random

import pytest

from benchmarks.peak import Clock, Station, World, simulate


@pytest.mark.parametrize(("load", "servers"), [(0.3, 1), (0.7, 1), (0.7, 2)])
def test_a_queue_waits_as_long_as_in_theory(load: float, servers: int) -> None:
    chance, clock = Random(5), Clock()
    station, waits, at = Station(clock, servers), list[float](), 0.0

    def arrive(seconds: float) -> None:
        begun = clock.now
        station.serve(seconds, lambda: waits.append(clock.now - begun - seconds))

    for _ in range(100_000):
        at += chance.expovariate(load * servers)
        clock.call_at(at, partial(arrive, chance.expovariate(1)))
    clock.run()
    wait = load / (1 - load) if servers == 1 else load**2 / (1 - load**2)  # Erlang's formula for one and two servers
    assert isclose(sum(waits) / len(waits), wait, rel_tol=0.05)
    assert isclose(station.busy / at / servers, load, rel_tol=0.02)


def test_more_servers_mean_more_presses_and_more_processes_less_work_for_each() -> None:
    few, many = simulate(World(20_000, 1)), simulate(World(200_000, 1))
    assert many.presses > 5 * few.presses
    assert many.answers[1] > few.answers[1]
    shared = simulate(World(200_000, 4))
    assert shared.presses == pytest.approx(many.presses, rel=0.1)
    assert shared.busiest < many.busiest / 2
