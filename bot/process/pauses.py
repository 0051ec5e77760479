"""Notices that the process stood still, and recognizes the interactions that came meanwhile.

A process can be stopped and its machine suspended. Discord tells users after three seconds that their presses have
failed. They press again, and perhaps another process answers. So after a pause, such presses must be left alone.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from bot.services import clock

log = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.5
"""Seconds between two looks at the clock."""
ANSWER_SECONDS: Final = 3.0
"""Seconds for which Discord waits for the first answer to an interaction."""
BACKLOG_SECONDS: Final = 10.0
"""Seconds after a pause in which interactions from before its end can still come."""
_DRIFT: Final = 1e-4
"""Seconds by which two clocks may differ more with each second."""


class Pauses:
    """The pauses of this process. `seconds`: a clock that goes on meanwhile."""

    def __init__(self, seconds: Callable[[], float] = clock.seconds) -> None:
        self._seconds = seconds
        self._looked_at = seconds()
        self._ended_at = float("-inf")
        """When the last pause ended."""
        self._least_delay = float("inf")
        """The least time from the sending of an interaction until it came, plus the difference of the two clocks."""
        self._measured_at = self._looked_at
        """When `_least_delay` was last brought up to date."""

    async def watch(self) -> None:
        """Look for pauses until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self._look()

    def _look(self) -> float:
        """Notice a pause since the last look. Returns the time."""
        now = self._seconds()
        if (missed := now - self._looked_at) > ANSWER_SECONDS:
            log.warning("the process stood still for %.0f seconds", missed)
            self._ended_at = now
        self._looked_at = now
        return now

    def outlasted(self, sent_at: float) -> bool:
        """True if a pause was so long that Discord doesn't wait for the answer to an interaction any more.

        `sent_at`: seconds of Discord's clock. Its zero doesn't matter, because delays are compared with each other.
        """
        now = self._look()
        delay, drift = now - sent_at, _DRIFT * (now - self._measured_at)
        self._least_delay, self._measured_at = min(delay, self._least_delay + drift), now
        return now - self._ended_at < BACKLOG_SECONDS and delay - self._least_delay > ANSWER_SECONDS
