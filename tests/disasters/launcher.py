"""Starts the app as `python -m bot` runs it, in processes that can count their own steps and be told where to die.

`python -m tests.disasters.launcher` imports the app and warms it up once. It reads one line of JSON for each start and
forks: the child is the app, and starts without that work. It writes the child's process id, and its exit code when it
has ended. With `steering`, the name of a file, this of the app is changed, and nothing else:

- every callback of the event loop is counted before it runs, which is each point at which a coroutine goes on;
- at the step that the test has set, the process ends by SIGKILL;
- the wall clock that the services ask is off by what the test has set;
- SQLite says how much work it does;
- constants that the test names are set otherwise, such as how long to wait before something is tried again.
"""

import asyncio
import ctypes
import json
import os
import select
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any, Final, NoReturn

from bot import __main__ as app
from bot.app import warm_up
from bot.services.clock import SystemClock
from tests.disasters.steering import Dial, Steering

DIE_WITH_PARENT: Final = 1
INSTRUCTIONS = 0
"""How many of SQLite's instructions count as one; 0: they are not counted."""
PRIVILEGED = True
"""Whether the app may do all that its user may; without, root too has to respect the modes of files."""


def drop_privileges() -> None:
    """Give up every capability."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capabilities cannot be dropped")


def count_steps(steering: Steering) -> None:
    """Count each callback of the event loop, and die before the one that was chosen."""
    run = asyncio.Handle._run

    def counted(handle: asyncio.Handle) -> None:
        steps = steering[Dial.STEPS] + 1
        steering[Dial.STEPS] = steps
        if steps == steering[Dial.DIES_AT]:
            os.kill(os.getpid(), signal.SIGKILL)
        run(handle)

    asyncio.Handle._run = counted  # type: ignore[method-assign, assignment]  # a method replaced, to count


def set_clock(steering: Steering) -> None:
    """Let the wall clock jump when the test says so."""

    def milliseconds(_self: SystemClock) -> int:
        return time.time_ns() // 1_000_000 + steering[Dial.JUMP]

    SystemClock.milliseconds = milliseconds  # type: ignore[method-assign, assignment]  # a method replaced, to jump


def count_database_work(steering: Steering) -> None:
    """Count what SQLite does."""
    connect = sqlite3.connect

    def counting(*arguments: Any, **options: Any) -> sqlite3.Connection:  # noqa: ANN401
        connection: sqlite3.Connection = connect(*arguments, **options)

        def worked() -> int:
            steering[Dial.DATABASE_WORK] += 1
            return 0

        connection.set_progress_handler(worked, INSTRUCTIONS)
        return connection

    sqlite3.connect = counting  # type: ignore[assignment]  # one signature for all of its overloads


def set_constants(constants: dict[str, Any]) -> None:
    """Set `package.module.NAME` to a value each."""
    for place, value in constants.items():
        module, _, name = place.rpartition(".")
        assert hasattr(sys.modules[module], name)
        setattr(sys.modules[module], name, value)


def become_the_app(order: dict[str, Any]) -> NoReturn:
    """Be what `python -m bot` is."""
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
        if order["steering"] is not None:
            steer(Steering(Path(order["steering"])))
        code = app.main([])
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stderr.flush()
        os._exit(code)


def steer(steering: Steering) -> None:
    """Let the test count and change what the module's docstring names."""
    steering[Dial.STEPS] = steering[Dial.DATABASE_WORK] = 0
    count_steps(steering)
    set_clock(steering)
    if INSTRUCTIONS:
        count_database_work(steering)


def say(**facts: int) -> None:
    """Tell the test something, as a line of JSON."""
    os.write(1, json.dumps(facts).encode() + b"\n")


def serve(woken: int) -> None:
    """Start an app for each line of the standard input, and say when one has ended."""
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
    """Import and compute what every start needs, and serve."""
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    warm_up()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    serve(woken)


if __name__ == "__main__":
    main()
