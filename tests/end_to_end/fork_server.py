"""A fork server that starts the app as `python -m bot` does and can crash it at a given step.

`python -m tests.end_to_end.fork_server` imports the app and warms it up once. For each line of JSON on its standard
input it forks an app, and writes the child's process id and later its exit code. `controls` names a file of `Controls`:

- each step of a task is counted before it runs, that is, each point at which a coroutine continues;
- at the step in `CRASH_AT` the process kills itself with SIGKILL;
- the services' wall clock is off by `CLOCK_OFFSET`;
- SQLite's work is counted;
- looks at the deadlines are counted.

`constants` replaces constants of the app, such as retry intervals.
"""

import asyncio
import ctypes
import gc
import json
import os
import resource
import select
import signal
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable, Coroutine, Generator
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

import uvloop

from bot import __main__ as app
from bot.process.process_setup import fill_caches
from bot.services import clock
from bot.services.deadlines import Deadlines
from tests.end_to_end.app_process import Control, Controls

Work: TypeAlias = Coroutine[Any, Any, Any]
DIE_WITH_PARENT: Final = 1
INSTRUCTIONS = 0
"""SQLite's instructions are counted in steps of this size; 0 counts none."""
PRIVILEGED = True
"""False drops all capabilities, so that file modes apply to root too."""
MAX_FILE = 0
"""Bytes that a file may have, as on a full disk; 0 for any number."""


def drop_privileges() -> None:
    """Give up every capability."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")


def count_steps(controls: Controls) -> None:
    """Count each step of a task, and crash before the chosen one."""
    new_loop = uvloop.new_event_loop

    def count() -> None:
        steps = controls[Control.STEPS] + 1
        controls[Control.STEPS] = steps
        if steps == controls[Control.CRASH_AT]:
            os.kill(os.getpid(), signal.SIGKILL)

    def create_task(loop: asyncio.AbstractEventLoop, work: Work, **options: Any) -> asyncio.Task[Any]:  # noqa: ANN401
        return asyncio.Task(CountedSteps(work, count), loop=loop, **options)

    def new_counting_loop() -> uvloop.Loop:
        loop = new_loop()
        loop.set_task_factory(create_task)  # type: ignore[arg-type]  # uvloop's type lacks the options
        return loop

    uvloop.new_event_loop = new_counting_loop  # a function replaced, to count


class CountedSteps(Coroutine[Any, Any, Any]):
    """A coroutine that calls `count` whenever it continues."""

    def __init__(self, work: Work, count: Callable[[], None]) -> None:
        self._work = work
        self._count = count

    def send(self, value: object) -> object:
        """Continue with the result of what was awaited."""
        self._count()
        return self._work.send(value)

    def throw(self, *error: Any) -> object:  # noqa: ANN401  # as in `Coroutine`
        """Continue with an error of what was awaited."""
        self._count()
        return self._work.throw(*error)

    def close(self) -> None:
        """End."""
        self._work.close()

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._work.__await__()


def set_clock(controls: Controls) -> None:
    """Shift the wall clock by the test's offset."""

    def milliseconds() -> int:
        return time.time_ns() // 1_000_000 + controls[Control.CLOCK_OFFSET]

    clock.milliseconds = milliseconds  # a function replaced, to jump


def count_looks(controls: Controls) -> None:
    """Count the looks at deadlines after which no action runs, and those with a connection."""
    look = Deadlines.look

    async def counted(self: Deadlines) -> float:
        is_connected = not self.connected().is_empty
        seconds = await look(self)
        controls[Control.CONNECTED_LOOKS] += is_connected
        controls[Control.IDLE_LOOKS] += self.is_idle
        return seconds

    Deadlines.look = counted  # type: ignore[method-assign]  # a function replaced, to count


def count_database_work(controls: Controls) -> None:
    """Count SQLite's instructions."""
    connect = sqlite3.connect

    def counting(*arguments: Any, **options: Any) -> sqlite3.Connection:  # noqa: ANN401
        connection: sqlite3.Connection = connect(*arguments, **options)

        def worked() -> int:
            controls[Control.DATABASE_WORK] += 1
            return 0

        connection.set_progress_handler(worked, INSTRUCTIONS)
        return connection

    sqlite3.connect = counting  # type: ignore[assignment]  # one signature for all of its overloads


def set_constants(constants: dict[str, Any]) -> None:
    """Set each `package.module.NAME` to its value."""
    for place, value in constants.items():
        module, _, name = place.rpartition(".")
        imported = import_module(module)  # the page's modules are imported only if it's served
        assert hasattr(imported, name)
        setattr(imported, name, value)


def become_the_app(order: dict[str, Any]) -> NoReturn:
    """Run the app in this process as `python -m bot` does."""
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for output in (1, 2):
        os.dup2(log, output)
    os.environ.clear()
    os.environ.update(order["environment"])
    code = 1
    try:
        set_constants(order["constants"])
        if not PRIVILEGED:
            drop_privileges()
        if MAX_FILE:
            resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE, MAX_FILE))
        apply_controls(Controls(Path(order["controls"])))
        code = app.main([])
    except SystemExit as end:
        code = int(end.code or 0)
    except Exception:  # the exit below would hide it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def apply_controls(controls: Controls) -> None:
    """Apply the controls that the module's docstring lists."""
    for counter in (Control.STEPS, Control.DATABASE_WORK, Control.IDLE_LOOKS, Control.CONNECTED_LOOKS):
        controls[counter] = 0
    count_steps(controls)
    count_looks(controls)
    set_clock(controls)
    if INSTRUCTIONS:
        count_database_work(controls)


def say(**facts: int) -> None:
    """Write a line of JSON for the test."""
    os.write(1, json.dumps(facts).encode() + b"\n")


def serve(woken: int) -> None:
    """Start an app for each line of the standard input, and report when one has ended."""
    running: dict[int, int] = {}
    text = b""
    while True:
        ready, _, _ = select.select([0, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        for pid in list(running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                say(number=running.pop(pid), code=os.waitstatus_to_exitcode(status))
        if 0 in ready:
            read = os.read(0, 65536)
            if not read:
                return
            *lines, text = (text + read).split(b"\n")
            for line in lines:
                order = json.loads(line)
                child = os.fork()
                if child == 0:
                    become_the_app(order)
                running[child] = order["number"]
                say(number=order["number"], pid=child)


def main() -> None:
    """Warm up the app, then serve."""
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    fill_caches()
    gc.collect()
    gc.freeze()  # otherwise each app scans all that it has in common with this process
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    serve(woken)


if __name__ == "__main__":
    main()
