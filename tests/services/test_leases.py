"""Leases: each shard is served by one process, others wait and take over."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.leases import GONE_SECONDS, ORPHAN_SECONDS, Leases, Step
from bot.storage import leases as rows
from bot.storage.database import Database
from bot.storage.leases import Lease
from bot.table.errors import StorageError

BEAT = 3.0


@dataclass
class Cluster:
    """Processes that use one database. They see each other's end only in the same `place`."""

    database: Database
    now: float = 1000.0
    dead: set[str] = field(default_factory=set)
    machines: Iterator[int] = field(default_factory=count)

    def start(self, shards: int, *own: int, place: str | None = None) -> Leases:
        place = f"machine {next(self.machines)}" if place is None else place
        leases = Leases(self.database, place, self.is_dead, lambda: self.now)
        leases.begin(shards, own)
        return leases

    def is_dead(self, lease: Lease) -> bool:
        return lease.holder in self.dead

    async def steps(self, seconds: float, *processes: Leases) -> list[Step]:
        """All that changes for the first process while the time passes."""
        found: list[Step] = []
        while seconds > 0:
            self.now += min(BEAT, seconds)
            seconds -= BEAT
            first, *_ = [await each.step(range(100)) for each in processes]
            found.append(first)
        return found


@pytest.fixture
def cluster(any_database: Database) -> Cluster:
    return Cluster(any_database)


