"""The clock of the playground: real time plus what a test adds. Also snowflake ids.

    clock.advance(15 * 60)      # all interaction tokens have expired

A snowflake consists of the milliseconds since 2015 and a counter.
"""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

DISCORD_EPOCH = 1_420_070_400.0
"""The start of 2015 in seconds since 1970."""


@dataclass(order=True, slots=True)
class Timer:
    """A scheduled callback."""

    when: float
    order: int
    callback: Callable[[], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        """Don't run the callback."""
        self.cancelled = True


class Clock:
    """Real time, which `advance` moves forward. Its timers run in both cases."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._timers: list[Timer] = []
        self._order = itertools.count()
        self._alarm: asyncio.TimerHandle | None = None

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time() + self._ahead

    @property
    def ahead(self) -> float:
        """Seconds that it is ahead of real time."""
        return self._ahead

    def now(self) -> datetime:
        """The current time in UTC, aware."""
        return datetime.fromtimestamp(self.time(), UTC)

    def advance(self, seconds: float) -> None:
        """Move time forward and run the timers that are due, in order."""
        if seconds < 0:
            raise ValueError("time can't run backwards")
        self._ahead += seconds
        self._run_due()

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Run `callback` once in `seconds`. Needs a running event loop."""
        timer = Timer(self.time() + seconds, next(self._order), callback)
        heapq.heappush(self._timers, timer)
        self._set_alarm()
        return timer

    def stop(self) -> None:
        """Cancel all timers."""
        self._timers.clear()
        if self._alarm is not None:
            self._alarm.cancel()

    def _run_due(self) -> None:
        while self._timers and (self._timers[0].cancelled or self._timers[0].when <= self.time()):
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                timer.callback()
        self._set_alarm()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._timers:
            delay = max(0.0, self._timers[0].when - self.time())
            self._alarm = asyncio.get_running_loop().call_later(delay, self._run_due)


class Snowflakes:
    """Generates ids that are unique and sort by time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """A new id."""
        self._last = max(self._last + 1, snowflake_at(self._clock.time()))
        return self._last


def snowflake_at(timestamp: float) -> int:
    """The lowest id of a moment, given in seconds since 1970."""
    return int((timestamp - DISCORD_EPOCH) * 1000) << 22


def snowflake_time(snowflake: int) -> float:
    """The time of an id in seconds since 1970."""
    return (snowflake >> 22) / 1000 + DISCORD_EPOCH


def isoformat(moment: datetime) -> str:
    """A moment in Discord's timestamp format."""
    return moment.isoformat(timespec="microseconds")
