"""Long computations and exports: users take turns, queues are limited, and waiting holds no connection."""

import asyncio
from threading import Event

import pytest
from sqlalchemy import Pool, event

from bot.services.background import Background, RequestLock
from bot.services.guild_export import GuildExports
from bot.services.privacy import Privacy
from bot.table.limits import EXPORTS, WORK
from bot.table.refusals import TryAgainLater
from tests.measured import jobs
from tests.table_harness import ADA, BO, GUILD, TIMEOUT, TableHarness, requester

ELSEWHERE = GUILD + 1


async def test_users_are_served_in_turn() -> None:
    background, free, done = Background(), Event(), list[str]()
    first = asyncio.create_task(background.run(None, free.wait))
    await asyncio.sleep(0)
    assert background.is_busy
    waiting = [
        asyncio.create_task(background.run(requester(user, guild), done.append, name))
        for name, user, guild in (
            *(("Ada 1", 1, GUILD), ("Ada 2", 1, GUILD), ("Ada 3", 1, GUILD)),
            *(("Bo", 2, GUILD), ("Cy", 3, ELSEWHERE)),
        )
    ]
    await asyncio.sleep(0)
    assert jobs("background") == (5, 1)
    free.set()
    await asyncio.gather(first, *waiting)
    assert jobs("background") == (0, 0)
    assert done == ["Ada 1", "Cy", "Bo", "Ada 2", "Ada 3"]
    assert not background.is_busy


async def test_waiting_requests_of_a_user_are_limited() -> None:
    background, free = Background(), Event()
    first = asyncio.create_task(background.run(requester(1), free.wait))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(background.run(requester(1), int)) for _ in range(WORK.per_user)]
    await asyncio.sleep(0)
    with pytest.raises(TryAgainLater):
        await background.run(requester(1, ELSEWHERE), int)
    other = asyncio.create_task(background.run(requester(2), int))
    free.set()
    await asyncio.gather(first, other, *waiting)


async def test_cancelled_requests_leave_the_lock_to_others() -> None:
    lock, seen = RequestLock("exports", EXPORTS), list[int]()

    async def take(user: int) -> None:
        async with lock.turn(requester(user)):
            seen.append(user)

    async with lock.turn(requester(1)):
        waits, goes, stays = [asyncio.create_task(take(user)) for user in (2, 3, 4)]
        await asyncio.sleep(0)
        waits.cancel()
        await asyncio.wait({waits})
    goes.cancel()  # just as it gets the lock
    await asyncio.wait({goes, stays})
    assert seen == [4]
    assert not lock.is_held


async def test_exports_hold_one_connection_however_many_are_made(harness: TableHarness) -> None:
    await harness.match(3, 0)
    privacy = Privacy(harness.database, harness.exports, harness.clock.milliseconds)
    guild = GuildExports(harness.database, harness.exports)
    held, most = 0, 0

    def taken(*_: object) -> None:
        nonlocal held, most
        held += 1
        most = max(most, held)

    def given_back(*_: object) -> None:
        nonlocal held
        held -= 1

    users = [requester(user, user) for user in range(1, EXPORTS.total)]
    event.listen(Pool, "checkout", taken)
    event.listen(Pool, "checkin", given_back)
    try:
        await asyncio.gather(*map(privacy.export, users), guild.export(requester(ADA.user_id), lambda _: True, 10**6))
    finally:
        event.remove(Pool, "checkout", taken)
        event.remove(Pool, "checkin", given_back)
    assert most == 1


async def test_exports_do_not_wait_for_other_long_work(harness: TableHarness) -> None:
    privacy, free = Privacy(harness.database, harness.exports, harness.clock.milliseconds), Event()
    busy = asyncio.create_task(harness.background.run(requester(BO.user_id), free.wait))
    async with asyncio.timeout(TIMEOUT):
        await privacy.export(requester(ADA.user_id))
    free.set()
    await busy


async def test_a_user_cannot_queue_exports(harness: TableHarness) -> None:
    privacy = Privacy(harness.database, harness.exports, harness.clock.milliseconds)
    found = await asyncio.gather(*(privacy.export(requester(ADA.user_id)) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(each, TryAgainLater) for each in found) == 3
