"""Which process handles a press, with real leases of two processes."""

import asyncio
from collections.abc import AsyncIterator
from itertools import count

import discord
import pytest

from bot.discord_client.client import GangBot
from bot.discord_client.sessions import NewSessions
from bot.process.shards import ShardRunner
from bot.services.leases import GONE_SECONDS, Leases
from bot.services.published_commands import PublishedCommands
from bot.services.rate_limiter import RateLimiter
from bot.storage.database import Database
from bot.table.shards import Shards

PRESS_IDS = count(1 << 60)


class Clock:
    """The time of the leases, in seconds."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def prepare_nothing(_interaction: discord.Interaction) -> None:
    """No interaction is handled."""


@pytest.fixture
async def client(any_database: Database) -> AsyncIterator[GangBot]:
    """A client that isn't connected."""
    async with GangBot(
        prepare=prepare_nothing,
        published=PublishedCommands(any_database),
        limiter=RateLimiter(),
        new_sessions=NewSessions(),
    ) as client:
        yield client


@pytest.fixture
def processes(any_database: Database, clock: Clock) -> tuple[Leases, Leases]:
    """The leases of two processes on different machines, both for the only shard."""
    first, second = (Leases(any_database, place, lambda _: False, clock) for place in ("here", "there"))
    first.begin(1, [0])
    second.begin(1, [0])
    return first, second


async def take_nothing_over(_: Shards) -> None:
    """There are no tables."""


def press(client: GangBot) -> discord.Interaction:
    """A press in a direct message."""
    data = {
        "id": str(next(PRESS_IDS)),
        "application_id": "2",
        "type": 3,
        "token": "",
        "version": 1,
        "user": {"id": "1", "username": "ana", "discriminator": "0", "avatar": None, "global_name": None},
        "attachment_size_limit": 0,
    }
    return discord.Interaction(data=data, state=client._connection)  # type: ignore[arg-type]  # what discord.py reads


async def test_a_process_handles_a_press_once(client: GangBot, processes: tuple[Leases, Leases]) -> None:
    first, _ = processes
    runner = ShardRunner(client, first, take_nothing_over)
    await first.step([0])
    presses = [press(client), press(client)]
    assert [await runner.is_ours(each) for each in (*presses, *presses)] == [True, True, False, False]


async def test_the_next_process_handles_only_what_the_one_before_did_not(
    client: GangBot, processes: tuple[Leases, Leases]
) -> None:
    first, second = processes
    before, after = ShardRunner(client, first, take_nothing_over), ShardRunner(client, second, take_nothing_over)
    await first.step([0])
    handled, missed = press(client), press(client)
    assert await before.is_ours(handled)
    await before.give_back()
    assert not await before.is_ours(missed)
    await second.step([0])
    assert not await after.is_ours(handled)
    assert await after.is_ours(missed)


async def test_a_press_is_left_to_the_process_that_gets_the_lease_meanwhile(
    client: GangBot, processes: tuple[Leases, Leases], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.process.shards.HOLD_SECONDS", 60)
    first, second = processes
    runner = ShardRunner(client, first, take_nothing_over)
    await first.step([])
    await second.step([0])
    clock.now += GONE_SECONDS + 1  # the first process is neither connected nor certain of its lease any more
    held = asyncio.create_task(runner.is_ours(press(client)))
    await asyncio.sleep(0)
    assert not held.done()
    await runner._step()
    assert not await held
    assert not first.served().ids
