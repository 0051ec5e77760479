"""Starts the app quickly: a fork server that has imported the app forks for each start. Tests control its processes."""

import asyncio
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from enum import IntEnum
from functools import cache
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final

ROOT = Path(__file__).parents[2]
BOUND = 60.0
_NUMBER: Final = struct.Struct("<q")


class Control(IntEnum):
    """The indexes of the numbers that a test and its app share."""

    STEPS = 0
    """Callbacks and resumptions of coroutines that the app's event loop has begun."""
    CRASH_AT = 1
    """The step at which the app kills itself, or 0."""
    CLOCK_OFFSET = 2
    """Milliseconds by which the app's wall clock is ahead."""
    DATABASE_WORK = 3
    """Instructions that SQLite has executed for the app, if they are counted."""
    IDLE_LOOKS = 4
    """How often the app has looked at its deadlines since its start, and wasn't doing anything after that."""
    CONNECTED_LOOKS = 5
    """How often it has looked at them while connected to Discord."""


class Controls:
    """Numbers that a test and its app share through a file: counters, the crash point and the clock offset."""

    def __init__(self, file: Path) -> None:
        self.file = file
        if not file.exists():
            file.write_bytes(bytes(_NUMBER.size * len(Control)))
        with file.open("r+b") as shared:
            self._shared = mmap.mmap(shared.fileno(), 0)

    def __getitem__(self, control: Control) -> int:
        return int(_NUMBER.unpack_from(self._shared, control * _NUMBER.size)[0])

    def __setitem__(self, control: Control, value: int) -> None:
        _NUMBER.pack_into(self._shared, control * _NUMBER.size, value)


class AppProcess:
    """A running app. It belongs to the event loop that started it."""

    def __init__(self, pid: int, end: asyncio.Future[int]) -> None:
        self.pid = pid
        self.end = end
        """The exit code, or the negative number of the signal that ended it."""

    @property
    def is_alive(self) -> bool:
        """True while it runs."""
        return not self.end.done()

    async def ended(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end. Returns the exit code."""
        if self.is_alive:
            os.kill(self.pid, number)
        return await self.wait()

    async def ended_or(self, task: asyncio.Task[Any]) -> None:
        """Wait until the task is done or the app has ended."""
        waiting: list[asyncio.Future[Any]] = [task, self.end]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)

    async def wait(self) -> int:
        """Wait for the end. Returns the exit code."""
        return await asyncio.wait_for(asyncio.shield(self.end), BOUND)


class ForkServer:
    """The client of `tests.end_to_end.fork_server`, which ends with the test process."""

    def __init__(self) -> None:
        command = (sys.executable, "-m", "tests.end_to_end.fork_server")
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._numbers = count()
        self._pids: dict[int, Future[int]] = {}
        self._ends: dict[int, Future[int]] = {}
        Thread(target=self._listen, name="fork server", daemon=True).start()

    async def start(
        self, log: Path, environment: Mapping[str, str], controls: Path, constants: Mapping[str, object]
    ) -> AppProcess:
        """Start the app. `controls` is the file of `Controls`; `constants` maps full names to other values."""
        number = next(self._numbers)
        self._pids[number], self._ends[number] = Future(), Future()
        pid, end = asyncio.wrap_future(self._pids[number]), asyncio.wrap_future(self._ends[number])
        order = {
            "number": number,
            "log": str(log),
            "environment": dict(environment),
            "controls": str(controls),
            "constants": dict(constants),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        return AppProcess(await pid, end)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match json.loads(line):
                case {"number": number, "pid": pid}:
                    self._pids.pop(number).set_result(pid)
                case {"number": number, "code": code}:
                    self._ends.pop(number).set_result(code)


async def started_on(url: str, folder: Path, **constants: object) -> tuple[int, str]:
    """Start the app on a database, without Discord. Returns its exit code and what it logs."""
    log, settings = folder / "app.log", {"DISCORD_TOKEN": "x", "DISCORD_API_URL": "http://127.0.0.1:1/api/v10"}
    environment = os.environ | settings | {"DATABASE_URL": url}
    app = await fork_server().start(log, environment, Controls(folder / "controls").file, constants)
    code = await app.wait()
    said = log.read_text()
    log.unlink()
    return code, said


@cache
def fork_server() -> ForkServer:
    """The fork server of this test process."""
    return ForkServer()
