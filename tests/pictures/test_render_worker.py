"""The render worker: drawing in another process, errors, queueing and closing."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest

from bot.base.fair_queue import QueueFull, QueueLimits, Requester
from bot.engine.cards import parse_card
from bot.pictures.descriptions import Emoji, draw
from bot.pictures.emoji import emoji
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.pictures.score_sheet import score_sheet
from tests.measured import finished_jobs, jobs
from tests.pictures.samples import NAMES, sheet_of

LIMITS = QueueLimits(per_user=2, per_guild=3, total=4)
ROOT = Path(__file__).parent.parent.parent


# Drawings that the worker's process imports by name.


def process_id() -> bytes:
    return str(os.getpid()).encode()


def echo(text: str, times: int) -> bytes:
    return (text * times).encode()


def fail() -> bytes:
    raise ValueError("the ink is spilt")


def kill_self() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def block_forever() -> bytes:
    Event().wait()
    return b""


def wait_for_pipe(path: str) -> bytes:
    """Wait until the test writes to the pipe at `path`."""
    with open(path, "rb") as pipe:  # noqa: PTH123  # a FIFO
        return pipe.read()


@pytest.fixture
async def worker() -> AsyncIterator[RenderWorker]:
    worker = RenderWorker(LIMITS)
    yield worker
    await worker.close()
    assert not multiprocessing.active_children()


async def test_it_draws_the_same_picture_in_another_process(worker: RenderWorker) -> None:
    sheet, card = sheet_of(NAMES, 3), Emoji(parse_card("7G"))
    assert await worker.draw(draw, sheet) == score_sheet(sheet)
    assert await worker.draw(draw, card) == emoji(card)
    assert int(await worker.draw(process_id)) != os.getpid()


async def test_one_process_draws_everything(worker: RenderWorker) -> None:
    processes = await asyncio.gather(*(worker.draw(process_id) for _ in range(4)))
    assert len(set(processes)) == 1
    assert len(multiprocessing.active_children()) == 1


async def test_no_process_is_started_before_it_is_needed(worker: RenderWorker) -> None:
    assert not multiprocessing.active_children()
    assert await worker.draw(echo, "ab", 2) == b"abab"


async def test_a_drawing_that_fails_is_one_error_with_its_cause(worker: RenderWorker) -> None:
    with pytest.raises(RenderError, match="fail failed") as failure:
        await worker.draw(fail)
    assert isinstance(failure.value.__cause__, ValueError)
    process = await worker.draw(process_id)
    with pytest.raises(RenderError):
        await worker.draw(lambda: b"cannot be found by name")
    assert await worker.draw(process_id) == process


async def test_it_survives_a_process_that_dies_while_it_draws(worker: RenderWorker) -> None:
    first = await worker.draw(process_id)
    with pytest.raises(RenderError, match="died"):
        await worker.draw(kill_self)
    assert await worker.draw(process_id) != first


async def test_it_survives_a_process_that_is_killed_while_idle(worker: RenderWorker) -> None:
    os.kill(int(await worker.draw(process_id)), signal.SIGKILL)
    try:
        await worker.draw(process_id)
    except RenderError:  # if the pool notices the death only after it got the next drawing
        await worker.draw(process_id)


async def test_a_drawing_that_takes_too_long_is_given_up(worker: RenderWorker) -> None:
    first = await worker.draw(process_id)
    limit, worker.timeout_seconds = worker.timeout_seconds, 0.1
    with pytest.raises(RenderError, match="too long"):
        await worker.draw(block_forever)
    worker.timeout_seconds = limit
    assert await worker.draw(process_id) != first


@asynccontextmanager
async def busy(worker: RenderWorker, pipe: Path) -> AsyncIterator[None]:
    """Keep the worker busy with a drawing inside the `with` block."""
    os.mkfifo(pipe)
    drawing = asyncio.ensure_future(worker.draw(wait_for_pipe, str(pipe)))
    await asyncio.sleep(0)
    yield
    await asyncio.to_thread(pipe.write_bytes, b"go")  # opens once the worker reads
    assert await drawing == b"go"


async def test_one_user_cannot_fill_the_queue_of_others(worker: RenderWorker, tmp_path: Path) -> None:
    greedy, neighbor, elsewhere = Requester(1, 10), Requester(1, 11), Requester(2, 12)
    async with busy(worker, tmp_path / "pipe"):
        asked: list[asyncio.Future[bytes]] = []
        order: list[str] = []

        async def ask(name: str, requester: Requester | None) -> None:
            drawing = asyncio.ensure_future(worker.draw(echo, name, 1, requester=requester))
            drawing.add_done_callback(lambda _: order.append(name))
            asked.append(drawing)
            await asyncio.sleep(0)

        for number in range(100):
            await ask(f"greedy {number}", greedy)
        await ask("neighbor", neighbor)
        await ask("elsewhere", elsewhere)
        await ask("result", None)
    answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, QueueFull)]
    assert len(refused) == 98
    assert all(refusal.is_user_limit for refusal in refused)
    assert order[-5:] == ["result", "greedy 0", "elsewhere", "neighbor", "greedy 1"]


async def test_a_cancelled_request_leaves_the_queue(worker: RenderWorker, tmp_path: Path) -> None:
    requester = Requester(1, 10)
    async with busy(worker, tmp_path / "pipe"):
        for _ in range(10):
            waiting = asyncio.ensure_future(worker.draw(kill_self, requester=requester))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
    assert await worker.draw(echo, "a", 1, requester=requester) == b"a"


async def test_waiting_and_running_drawings_are_measured(worker: RenderWorker, tmp_path: Path) -> None:
    waited, ran = finished_jobs("pictures")
    async with busy(worker, tmp_path / "pipe"):
        waiting = asyncio.ensure_future(worker.draw(echo, "a", 1))
        await asyncio.sleep(0)
        assert jobs("pictures") == (1, 1)
    await waiting
    assert jobs("pictures") == (0, 0)
    assert finished_jobs("pictures") == (waited + 2, ran + 2)


async def test_a_request_may_be_cancelled_while_it_is_drawn(worker: RenderWorker) -> None:
    drawing = asyncio.ensure_future(worker.draw(fail))
    await asyncio.sleep(0)
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert await worker.draw(process_id)


async def test_closing_stops_the_current_drawing_and_refuses_the_others() -> None:
    worker = RenderWorker(LIMITS, timeout_seconds=3600)
    await worker.draw(process_id)
    under_way = [asyncio.ensure_future(worker.draw(block_forever)) for _ in range(3)]
    await asyncio.sleep(0)
    await worker.close()
    results = await asyncio.gather(*under_way, return_exceptions=True)
    assert [type(result) for result in results] == [RenderError] * 3
    assert not multiprocessing.active_children()
    with pytest.raises(RenderError, match="closed"):
        await worker.draw(process_id)
    await worker.close()


async def test_a_drawing_that_the_event_loop_cancels_at_its_end_causes_no_error() -> None:
    worker, errors, loop = RenderWorker(LIMITS), list[object](), asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: errors.append(context))
    request = asyncio.ensure_future(worker.draw(block_forever))
    await asyncio.sleep(0)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    await worker.close()
    loop.set_exception_handler(None)
    assert errors == []


async def test_closing_an_unused_worker() -> None:
    await RenderWorker(LIMITS).close()


KILLED = """
import asyncio, os, signal
from bot.base.fair_queue import QueueLimits
from bot.pictures.render_worker import RenderWorker
from tests.pictures.test_render_worker import process_id

async def main():
    print((await RenderWorker(QueueLimits(2, 3, 4)).draw(process_id)).decode(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_the_worker_ends_when_the_app_is_killed() -> None:
    """Its output ends only when all processes that could write to it have ended."""
    app = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert app.returncode == -signal.SIGKILL
    assert int(app.stdout)
