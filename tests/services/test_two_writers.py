"""Two processes change the same at the same time on PostgreSQL, which has many writers: no change is lost.

The first transaction stops after it has read. It goes on when the second one waits for it, or is over.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest
from sqlalchemy import func, select, text

from bot.services import recount
from bot.services.guild_settings import Guilds
from bot.services.user_settings import Users
from bot.storage import database as database_module
from bot.storage import guild_settings, locks, matches, migrating, par, ratings, seasons, user_settings
from bot.storage import recount as stored_recount
from bot.storage.database import Database
from bot.storage.schema import hand_players, scores
from bot.table.errors import StorageError
from bot.table.guild import GuildSettings
from bot.table.refusals import NotCurrentSeason
from tests.storage.sample_rows import table_row
from tests.table_harness import ADA, BO, CY, GUILD, TIMEOUT, TableHarness, requester

PEOPLE = {ADA.user_id, BO.user_id, CY.user_id}


@pytest.fixture
async def databases(postgresql_url: str) -> AsyncIterator[list[Database]]:
    """Two processes on one database, and a third one that watches."""
    opened = [Database(postgresql_url) for _ in range(3)]
    yield opened
    for database in opened:
        await database.close()


async def _is_waiting(watcher: Database) -> bool:
    """True if a transaction waits for another one."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with watcher.read() as connection:
        return bool(await connection.scalar(text(waiting)))


async def _both(
    watcher: Database,
    patch: pytest.MonkeyPatch,
    read: tuple[object, str],
    first: Coroutine[Any, Any, object],
    second: Coroutine[Any, Any, object],
) -> list[Any]:
    """Let the first stop after its query `read` until the second one waits or is over. Returns both results."""
    original, has_read, go_on = getattr(*read), asyncio.Event(), asyncio.Event()

    async def paused(*args: Any, **options: Any) -> Any:  # noqa: ANN401
        found = await original(*args, **options)
        if not has_read.is_set():
            has_read.set()
            await go_on.wait()
        return found

    patch.setattr(*read, paused)
    async with asyncio.timeout(TIMEOUT):
        one = asyncio.create_task(first)
        await has_read.wait()
        two = asyncio.create_task(second)
        while not (two.done() or await _is_waiting(watcher)):
            pass
        go_on.set()
        return list(await asyncio.gather(one, two, return_exceptions=True))


async def test_two_settings_of_a_user_are_both_stored(
    databases: list[Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, watcher = databases
    changes = Users(one).set(ADA.user_id, language="de"), Users(two).set(ADA.user_id, text_cards=True)
    await _both(watcher, monkeypatch, (user_settings, "load"), *changes)
    found = await Users(one).get(ADA.user_id)
    assert (found.language, found.text_cards) == ("de", True)


async def test_a_welcome_keeps_settings_that_are_stored_meanwhile(
    databases: list[Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, watcher = databases
    await _both(
        watcher,
        monkeypatch,
        (user_settings, "add"),
        Users(one).set_lesson(ADA.user_id, 3),
        Users(two).set(ADA.user_id, language="de"),
    )
    assert (await Users(one).get(ADA.user_id)).language == "de"
    assert await Users(one).lesson(ADA.user_id) == 3


async def test_two_settings_of_a_guild_are_both_stored(
    databases: list[Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, watcher = databases
    guilds = [Guilds(database, lambda: 0) for database in (one, two)]
    await _both(
        watcher,
        monkeypatch,
        (guild_settings, "load"),
        guilds[0].set_limit(requester(ADA.user_id), "host_tables", 9),
        guilds[1].record_locale(GUILD, "ja", "en"),
    )
    found: GuildSettings = await guilds[0].get(GUILD)
    assert (found.limits, found.locale) == ({"host_tables": 9}, "ja")


async def test_two_seasons_cannot_begin_at_once(databases: list[Database], monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, watcher = databases
    begun = [Guilds(database, lambda: 0).begin_season(requester(ADA.user_id), "Autumn") for database in (one, two)]
    first, second = await _both(watcher, monkeypatch, (seasons, "current"), *begun)
    assert (first, type(second)) == (None, NotCurrentSeason)


async def test_two_matches_that_end_at_once_both_count(
    databases: list[Database], monkeypatch: pytest.MonkeyPatch, any_target: None
) -> None:
    one, two, watcher = databases
    harnesses = TableHarness(one, seed=1), TableHarness(two, seed=2)
    first, second = [house.play_to_end(await house.match(3, 0)) for house in harnesses]
    await _both(watcher, monkeypatch, (ratings, "of_guild"), first, second)

    report = await recount.recount(one, GUILD, 0, lambda *_: None)
    assert report == recount.Report(GUILD, matches=2)  # nothing had to be corrected


async def test_pars_that_are_stored_during_a_recount_count(
    databases: list[Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, watcher = databases
    house = TableHarness(one)
    table = await house.play_to_end(await house.match(3, 0))
    await _both(
        watcher,
        monkeypatch,
        (stored_recount, "matches_with_par"),
        recount.recount(one, GUILD, 0, lambda *_: None),
        two.commit(par.store, table.id, {1: [100, 200, 300]}),
    )
    async with one.read() as connection:
        counted = select(func.sum(scores.c.par_hands)).where(scores.c.period == "all")
        assert await connection.scalar(counted) == 3
        assert await connection.scalar(select(func.sum(hand_players.c.par))) == 600


async def test_who_waits_too_long_is_refused(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    one, two = Database(postgresql_url), Database(postgresql_url)
    async with one.write() as connection:
        await locks.lock(connection, GUILD)
        for until in (None, asyncio.get_running_loop().time()):
            with pytest.raises(StorageError, match="lock timeout"):
                async with two.write(until) as other:
                    await locks.lock(other, GUILD)
    await two.commit(locks.lock, GUILD)
    for database in (one, two):
        await database.close()


async def test_a_start_waits_for_the_migration_of_another_process(
    empty_postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 0.05)
    one, two = Database(empty_postgresql_url), Database(empty_postgresql_url)
    async with one.write() as connection:
        await locks.lock(connection, migrating.LOCK)
        start = asyncio.create_task(two.upgrade())
        async with asyncio.timeout(TIMEOUT):
            while not (start.done() or await _is_waiting(one)):
                pass
        await asyncio.wait({start}, timeout=0.2)
    await start
    await two.require()
    for database in (one, two):
        await database.close()


async def test_of_two_that_wait_for_each_other_one_is_refused(databases: list[Database]) -> None:
    one, two, _ = databases
    numbers = [await one.commit(matches.create, table_row()) for _ in range(2)]
    met = asyncio.Barrier(2)

    async def change(database: Database, *tables: int) -> None:
        async with database.write() as connection:
            for number in tables:
                await locks.lock_tables(connection, [number])
                if number == tables[0]:
                    await met.wait()

    ends = await asyncio.gather(change(one, *numbers), change(two, *numbers[::-1]), return_exceptions=True)
    (error,) = [end for end in ends if end is not None]
    assert isinstance(error, StorageError)
    assert "deadlock" in str(error)
