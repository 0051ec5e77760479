"""Draws pictures in a separate process, so the event loop never waits for a drawing."""

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Final, TypeVarTuple

from bot.base.fair_lock import FairLock
from bot.base.fair_queue import QueueLimits, Requester
from bot.base.worker_process import Worker

TIMEOUT_SECONDS: Final = 20.0
"""The timeout of a drawing. On an idle machine an animation, the slowest, takes two seconds; the first start one."""

SHAPING: Final = ("raqm", "fribidi")
"""The parts of Pillow that join Arabic letters and draw text from right to left."""

Arguments = TypeVarTuple("Arguments")
log = logging.getLogger(__name__)


class RenderError(Exception):
    """The drawing failed, took too long or couldn't start. Its cause says why."""


def _has_features(names: tuple[str, ...]) -> bool:
    features = import_module("PIL.features")  # it takes memory, so the app's own process doesn't load it
    return all(map(features.check, names))


class RenderWorker:
    """Draws one picture at a time. Close it after use."""

    def __init__(self, limits: QueueLimits, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.timeout_seconds = timeout_seconds
        self._lock = FairLock("pictures", limits)
        self._has_checked_shaping = False
        self._worker = Worker("drawing")

    async def draw(
        self, function: Callable[[*Arguments], bytes], *arguments: *Arguments, requester: Requester | None = None
    ) -> bytes:
        """Return the result of `function`, which must be importable by name. The app's own drawings have no requester.

        A canceled request leaves the queue. Raises `RenderError`, or `QueueFull` if too many requests wait.
        """
        async with self._lock.turn(requester):
            try:
                await self._check_shaping()
                return await self._worker.call(self.timeout_seconds, function, *arguments)
            except Exception as error:
                name = getattr(function, "__qualname__", "a drawing")
                raise RenderError(f"{name} failed: {error}") from error

    async def close(self) -> None:
        """End the process, even while it draws, and refuse all waiting requests."""
        await self._worker.close()

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
