"""The studio draws beside the event loop, says so when it cannot, and leaves nothing behind."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.engine.cards import parse_card
from bot.pictures.emoji import card_emoji
from bot.pictures.score_sheet import score_sheet
from bot.pictures.studio import NotDrawn, Studio
from tests.pictures import drawings
from tests.pictures.samples import NAMES, made_up

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
async def studio() -> AsyncIterator[Studio]:
    studio = Studio()
    yield studio
    await studio.close()
    assert not multiprocessing.active_children()


async def test_it_draws_what_is_drawn_here_in_another_process(studio: Studio) -> None:
    sheet = made_up(NAMES, 3)
    assert await studio.draw(score_sheet, sheet) == score_sheet(sheet)
    assert await studio.draw(card_emoji, parse_card("7G")) == card_emoji(parse_card("7G"))
    assert int(await studio.draw(drawings.who)) != os.getpid()


async def test_one_worker_draws_everything_in_turn(studio: Studio) -> None:
    workers = await asyncio.gather(*(studio.draw(drawings.who) for _ in range(5)))
    assert len(set(workers)) == 1
    assert len(multiprocessing.active_children()) == 1


async def test_no_worker_is_started_before_it_is_needed(studio: Studio) -> None:
    assert not multiprocessing.active_children()
    assert await studio.draw(drawings.echo, "ab", 2) == b"abab"


async def test_a_drawing_that_fails_is_one_error_with_its_cause(studio: Studio) -> None:
    with pytest.raises(NotDrawn, match="spill failed") as failure:
        await studio.draw(drawings.spill)
    assert isinstance(failure.value.__cause__, ValueError)
    worker = await studio.draw(drawings.who)
    with pytest.raises(NotDrawn):
        await studio.draw(lambda: b"cannot be found by name")
    assert await studio.draw(drawings.who) == worker


async def test_it_survives_a_worker_that_dies_while_it_draws(studio: Studio) -> None:
    first = await studio.draw(drawings.who)
    with pytest.raises(NotDrawn, match="died"):
        await studio.draw(drawings.die)
    assert await studio.draw(drawings.who) != first


async def test_it_survives_a_worker_that_is_killed_in_between(studio: Studio) -> None:
    os.kill(int(await studio.draw(drawings.who)), signal.SIGKILL)
    try:
        await studio.draw(drawings.who)
    except NotDrawn:  # where the death is noticed only after the next drawing was handed over
        await studio.draw(drawings.who)


async def test_a_drawing_that_takes_too_long_is_given_up(studio: Studio) -> None:
    first = await studio.draw(drawings.who)
    limit, studio._limit = studio._limit, 0.1
    with pytest.raises(NotDrawn, match="too long"):
        await studio.draw(drawings.never)
    studio._limit = limit
    assert await studio.draw(drawings.who) != first


async def test_only_a_few_wait(studio: Studio, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    waiting = [asyncio.ensure_future(studio.draw(drawings.until, str(pipe))) for _ in range(8)]
    await asyncio.sleep(0)  # so that all have begun
    with pytest.raises(NotDrawn, match="8 drawings are waiting"):
        await studio.draw(drawings.who)
    for drawing in waiting:
        await asyncio.to_thread(pipe.write_bytes, b"go")  # opens once the worker reads
        assert await drawing == b"go"
    assert await studio.draw(drawings.who)


async def test_who_asked_may_go(studio: Studio) -> None:
    drawing = asyncio.ensure_future(studio.draw(drawings.spill))
    await asyncio.sleep(0)
    drawing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drawing
    assert await studio.draw(drawings.who)


async def test_closing_ends_what_is_being_drawn_and_refuses_the_rest() -> None:
    studio = Studio(limit_seconds=3600)
    await studio.draw(drawings.who)
    under_way = [asyncio.ensure_future(studio.draw(drawings.never)) for _ in range(3)]
    await asyncio.sleep(0)
    await studio.close()
    results = await asyncio.gather(*under_way, return_exceptions=True)
    assert [type(result) for result in results] == [NotDrawn] * 3
    assert not multiprocessing.active_children()
    with pytest.raises(NotDrawn, match="closed"):
        await studio.draw(drawings.who)
    await studio.close()


async def test_closing_what_was_never_used() -> None:
    await Studio().close()


KILLED = """
import asyncio, os, signal
from bot.pictures.studio import Studio
from tests.pictures import drawings

async def main():
    print((await Studio().draw(drawings.who)).decode(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_the_worker_ends_when_the_app_is_killed() -> None:
    """Its output ends only when all who could write to it have ended."""
    app = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert app.returncode == -signal.SIGKILL
    assert int(app.stdout)
