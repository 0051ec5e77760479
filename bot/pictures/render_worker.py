"""A process of its own in which pictures are drawn, so the event loop never waits for a drawing.

One thread talks to the one process, so its state isn't shared. A process that broke or took too long is replaced for
the next drawing; it ends by itself when the app is gone, however the app ended.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVarTuple

from bot.fair_queue import FairQueue, QueueLimits, Requester
from bot.pictures.errors import RenderError

LIMIT_SECONDS: Final = 20.0
"""How long a drawing may take; on an idle machine the longest, an animation, takes two, and the first start one."""

Arguments = TypeVarTuple("Arguments")


@dataclass(eq=False, slots=True)
class _Job:
    function: Callable[..., bytes]
    arguments: tuple[object, ...]
    drawn: "asyncio.Future[bytes]"


class RenderWorker:
    """Draws one picture after the other; to be closed."""

    def __init__(self, limits: QueueLimits, limit_seconds: float = LIMIT_SECONDS) -> None:
        self._limit = limit_seconds
        self._queue: FairQueue[_Job] = FairQueue(limits)
        self._is_drawing = False
        self._closed = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="render worker")
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    async def draw(
        self, function: Callable[[*Arguments], bytes], *arguments: *Arguments, requester: Requester | None = None
    ) -> bytes:
        """The result of `function`, which must be importable by its name; the app's own drawings have no requester.

        A cancelled request leaves the queue. Raises `RenderError`, or `QueueFull` if too many wait.
        """
        if self._closed:
            raise RenderError("the render worker is closed")
        job = _Job(function, arguments, asyncio.get_running_loop().create_future())
        self._queue.add(job, requester)
        self._go_on()
        try:
            return await job.drawn
        finally:
            self._queue.discard(job)

    async def close(self) -> None:
        """End the process, whatever it is drawing; all that wait are refused."""
        self._closed = True
        while (job := self._queue.take()) is not None:
            job.drawn.set_exception(RenderError("the render worker is closed"))
        self._kill()
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._dismiss)

    def _go_on(self) -> None:
        """Begin the next drawing, unless one is under way."""
        if self._is_drawing or (job := self._queue.take()) is None:
            return
        self._is_drawing = True
        drawing = asyncio.get_running_loop().run_in_executor(self._thread, self._draw, job.function, job.arguments)
        drawing.add_done_callback(partial(self._finish, job))

    def _finish(self, job: _Job, drawing: "asyncio.Future[bytes]") -> None:
        """Hand over a drawing, unless the request was cancelled meanwhile."""
        self._is_drawing = False
        error = drawing.exception()
        if not job.drawn.done():
            if error is None:
                job.drawn.set_result(drawing.result())
            else:
                job.drawn.set_exception(error)
        self._go_on()

    def _draw(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> bytes:
        """Draw; this runs in the thread."""
        name = getattr(function, "__qualname__", "a drawing")
        try:
            return self._begun(function, arguments).result(self._limit)
        except (TimeoutError, BrokenExecutor) as error:
            self._dismiss()
            raise RenderError(f"{name} took too long, or its process died") from error
        except RenderError:
            raise
        except Exception as error:
            raise RenderError(f"{name} failed") from error

    def _begun(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> "Future[bytes]":
        try:
            return self._process().submit(function, *arguments)
        except BrokenExecutor:  # it died while it had nothing to do
            self._dismiss()
            return self._process().submit(function, *arguments)

    def _process(self) -> ProcessPoolExecutor:
        if self._pool is None and not self._closed:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_live_as_long_as_the_app)
            self._pid = self._pool.submit(os.getpid).result(self._limit)
        if self._pool is None or self._closed:
            raise RenderError("the render worker is closed")
        return self._pool

    def _dismiss(self) -> None:
        """Let go of the process, alive or not."""
        self._kill()
        pool, self._pool, self._pid = self._pool, None, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _kill(self) -> None:
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()


def _live_as_long_as_the_app() -> None:
    """In the process: leave Ctrl-C to the app, and end when the app has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_app, name="end with the app", daemon=True).start()


def _end_with_the_app() -> None:
    app = multiprocessing.parent_process()
    if app is not None:
        app.join()
        os._exit(0)
