"""A process for work that would block the event loop: drawing, and the moves of the stronger AI players.

It starts when it is first needed, and ends when it hasn't been needed for some time. One that died or took too long is
replaced at the next call. It ends when the app has ended, even if the app was killed.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Final, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class WorkerLost(Exception):
    """The work took too long, its process died, or it is closed."""


IDLE_SECONDS: Final = 600.0
"""A process without work for so long ends, which frees its memory."""


class Worker:
    """A process, and the thread that waits for its results. Close it after use."""

    def __init__(
        self, name: str, *, idle_seconds: float = IDLE_SECONDS, on_idle: Callable[[], None] | None = None
    ) -> None:
        """`name` is the thread's. `on_idle` is called on the event loop when the process ends for lack of work."""
        self._process = _Process()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._idle_seconds, self._on_idle = idle_seconds, on_idle
        self._calls = 0
        """The calls that run or wait."""
        self._timer: asyncio.TimerHandle | None = None

    async def call(
        self,
        seconds: float,
        function: Callable[[*Arguments], Result],
        *arguments: *Arguments,
        on_start: Callable[[], None] = lambda: None,
    ) -> Result:
        """The result of `function`, which must be importable by name. Raises its error, or `WorkerLost`.

        Calls wait for each other; `seconds` is the time for this one alone. `on_start` is called in the worker's thread
        when it's this one's turn.
        """

        def work() -> Result:
            on_start()
            return self._process.call(seconds, function, *arguments)

        if self._process.is_closed:
            raise WorkerLost("it is closed")
        loop = asyncio.get_running_loop()
        self._stop_timer()
        self._calls += 1
        called = loop.run_in_executor(self._thread, work)
        called.add_done_callback(self._count_end)
        return await called

    def kill(self) -> None:
        """End the process, even while it works, and start no other."""
        self._process.kill()

    async def close(self) -> None:
        """End the process, and start no other."""
        self.kill()
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._process.end)
        self._stop_timer()

    def _count_end(self, _called: "asyncio.Future[Result]") -> None:
        self._calls -= 1
        if not self._calls:
            self._timer = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)

    def _rest(self) -> None:
        self._timer = None
        if self._on_idle is not None:
            self._on_idle()
        self._thread.submit(self._process.end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Process:
    """The process of a worker. All methods block; only `kill` may be called outside the worker's thread."""

    def __init__(self) -> None:
        self.is_closed = False
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    def call(self, seconds: float, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The result of `function`, which must be importable by name. Raises its error, or `WorkerLost`."""
        try:
            return self._submit(seconds, function, *arguments).result(seconds)
        except (TimeoutError, BrokenExecutor) as error:
            self.end()
            raise WorkerLost("it took too long, or its process died") from error

    def kill(self) -> None:
        """End the process, even while it works, and start no other."""
        self.is_closed = True
        self._kill()

    def end(self) -> None:
        """End the process if it is alive. The next call starts another, unless it is closed."""
        self._kill()
        pool, self._pool, self._pid = self._pool, None, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)

    def _submit(
        self, seconds: float, function: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> "Future[Result]":
        try:
            return self._running(seconds).submit(function, *arguments)
        except BrokenExecutor:  # it died while it was idle
            self.end()
            return self._running(seconds).submit(function, *arguments)

    def _running(self, seconds: float) -> ProcessPoolExecutor:
        if self._pool is None and not self.is_closed:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_initialize)
            self._pid = self._pool.submit(os.getpid).result(seconds)
        if self._pool is None or self.is_closed:
            raise WorkerLost("it is closed")
        return self._pool

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
