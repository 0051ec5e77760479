"""Draws pictures in a separate process, so the event loop never waits for a drawing."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final, TypeVarTuple

from bot.base import metrics
from bot.base.fair_queue import FairQueue, QueueLimits, Requester
from bot.base.worker_process import Worker

TIMEOUT_SECONDS: Final = 20.0
"""The timeout of a drawing. On an idle machine an animation, the slowest, takes two seconds; the first start one."""

SHAPING: Final = ("raqm", "fribidi")
"""The parts of Pillow that join Arabic letters and draw text from right to left."""

Arguments = TypeVarTuple("Arguments")
log = logging.getLogger(__name__)


class RenderError(Exception):
    """The drawing failed, took too long or couldn't start. Its cause says why."""


@dataclass(eq=False, slots=True)
class _Job:
    function: Callable[..., bytes]
    arguments: tuple[object, ...]
    drawn: "asyncio.Future[bytes]"
    measured: metrics.Job


def _has_features(names: tuple[str, ...]) -> bool:
    features = import_module("PIL.features")  # it takes memory, so the app's own process doesn't load it
    return all(map(features.check, names))


class RenderWorker:
    """Draws one picture at a time. Close it after use."""

    def __init__(self, limits: QueueLimits, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.timeout_seconds = timeout_seconds
        self._queue: FairQueue[_Job] = FairQueue(limits)
        self._is_drawing = False
        self._closed = False
        self._has_checked_shaping = False
        self._worker = Worker("drawing")

    async def draw(
        self, function: Callable[[*Arguments], bytes], *arguments: *Arguments, requester: Requester | None = None
    ) -> bytes:
        """Return the result of `function`, which must be importable by name. The app's own drawings have no requester.

        A cancelled request leaves the queue. Raises `RenderError`, or `QueueFull` if too many requests wait.
        """
        if self._closed:
            raise RenderError("the render worker is closed")
        with metrics.Job("pictures") as measured:
            job = _Job(function, arguments, asyncio.get_running_loop().create_future(), measured)
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
        await self._worker.close()

    def _start_next(self) -> None:
        """Start the next drawing, unless one is running."""
        if self._is_drawing or (job := self._queue.take()) is None:
            return
        self._is_drawing = True
        job.measured.start()
        drawing = asyncio.ensure_future(self._draw(job.function, job.arguments))
        drawing.add_done_callback(partial(self._finish, job))

    def _finish(self, job: _Job, drawing: "asyncio.Future[bytes]") -> None:
        """Deliver a drawing, unless the request was cancelled. The end of the event loop cancels the drawing itself."""
        self._is_drawing = False
        error = RenderError("the app stops") if drawing.cancelled() else drawing.exception()
        if not job.drawn.done():
            if error is None:
                job.drawn.set_result(drawing.result())
            else:
                job.drawn.set_exception(error)
        self._start_next()

    async def _draw(self, function: Callable[..., bytes], arguments: tuple[object, ...]) -> bytes:
        name = getattr(function, "__qualname__", "a drawing")
        try:
            await self._check_shaping()
            return await self._worker.call(self.timeout_seconds, function, *arguments)
        except Exception as error:
            raise RenderError(f"{name} failed: {error}") from error

    async def _check_shaping(self) -> None:
        """Warn the host before the first drawing if pictures would show some names wrongly."""
        if self._has_checked_shaping:
            return
        self._has_checked_shaping = True
        if not await self._worker.call(self.timeout_seconds, _has_features, SHAPING):
            log.warning(
                "Pillow can't shape text here, so pictures show names in Hebrew and Arabic backwards: "
                "install the library fribidi (in Debian the package libfribidi0)"
            )
