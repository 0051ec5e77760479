"""The clock, its timers and snowflakes."""

import asyncio

import pytest

from playground.clock import Clock, Snowflakes, snowflake_at, snowflake_time


async def test_advancing_runs_due_timers_in_order() -> None:
    clock, ran = Clock(), list[str]()
    clock.call_later(20, lambda: ran.append("late"))
    clock.call_later(10, lambda: ran.append("early"))
    clock.call_later(30, lambda: ran.append("later"))
    clock.call_later(15, lambda: ran.append("never")).cancel()
    clock.advance(25)
    assert ran == ["early", "late"]
    clock.stop()


async def test_timers_run_in_real_time() -> None:
    clock, rang = Clock(), asyncio.Event()
    clock.call_later(0.01, rang.set)
    async with asyncio.timeout(5):
        await rang.wait()
    clock.stop()


def test_time_cannot_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        Clock().advance(-1)


async def test_snowflakes_are_unique_and_contain_their_time() -> None:
    clock = Clock()
    snowflakes = Snowflakes(clock)
    first = [snowflakes.next() for _ in range(5000)]
    clock.advance(3600)
    assert len(set(first)) == 5000
    assert first == sorted(first)
    assert snowflake_time(snowflakes.next()) - snowflake_time(first[0]) >= 3600
    assert snowflake_time(snowflake_at(1_700_000_000)) == 1_700_000_000
