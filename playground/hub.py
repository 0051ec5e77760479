"""The clock, the id generator and the event listeners shared by all parts of a playground."""

import asyncio
import logging
from collections.abc import Callable

from playground.clock import Clock, Snowflakes
from playground.world.changes import Change
from playground.world.intents import Dispatch, Intent
from playground.world.model import Json

log = logging.getLogger(__name__)


class Hub:
    """Publishes changes to people's clients, to the gateway and to tasks that wait for any change."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.snowflakes = Snowflakes(self.clock)
        self.change_listeners: list[Callable[[Change], None]] = []
        """Called with each change."""
        self.dispatch_listeners: list[Callable[[Dispatch], None]] = []
        """Called with each gateway event."""
        self.violations: list[str] = []
        """Rules of Discord that the app has broken, as sentences."""
        self.refusals: list[str] = []
        """Requests that failed because the world had changed: a deleted message, a lost permission."""
        self._waiting: set[asyncio.Future[None]] = set()

    def report_violation(self, text: str) -> None:
        """Record that the app has broken a rule of Discord."""
        self.violations.append(text)
        log.warning("The app broke a rule: %s", text)

    def publish(self, change: Change) -> None:
        """Send a change to people's clients."""
        for listener in list(self.change_listeners):
            listener(change)
        self.wake_waiters()

    def dispatch(self, event: str, data: Json, guild_id: int | None, intent: Intent) -> None:
        """Send a gateway event to the sessions with this guild and intent."""
        for listener in list(self.dispatch_listeners):
            listener(Dispatch(event, data, guild_id, intent))
        self.wake_waiters()

    def wake_waiters(self) -> None:
        """Wake all tasks in `wait_for_change`."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait_for_change(self) -> None:
        """Wait until something changes."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await future
        finally:
            self._waiting.discard(future)
