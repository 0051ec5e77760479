"""Long work and exports: users get their turn, nobody can queue without end, and waiting holds no connection."""

import asyncio
from threading import Event

import pytest
from sqlalchemy import event

from bot.services.background import Background
from bot.services.fair_lock import EXPORTS_WAITING, WORK_WAITING, FairLock
from bot.services.guild_export import GuildExports
from bot.services.privacy import Privacy
from bot.table.refusals import TryAgainLater
from tests.services.house import ADA, BO, BOUND, GUILD, House, asks

ELSEWHERE = GUILD + 1


async def test_users_are_served_in_turn() -> None:
    background, free, done = Background(), Event(), list[str]()
    first = asyncio.create_task(background.run(None, free.wait))
    await asyncio.sleep(0)
    assert background.is_busy
    waiting = [
        asyncio.create_task(background.run(asks(user, guild), done.append, name))
        for name, user, guild in (
            *(("Ada 1", 1, GUILD), ("Ada 2", 1, GUILD), ("Ada 3", 1, GUILD)),
            *(("Bo", 2, GUILD), ("Cy", 3, ELSEWHERE)),
        )
    ]
    await asyncio.sleep(0)
    free.set()
    await asyncio.gather(first, *waiting)
    assert done == ["Ada 1", "Cy", "Bo", "Ada 2", "Ada 3"]
    assert not background.is_busy


async def test_a_user_can_only_wait_for_so_much() -> None:
    background, free = Background(), Event()
    first = asyncio.create_task(background.run(asks(1), free.wait))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(background.run(asks(1), int)) for _ in range(WORK_WAITING.per_user)]
    await asyncio.sleep(0)
    with pytest.raises(TryAgainLater):
        await background.run(asks(1, ELSEWHERE), int)
    other = asyncio.create_task(background.run(asks(2), int))
    free.set()
    await asyncio.gather(first, other, *waiting)


async def test_those_who_give_up_leave_the_lock_to_the_others() -> None:
    lock, seen = FairLock(EXPORTS_WAITING), list[int]()

    async def take(user: int) -> None:
        async with lock.turn(asks(user)):
            seen.append(user)

    async with lock.turn(asks(1)):
        waits, goes, stays = [asyncio.create_task(take(user)) for user in (2, 3, 4)]
        await asyncio.sleep(0)
        waits.cancel()
        await asyncio.wait({waits})
    goes.cancel()  # at the moment at which it is let in
    await asyncio.wait({goes, stays})
    assert seen == [4]
    assert not lock.is_held


async def test_exports_hold_one_connection_however_many_are_made(house: House) -> None:
    await house.match(3, 0)
    privacy = Privacy(house.database, house.exports, house.clock.milliseconds)
    guild = GuildExports(house.database, house.exports)
    pool, held, most = house.database._engine.sync_engine.pool, 0, 0  # there is no other way to look

    @event.listens_for(pool, "checkout")
    def taken(*_: object) -> None:
        nonlocal held, most
        held += 1
        most = max(most, held)

    @event.listens_for(pool, "checkin")
    def given_back(*_: object) -> None:
        nonlocal held
        held -= 1

    users = [asks(user, user) for user in range(1, EXPORTS_WAITING.total)]
    await asyncio.gather(*map(privacy.export, users), guild.export(asks(ADA.user_id), lambda _: True, 10**6))
    assert most == 1


async def test_exports_do_not_wait_for_other_long_work(house: House) -> None:
    privacy, free = Privacy(house.database, house.exports, house.clock.milliseconds), Event()
    busy = asyncio.create_task(house.background.run(asks(BO.user_id), free.wait))
    async with asyncio.timeout(BOUND):
        await privacy.export(asks(ADA.user_id))
    free.set()
    await busy


async def test_a_user_cannot_queue_exports(house: House) -> None:
    privacy = Privacy(house.database, house.exports, house.clock.milliseconds)
    found = await asyncio.gather(*(privacy.export(asks(ADA.user_id)) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(each, TryAgainLater) for each in found) == 3
