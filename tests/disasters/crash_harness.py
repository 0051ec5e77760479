"""An app harness whose app can crash at a given step, and whose clock can be set."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playground.playground import Playground
from tests.disasters.controls import Control, Controls
from tests.end_to_end.app_harness import SPEC, AppHarness
from tests.end_to_end.app_process import BOUND, AppProcess, fork_server

ANSWERED_LATE = "10062 the first response came later than three seconds after the event"
"""A violation that a busy machine causes without a fault of the app."""


class CrashHarness(AppHarness):
    """An app harness that controls when the app crashes, its clock and its constants."""

    def __init__(self, world: Playground, folder: Path, **settings: str) -> None:
        super().__init__(world, folder, **settings)
        folder.mkdir(exist_ok=True)
        self.constants: dict[str, object] = {}
        """Values for the app's constants from its next start on, by full name."""
        self._controls_file = folder / "steering"
        self.controls = Controls(self._controls_file)
        self.ignored_violations: tuple[str, ...] = ()
        """Parts of violations that the test accepts."""

    async def launch(self, **settings: str) -> AppProcess:
        """Start the app without waiting until it is ready."""
        assert self.app is None or not self.app.is_alive
        await self.people[0].until(lambda: not self.world.gateway.is_complete())
        self.app = await fork_server().start(self.log, self._environment(settings), self._controls_file, self.constants)
        return self.app

    async def start_second_app(self, log: Path) -> AppProcess:
        """Start a second app on the same token and database, and wait until it is connected."""
        sessions = len(self.world.gateway.sessions)
        second = log.with_suffix(".steering")
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


@asynccontextmanager
async def crashable_app(
    folder: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> AsyncIterator[CrashHarness]:
    """Run a crashable app for the block, then check that it broke none of Discord's rules."""
    async with Playground(rate_limits="off", spec=SPEC if SPEC.exists() else None) as world:
        harness = CrashHarness(world, folder, **settings)
        harness.constants |= constants or {}
        try:
            await harness.start_app()
            yield harness
            assert [
                each for each in world.violations if not any(excuse in each for excuse in harness.ignored_violations)
            ] == []
        finally:
            await harness.stop_app()
        log = harness.log.read_text()
        assert "Traceback" not in log, log
        assert world.token not in log
