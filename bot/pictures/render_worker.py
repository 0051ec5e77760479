"""Draws pictures in a separate process, so the event loop never waits for a drawing.

One thread communicates with the process, so its state isn't shared. A process that died or took too long is replaced
for the next drawing. The process ends when the app has ended, even if the app was killed.
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

TIMEOUT_SECONDS: Final = 20.0
"""The timeout of a drawing. On an idle machine an animation, the slowest, takes two seconds; the first start one."""

Arguments = TypeVarTuple("Arguments")


class RenderError(Exception):
    """The drawing failed, took too long or couldn't start. Its cause says why."""


@dataclass(eq=False, slots=True)
class _Job:
    function: Callable[..., bytes]
    arguments: tuple[object, ...]
    drawn: "asyncio.Future[bytes]"


class RenderWorker:
    """Draws one picture at a time. Close it after use."""

    def __init__(self, limits: QueueLimits, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.timeout_seconds = timeout_seconds
        self._queue: FairQueue[_Job] = FairQueue(limits)
        self._is_drawing = False
        self._closed = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="render worker")
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    async def draw(
        self, function: Callable[[*Arguments], bytes], *arguments: *Arguments, requester: Requester | None = None
    ) -> bytes:
        """Return the result of `function`, which must be importable by name. The app's own drawings have no requester.

        A cancelled request leaves the queue. Raises `RenderError`, or `QueueFull` if too many requests wait.
        """
        if self._closed:
            raise RenderError("the render worker is closed")
        job = _Job(function, arguments, asyncio.get_running_loop().create_future())
        self._queue.add(job, requester)
        self._start_next()
        try:
            return await job.drawn
        finally:
            self._queue.discard(job)

    async def close(self) -> None:
        """End the process, even while it draws, and refuse all waiting requests."""
        self._closed = True
        while (job := self._queue.take()) is not None:
            job.drawn.set_exception(RenderError("the render worker is closed"))
        self._kill()
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._discard_process)

    def _start_next(self) -> None:
        """Start the next drawing, unless one is running."""
        if self._is_drawing or (job := self._queue.take()) is None:
            return
        self._is_drawing = True
        drawing = asyncio.get_running_loop().run_in_executor(self._thread, self._draw, job.function, job.arguments)
        drawing.add_done_callback(partial(self._finish, job))

    def _finish(self, job: _Job, drawing: "asyncio.Future[bytes]") -> None:
        """Deliver a drawing, unless the request was cancelled."""
        self._is_drawing = False
        error = drawing.exception()
        if not job.drawn.done():
            if error is None:
                job.drawn.set_result(drawing.result())
            else:
                job.drawn.set_exception(error)
        self._start_next()

    def _draw(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> bytes:
        """Draw. Runs in the thread."""
        name = getattr(function, "__qualname__", "a drawing")
        try:
            return self._submit(function, arguments).result(self.timeout_seconds)
        except (TimeoutError, BrokenExecutor) as error:
            self._discard_process()
            raise RenderError(f"{name} took too long, or its process died") from error
        except RenderError:
            raise
        except Exception as error:
            raise RenderError(f"{name} failed") from error

    def _submit(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> "Future[bytes]":
        try:
            return self._process().submit(function, *arguments)
        except BrokenExecutor:  # it died while it was idle
            self._discard_process()
            return self._process().submit(function, *arguments)

    def _process(self) -> ProcessPoolExecutor:
        if self._pool is None and not self._closed:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_initialize_process)
            self._pid = self._pool.submit(os.getpid).result(self.timeout_seconds)
        if self._pool is None or self._closed:
            raise RenderError("the render worker is closed")
        return self._pool

    def _discard_process(self) -> None:
        """Kill the process if it is alive, and forget it."""
        self._kill()
        pool, self._pool, self._pid = self._pool, None, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _kill(self) -> None:
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()


def _initialize_process() -> None:
    """Set up the process to ignore Ctrl-C, which the app handles, and to end with the app."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, name="end with the app", daemon=True).start()


def _exit_with_parent() -> None:
    app = multiprocessing.parent_process()
    if app is not None:
        app.join()
        os._exit(0)
