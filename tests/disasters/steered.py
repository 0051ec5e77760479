"""A room whose app can be told at which step to die, starts quickly, and whose clock can be set."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playground.playground import Playground
from tests.disasters.steering import Dial, Steering
from tests.end_to_end.forge import BOUND, AppProcess, forge
from tests.end_to_end.room import SPEC, Room

LATE = "10062 the first response came later than three seconds after the event"
"""What a machine with too much to do brings about, though nothing is wrong with the app."""


class SteeredRoom(Room):
    """A room whose app is forked and steered."""

    def __init__(self, world: Playground, folder: Path, **settings: str) -> None:
        super().__init__(world, folder, **settings)
        folder.mkdir(exist_ok=True)
        self.constants: dict[str, object] = {}
        """What the app's constants are to be, by their full names, from its next start on."""
        self._steering = folder / "steering"
        self.steering = Steering(self._steering)
        self.excused: tuple[str, ...] = ()
        """What stands in violations that cannot be helped."""

    async def begin_start(self, **settings: str) -> AppProcess:
        """Start the app, and do not wait for anything."""
        assert self.app is None or not self.app.is_alive
        await self.people[0].until(lambda: not self.world.gateway.is_complete())
        self.app = await forge().start(self.log, self._environment(settings), self._steering, self.constants)
        return self.app

    async def start_second_app(self, log: Path) -> AppProcess:
        """Start the app once more, as nobody should, and wait until it listens, too."""
        sessions = len(self.world.gateway.sessions)
        second = log.with_suffix(".steering")
        Steering(second)
        app = await forge().start(log, self._environment({}), second, self.constants)
        await self.people[0].until(lambda: len(self.world.gateway.sessions) > sessions, timeout=BOUND)
        return app

    async def start_app(self, **settings: str) -> None:
        """Start the app, and wait until it listens."""
        if not await self.starts(**settings):
            raise AssertionError(self.log.read_text())

    async def starts(self, **settings: str) -> bool:
        """Start the app, and wait until it listens or has ended; gives whether it listens."""
        app = await self.begin_start(**settings)
        ready = asyncio.create_task(self.world.app_ready(BOUND))
        await app.ended_or(ready)
        if app.is_alive:
            await ready
            return True
        ready.cancel()
        await asyncio.gather(ready, return_exceptions=True)
        return False

    async def kill_app(self) -> None:
        """End the app as a power cut would."""
        assert self.app is not None
        await self.app.ended(signal.SIGKILL)

    async def stop_app(self) -> None:
        """End the app as `docker stop` does; it must go by itself and well."""
        if self.app is None or not await self.lives_on():
            return
        assert await self.app.ended(signal.SIGTERM) == 0, self.log.read_text()

    def now(self) -> int:
        """What time the app takes it to be, in UTC milliseconds."""
        return time.time_ns() // 1_000_000 + self.steering[Dial.JUMP]

    def lets_time_pass_until(self, moment: int) -> None:
        """Set the app's clock forward to `moment`, unless it is later already."""
        self.steering[Dial.JUMP] += max(0, moment - self.now())

    def dies_after(self, steps: int) -> None:
        """Have the app die at so many steps from now."""
        self.steering[Dial.DIES_AT] = self.steering[Dial.STEPS] + steps

    async def lives_on(self) -> bool:
        """Have the app die no more; gives whether it lives."""
        assert self.app is not None
        point, self.steering[Dial.DIES_AT] = self.steering[Dial.DIES_AT], 0
        if self.steering[Dial.STEPS] == point:  # it may be about to die
            await asyncio.wait({self.app.end}, timeout=0.5)
        return self.app.is_alive


@asynccontextmanager
async def steered_room(
    folder: Path, constants: Mapping[str, object] | None = None, **settings: str
) -> AsyncIterator[SteeredRoom]:
    """A room whose app is stopped at the end, and in which nobody has broken Discord's rules."""
    async with Playground(rate_limits="off", spec=SPEC if SPEC.exists() else None) as world:
        room = SteeredRoom(world, folder, **settings)
        room.constants |= constants or {}
        try:
            await room.start_app()
            yield room
            assert [each for each in world.violations if not any(excuse in each for excuse in room.excused)] == []
        finally:
            await room.stop_app()
        log = room.log.read_text()
        assert "Traceback" not in log, log
        assert world.token not in log
