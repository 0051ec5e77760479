"""A process of its own in which pictures are drawn: the event loop never waits for a drawing.

One thread speaks to the one worker, so nothing about it is shared. A worker that broke or took too long is replaced
at the next drawing; it ends itself when the app is gone, however that ended.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final, TypeVarTuple

MOST_WAITING: Final = 8
"""How many drawings are under way and waiting at most: one more is refused at once."""
LIMIT_SECONDS: Final = 20.0
"""How long a drawing may take; on an idle machine the longest, an animation, takes two, and a first start one."""

Arguments = TypeVarTuple("Arguments")


class NotDrawn(Exception):
    """There is no picture: the drawing failed, took too long, or could not be begun. Its cause says why."""


class Studio:
    """Draws one picture after the other; to be closed."""

    def __init__(self, limit_seconds: float = LIMIT_SECONDS, most_waiting: int = MOST_WAITING) -> None:
        self._limit = limit_seconds
        self._most = most_waiting
        self._waiting = 0
        self._closed = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio")
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    async def draw(self, function: Callable[[*Arguments], bytes], *arguments: *Arguments) -> bytes:
        """What `function` gives, which has to be importable by its name. Raises `NotDrawn`."""
        if self._closed:
            raise NotDrawn("the studio is closed")
        if self._waiting >= self._most:
            raise NotDrawn(f"{self._waiting} drawings are waiting")
        self._waiting += 1
        drawing = asyncio.get_running_loop().run_in_executor(self._thread, self._draw, function, arguments)
        drawing.add_done_callback(self._drawn)
        return await asyncio.shield(drawing)  # whoever asks may go; the worker is busy until it is done

    async def close(self) -> None:
        """End the worker, whatever it is drawing; all that wait are refused."""
        self._closed = True
        self._kill()
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._dismiss)

    def _drawn(self, drawing: "asyncio.Future[bytes]") -> None:
        self._waiting -= 1
        if not drawing.cancelled():
            drawing.exception()  # looked at here, since whoever asked may have gone

    def _draw(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> bytes:
        """In the thread of the studio."""
        name = getattr(function, "__qualname__", "a drawing")
        try:
            return self._begun(function, arguments).result(self._limit)
        except (TimeoutError, BrokenExecutor) as error:
            self._dismiss()
            raise NotDrawn(f"{name} took too long, or its process died") from error
        except NotDrawn:
            raise
        except Exception as error:
            raise NotDrawn(f"{name} failed") from error

    def _begun(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> "Future[bytes]":
        try:
            return self._worker().submit(function, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self._dismiss()
            return self._worker().submit(function, *arguments)

    def _worker(self) -> ProcessPoolExecutor:
        if self._pool is None and not self._closed:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_live_as_long_as_the_app)
            self._pid = self._pool.submit(os.getpid).result(self._limit)
        if self._pool is None or self._closed:
            raise NotDrawn("the studio is closed")
        return self._pool

    def _dismiss(self) -> None:
        """Let go of the worker, alive or not."""
        self._kill()
        pool, self._pool, self._pid = self._pool, None, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _kill(self) -> None:
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()


def _live_as_long_as_the_app() -> None:
    """In the worker: leave Ctrl-C to the app, and end when it has ended without a word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_app, name="end with the app", daemon=True).start()


def _end_with_the_app() -> None:
    app = multiprocessing.parent_process()
    if app is not None:
        app.join()
        os._exit(0)
