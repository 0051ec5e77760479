"""Two processes that serve the same bot: they're noticed, and one cleans up after the other is gone."""

import logging

import pytest

from bot.services.instances import GONE_AFTER, Instances
from bot.storage import instances as rows
from bot.storage.database import Database


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def instance_ids(database: Database) -> list[str]:
    async with database.read() as connection:
        return [each.host for each in await rows.load(connection)]


async def test_a_single_process_logs_nothing(
    any_database: Database, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    only = Instances(any_database, clock, "only")
    assert [await only.beat() for _ in range(5)] == [None] * 5
    assert await instance_ids(any_database) == ["only"]
    await only.leave()
    assert await instance_ids(any_database) == []
    assert caplog.records == []


async def test_a_row_left_by_a_crash_is_not_a_second_process(
    any_database: Database, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await Instances(any_database, clock, "crashed").beat()
    only = Instances(any_database, clock, "only")
    assert [await only.beat() for _ in range(GONE_AFTER + 1)] == [None] * (GONE_AFTER + 1)
    assert await instance_ids(any_database) == ["only"]
    assert caplog.records == []


async def test_both_processes_log_it_once(
    any_database: Database, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = Instances(any_database, clock, "one"), Instances(any_database, clock, "two")
    with caplog.at_level(logging.ERROR):
        for _ in range(5):
            assert await one.beat() is None
            assert await two.beat() is None
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2
    assert all("Another process serves the same bot" in line for line in said)
    assert {"two; this one is one" in line for line in said} == {True, False}


@pytest.mark.parametrize("ends_well", [True, False])
async def test_when_one_process_is_gone_the_other_cleans_up_once(
    any_database: Database, clock: Clock, *, ends_well: bool
) -> None:
    one, two = Instances(any_database, clock, "one"), Instances(any_database, clock, "two")
    began = clock.now
    for _ in range(3):
        await one.beat()
        await two.beat()
    if ends_well:
        await two.leave()
    ended = clock.now
    found = [since for _ in range(GONE_AFTER + 3) if (since := await one.beat()) is not None]
    assert len(found) == 1
    assert began < found[0] < ended
    assert await instance_ids(any_database) == ["one"]
    await one.leave()
    assert await instance_ids(any_database) == []


@pytest.mark.parametrize("ends_well", [True, False])
async def test_when_both_processes_are_gone_the_next_start_cleans_up(
    any_database: Database, clock: Clock, *, ends_well: bool
) -> None:
    one, two = Instances(any_database, clock, "one"), Instances(any_database, clock, "two")
    for _ in range(3):
        await one.beat()
        await two.beat()
    if ends_well:
        await one.leave()
        await two.leave()
    later = Instances(any_database, clock, "later")
    found = [since for _ in range(GONE_AFTER + 3) if (since := await later.beat()) is not None]
    assert len(found) == 1
    assert await instance_ids(any_database) == ["later"]