async def test_a_single_process_serves_its_shards_at_once(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    only = cluster.start(2, 0, 1)
    assert only.served().ids == frozenset()
    assert await only.step([]) == Step(gained=frozenset({0, 1}))
    assert only.served().is_all
    assert not only.is_waiting
    assert await cluster.steps(60, only) == [Step()] * 20
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_second_process_waits_and_says_so_once(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([])
    for _ in range(10):
        await cluster.steps(BEAT, first, second)
    assert first.served().ids == {0}
    assert second.served().ids == frozenset()
    assert second.is_waiting
    assert ["waiting until that ends" in record.getMessage() for record in caplog.records].count(True) == 1


async def test_the_next_process_takes_over_what_was_given_back(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([])
    await second.step([0])
    before = first.has_successors
    await cluster.steps(BEAT, first, second)
    assert (before, first.has_successors) == (False, True)
    await first.give_back([0], [11, 12])
    assert first.served().ids == frozenset()
    assert await second.step([0]) == Step(gained=frozenset({0}))
    assert [second.was_handled(0, number) for number in (11, 12, 13)] == [True, True, False]


async def test_a_process_that_is_not_connected_is_no_successor(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    for _ in range(3):
        await first.step([0])
        await second.step([])
    assert not first.has_successors


async def test_a_process_killed_on_the_same_machine_is_replaced_at_once(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0, place="here"), cluster.start(1, 0, place="here")
    await first.step([])
    assert (await second.step([])).gained == frozenset()
    cluster.dead.add(first.id)
    assert (await second.step([])).gained == {0}


async def test_processes_without_a_readable_folder_are_not_on_the_same_machine(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0, place=""), cluster.start(1, 0, place="")
    await first.step([])
    cluster.dead.add(first.id)
    assert (await second.step([])).gained == frozenset()


async def test_a_silent_process_elsewhere_is_replaced_after_a_while(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([])
    cluster.dead.add(first.id)  # nobody can see that
    waited = [step.gained for step in await cluster.steps(GONE_SECONDS, second)]
    assert not any(waited)
    assert (await cluster.steps(BEAT, second))[0].gained == {0}


async def test_a_process_that_wakes_up_finds_that_it_was_replaced(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([])
    await cluster.steps(GONE_SECONDS + 2 * BEAT, second)
    assert first.served().ids == {0}  # it doesn't know yet
    assert await first.step([]) == Step(lost=frozenset({0}))
    assert first.served().ids == frozenset()


async def test_a_process_that_has_not_renewed_its_lease_in_time_is_not_certain_of_it(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    assert first.certain().ids == frozenset()
    await first.step([])
    await second.step([])
    while not second.served().is_all:
        assert first.certain() == first.served()
        await cluster.steps(BEAT, second)
    assert first.served().is_all
    assert first.certain().ids == frozenset()


async def test_an_outage_of_the_database_replaces_nobody(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([])
    await second.step([])
    cluster.now += 10 * GONE_SECONDS
    for _ in range(3):  # the waiting process comes back first, and asks often
        cluster.now += 0.5
        assert (await second.step([])).gained == frozenset()
    assert await first.step([]) == Step()


async def test_a_process_that_is_not_connected_leaves_its_shard_to_one_that_is(cluster: Cluster) -> None:
    cut, connected = cluster.start(1, 0), cluster.start(1, 0)
    waited = 0.0
    while not (step := await cut.step([])).requested:
        await connected.step([0])
        cluster.now += BEAT
        waited += BEAT
    assert step.requested == {0}
    assert GONE_SECONDS <= waited <= GONE_SECONDS + BEAT
    await cut.give_back([0], [])
    assert await cut.step([]) == Step()
    assert await connected.step([0]) == Step(gained=frozenset({0}))
    for _ in range(20):
        cluster.now += BEAT
        assert await cut.step([0]) == await connected.step([0]) == Step()


async def test_a_process_keeps_its_shard_while_nobody_else_is_connected(cluster: Cluster) -> None:
    first, second = cluster.start(1, 0), cluster.start(1, 0)
    await first.step([0])
    for _ in range(20):
        cluster.now += BEAT
        assert await first.step([]) == Step()
        assert await second.step([]) == Step()
    assert await first.step([0]) == Step()


async def test_a_lease_of_a_commit_with_an_unknown_result_is_left_like_others(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut, connected = cluster.start(1, 0), cluster.start(1, 0)
    write = cluster.database.write

    @asynccontextmanager
    async def without_result() -> AsyncIterator[AsyncConnection]:
        async with write() as connection:
            yield connection
        raise StorageError("the connection was lost")

    with monkeypatch.context() as losing:
        losing.setattr(cluster.database, "write", without_result)
        with pytest.raises(StorageError):
            await cut.step([])
    while not (step := await cut.step([])).requested:
        await connected.step([0])
        cluster.now += BEAT
    assert step.requested == {0}


@pytest.mark.parametrize("is_connected", [True, False])
async def test_a_shard_that_was_left_is_taken_again_if_nobody_serves_it(cluster: Cluster, is_connected: bool) -> None:
    cut, connected = cluster.start(1, 0), cluster.start(1, 0)
    while not (await cut.step([])).requested:
        await connected.step([0])
        cluster.now += BEAT
    await cut.give_back([0], [])
    cluster.now += BEAT if is_connected else GONE_SECONDS
    assert (await cut.step([0] if is_connected else [])).gained == {0}


async def test_a_process_with_more_shards_waits_for_all_that_overlap(cluster: Cluster) -> None:
    old = [cluster.start(2, shard) for shard in (0, 1)]
    for each in old:
        await each.step([])
    new = cluster.start(4, 0, 2)
    assert (await new.step([])).gained == frozenset()
    await old[1].give_back([1], [])
    assert (await new.step([])).gained == frozenset()
    await old[0].give_back([0], [])
    assert (await new.step([])).gained == {0, 2}
    assert {key for key in await keys(cluster.database) if key[0] == 2} == {(2, 1)}


async def keys(database: Database) -> list[tuple[int, int]]:
    async with database.write() as connection:
        return [lease.key for lease in await rows.load(connection)]


async def test_a_substitute_serves_the_shards_of_a_killed_process_until_that_is_back(cluster: Cluster) -> None:
    first, second = cluster.start(2, 0), cluster.start(2, 1)
    await first.step([])
    await second.step([])
    assert {0} in [step.gained for step in await cluster.steps(GONE_SECONDS + BEAT, second)]
    assert second.served().is_all
    back = cluster.start(2, 0)
    assert (await back.step([0])).gained == frozenset()
    assert (await second.step([])).requested == {0}
    await second.give_back([0], [7])
    assert (await back.step([0])).gained == {0}
    assert back.was_handled(0, 7)
    assert (await cluster.steps(2 * ORPHAN_SECONDS, second, back)).count(Step()) == 2 * ORPHAN_SECONDS / BEAT


async def test_a_shard_that_nobody_serves_gets_a_substitute_after_a_minute(cluster: Cluster) -> None:
    first, second = cluster.start(2, 0), cluster.start(2, 1)
    await first.step([])
    await second.step([])
    await first.give_back([0], [])
    steps = await cluster.steps(ORPHAN_SECONDS + 2 * BEAT, second)
    assert not any(step.gained for step in steps[: int(ORPHAN_SECONDS / BEAT)])
    assert any(step.gained == {0} for step in steps)


@pytest.mark.parametrize("processes", [2, 5])
async def test_at_any_time_each_shard_has_at_most_one_process(cluster: Cluster, processes: int) -> None:
    every = [cluster.start(3, number % 3, place="here") for number in range(processes)]
    for turn in range(40):
        if turn == 8:
            cluster.dead.add(every[0].id)
        alive = [each for each in every if each.id not in cluster.dead]
        for each in alive:
            step = await each.step([0, 1, 2])
            await each.give_back(step.requested, [])
        cluster.now += BEAT
        served = [shard for each in alive for shard in each.served().ids]
        assert len(served) == len(set(served))
    assert sorted(served) == [0, 1, 2]
