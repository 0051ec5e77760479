"""A process for work that would block the event loop: drawing, and the moves of the stronger AI players.

It starts when it is first needed. One that died or took too long is replaced at the next call. It ends when the app
has ended, even if the app was killed. All methods block, so call them from one thread that isn't the event loop's;
`kill` may be called from any.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class WorkerLost(Exception):
    """The work took too long, its process died, or it is closed."""


class WorkerProcess:
    """One process. `close` it after use."""

    def __init__(self) -> None:
        self._closed = False
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    def call(self, seconds: float, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The result of `function`, which must be importable by name. Raises its error, or `WorkerLost`."""
        try:
            return self._submit(seconds, function, *arguments).result(seconds)
        except (TimeoutError, BrokenExecutor) as error:
            self._discard()
            raise WorkerLost("it took too long, or its process died") from error

    def kill(self) -> None:
        """End the process, even while it works, and start no other."""
        self._closed = True
        self._kill()

    def close(self) -> None:
        """End the process, and start no other."""
        self._closed = True
        self._discard()

    def _submit(
        self, seconds: float, function: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> "Future[Result]":
        try:
            return self._running(seconds).submit(function, *arguments)
        except BrokenExecutor:  # it died while it was idle
            self._discard()
            return self._running(seconds).submit(function, *arguments)

    def _running(self, seconds: float) -> ProcessPoolExecutor:
        if self._pool is None and not self._closed:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_initialize)
            self._pid = self._pool.submit(os.getpid).result(seconds)
        if self._pool is None or self._closed:
            raise WorkerLost("it is closed")
        return self._pool

    def _discard(self) -> None:
        """Kill the process if it is alive, and forget it."""
        self._kill()
        pool, self._pool, self._pid = self._pool, None, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _kill(self) -> None:
        for child in multiprocessing.active_children():
            if child.pid == self._pid:
                child.kill()


def _initialize() -> None:
    """Set up the process to ignore Ctrl-C, which the app handles, and to end with the app."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, name="end with the app", daemon=True).start()


def _exit_with_parent() -> None:
    app = multiprocessing.parent_process()
    if app is not None:
        app.join()
        os._exit(0)
