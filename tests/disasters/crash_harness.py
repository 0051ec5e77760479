"""An app harness whose app can crash at a given step, and whose clock can be set."""

import asyncio
import signal
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from playground.playground import Playground
from tests.disasters.controls import Control, Controls
from tests.end_to_end.app_harness import AppHarness, run_harness
from tests.end_to_end.app_process import BOUND, AppProcess, fork_server

ANSWERED_LATE = "10062 the first response came later than three seconds after the event"
"""A violation that a busy machine causes without a fault of the app."""


class CrashHarness(AppHarness):
    """An app harness that controls when the app crashes, and its clock."""

    def __init__(self, world: Playground, folder: Path, **settings: str) -> None:
        super().__init__(world, folder, **settings)
        folder.mkdir(exist_ok=True)
        self._controls_file = folder / "controls"
        self.controls = Controls(self._controls_file)

    async def launch(self, **settings: str) -> AppProcess:
        """Start the app without waiting until it is ready."""
        assert self.app is None or not self.app.is_alive
        await self.people[0].until(lambda: not self.world.gateway.is_complete())
        self.app = await fork_server().start(self.log, self._environment(settings), self._controls_file, self.constants)
        return self.app

    async def start_second_app(self, log: Path) -> AppProcess:
        """Start a second app on the same token and database, and wait until it is connected."""
        sessions = len(self.world.gateway.sessions)
        second = log.with_suffix(".controls")
        Controls(second)
        app = await fork_server().start(log, self._environment({}), second, self.constants)
        await self.people[0].until(lambda: len(self.world.gateway.sessions) > sessions, timeout=BOUND)
        return app

    async def start_app(self, **settings: str) -> None:
        """Start the app and wait until it is ready."""
        if not await self.try_start(**settings):
            raise AssertionError(self.log.read_text())

    async def try_start(self, **settings: str) -> bool:
        """Start the app and wait until it is ready or has ended. True if it is ready."""
        app = await self.launch(**settings)
        ready = asyncio.create_task(self.world.app_ready(BOUND))
        await app.ended_or(ready)
        if app.is_alive:
            await ready
            return True
        ready.cancel()
        await asyncio.gather(ready, return_exceptions=True)
        return False

    async def kill_app(self) -> None:
        """Kill the app with SIGKILL."""
        assert self.app is not None
        await self.app.ended(signal.SIGKILL)

    async def stop_app(self) -> None:
        """Stop the app with SIGTERM, as `docker stop` does, and check that it exits with 0."""
        if self.app is None or not await self.cancel_crash():
            return
        assert await self.app.ended(signal.SIGTERM) == 0, self.log.read_text()

    def now(self) -> int:
        """The app's time in UTC milliseconds."""
        return time.time_ns() // 1_000_000 + self.controls[Control.CLOCK_OFFSET]

    def advance_clock_to(self, moment: int) -> None:
        """Set the app's clock forward to `moment`, unless it is later already."""
        self.controls[Control.CLOCK_OFFSET] += max(0, moment - self.now())

    def crash_after(self, steps: int) -> None:
        """Crash the app so many steps from now."""
        self.controls[Control.CRASH_AT] = self.controls[Control.STEPS] + steps

    async def cancel_crash(self) -> bool:
        """Cancel the planned crash. True if the app is still running."""
        assert self.app is not None
        point, self.controls[Control.CRASH_AT] = self.controls[Control.CRASH_AT], 0
        if self.controls[Control.STEPS] == point:  # it may be about to crash
            await asyncio.wait({self.app.end}, timeout=0.5)
        return self.app.is_alive


def crashable_app(
    folder: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> AbstractAsyncContextManager[CrashHarness]:
    """Run a crashable app for the block, on a migrated database (see `run_harness`)."""
    return run_harness(CrashHarness, folder, "off", constants or {}, settings)
