"""The process of a worker ends without work, and starts again when it's needed."""

import asyncio
import multiprocessing
import os

import pytest

from bot.base.worker_process import Worker, WorkerLost


async def test_a_process_without_work_ends_and_the_next_call_starts_another() -> None:
    ended = asyncio.Event()
    worker = Worker("idle", idle_seconds=0, on_idle=ended.set)
    first = await worker.call(60, os.getpid)
    await ended.wait()
    assert await worker.call(60, os.getpid) not in (first, os.getpid())
    await worker.close()
    assert not multiprocessing.active_children()


async def test_a_process_stays_while_calls_wait() -> None:
    worker = Worker("busy", idle_seconds=0)
    assert len(set(await asyncio.gather(*(worker.call(60, os.getpid) for _ in range(4))))) == 1
    await worker.close()


async def test_a_closed_worker_starts_no_process() -> None:
    worker = Worker("killed")
    worker.kill()
    with pytest.raises(WorkerLost):
        await worker.call(60, os.getpid)
    await worker.close()
    assert not multiprocessing.active_children()
