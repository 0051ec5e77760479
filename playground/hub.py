"""The clock, the ids and the listeners that everything in a playground shares."""

import asyncio
import logging
from collections.abc import Callable

from playground.clock import Clock, Snowflakes
from playground.world.changes import Change
from playground.world.intents import Dispatch, Intent
from playground.world.model import Json

log = logging.getLogger(__name__)


class Hub:
    """Passes changes on: to people's clients, to the gateway, and to those who wait for any change."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.snowflakes = Snowflakes(self.clock)
        self.change_listeners: list[Callable[[Change], None]] = []
        """Called with each change that people's clients show."""
        self.dispatch_listeners: list[Callable[[Dispatch], None]] = []
        """Called with each gateway event."""
        self.violations: list[str] = []
        """What the app did that Discord does not allow, as sentences."""
        self.refusals: list[str] = []
        """Requests that were refused because the world had changed: a deleted message, a lost permission."""
        self._waiting: set[asyncio.Future[None]] = set()

    def report_violation(self, sentence: str) -> None:
        """Note that the app did something Discord does not allow."""
        self.violations.append(sentence)
        log.warning("The app broke a rule: %s", sentence)

    def publish(self, change: Change) -> None:
        """Tell people's clients of a change."""
        for listener in list(self.change_listeners):
            listener(change)
        self.wake_waiters()

    def dispatch(self, event: str, data: Json, guild_id: int | None, intent: Intent) -> None:
        """Send a gateway event to the sessions that asked for it."""
        for listener in list(self.dispatch_listeners):
            listener(Dispatch(event, data, guild_id, intent))
        self.wake_waiters()

    def wake_waiters(self) -> None:
        """Wake everything that waits for a change."""
        waiting, self._waiting = self._waiting, set()
        for future in waiting:
            if not future.done():
                future.set_result(None)

    async def wait_for_change(self) -> None:
        """Return when something has changed after this call."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await future
        finally:
            self._waiting.discard(future)
