"""New sessions at Discord begin one after another, and leave some of the day's."""

import asyncio
import logging
from typing import NoReturn

import discord
import pytest

from bot.discord_client.sessions import RESERVE, NewSessions
from bot.table.errors import StorageError


async def plenty() -> discord.SessionStartLimits:
    return discord.SessionStartLimits(total=1000, remaining=999, reset_after=0, max_concurrency=1)


async def test_a_process_keeps_the_lock_for_some_time_after_a_session_has_begun() -> None:
    lock = asyncio.Lock()
    sessions = NewSessions(lambda: lock)
    async with sessions.beginning(plenty):
        assert lock.locked()
    assert lock.locked()
    await sessions.close()
    assert not lock.locked()


async def test_the_lock_is_free_some_time_after_a_session_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_client.sessions.PACE_SECONDS", 0.0)
    sessions = NewSessions()
    for _ in range(3):
        async with sessions.beginning(plenty):
            pass


async def test_shards_of_a_process_begin_sessions_one_after_another() -> None:
    sessions, begun = NewSessions(), asyncio.Event()

    async def begin() -> None:
        async with sessions.beginning(plenty):
            begun.set()

    async with sessions.beginning(plenty):
        second = asyncio.create_task(begin())
        await asyncio.sleep(0)
    assert not begun.is_set()
    await sessions.close()
    await second


async def test_the_last_sessions_of_a_day_are_left(caplog: pytest.LogCaptureFixture) -> None:
    left = iter([RESERVE, RESERVE, RESERVE + 1])

    async def few() -> discord.SessionStartLimits:
        return discord.SessionStartLimits(total=1000, remaining=next(left), reset_after=0, max_concurrency=1)

    sessions = NewSessions()
    with caplog.at_level(logging.WARNING):
        async with sessions.beginning(few):
            assert next(left, None) is None
    await sessions.close()
    (record,) = caplog.records
    assert record.getMessage().startswith("Discord allows only 20 more sessions: no new one begins before ")


async def test_others_can_begin_a_session_while_a_process_waits_for_the_next_day() -> None:
    lock, asked = asyncio.Lock(), asyncio.Event()

    async def none() -> discord.SessionStartLimits:
        asked.set()
        return discord.SessionStartLimits(total=1000, remaining=0, reset_after=3_600_000, max_concurrency=1)

    async def begin() -> None:
        async with NewSessions(lambda: lock).beginning(none):
            pytest.fail("it began")

    waiting = asyncio.create_task(begin())
    await asked.wait()
    async with lock:
        assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_without_the_database_no_session_begins() -> None:
    def unreachable() -> NoReturn:
        raise StorageError("refused")

    with pytest.raises(ConnectionError, match="the database can't be reached: refused"):
        async with NewSessions(unreachable).beginning(plenty):
            pytest.fail("it began")
