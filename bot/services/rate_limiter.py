"""Every limit on what one user, channel or guild may do, and the limiter that enforces the rates.

A `Rate` says how often something may be done. It is counted in the memory of this process, so a restart resets it;
that is fine, because a restart takes longer than most rates need to recover.
A `Count` says how many of something there may be at once. Tables and invitations are counted in the database, in the
transaction that adds one, so restarts and simultaneous presses change nothing.

What the app does by itself (AI players, deadlines, posts) is never limited.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.table.limits import (
    RATES,
    Action,
    Per,
    Rate,
)
from bot.table.refusals import TooManyAtOnce, TryAgainLater

MAX_ENTRIES: Final = 10_000
"""Entries that a rate keeps in memory; beyond that, the one used least recently is forgotten."""

ROUNDING: Final = 1e-6
"""Seconds that sums of floating-point numbers may be off."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The user who does something, and where; 0 where there is none."""

    user_id: int
    guild_id: int = 0
    channel_id: int = 0
    guest_id: int = 0
    """The other user, if something is done to one."""

    def key(self, per: Per) -> tuple[int, ...]:
        """What a rate of this kind counts by."""
        match per:
            case Per.MEMBER | Per.HOST:
                return (self.user_id, self.guild_id)
            case Per.PAIR:
                return (self.user_id, self.guest_id)
            case Per.CHANNEL | Per.TABLE:
                return (self.channel_id,)
            case Per.GUILD:
                return (self.guild_id,)
            case Per.APP:
                return ()
            case _:
                return (self.user_id,)


class RateLimiter:
    """Counts what is done by the rates of `RATES`, in memory.

    A rate keeps one time per key: when all that was done will have been paid back, if each time costs
    `seconds / number` (the generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).

    `seconds` is a monotonic clock; `scale` multiplies all numbers, for tests and servers that trust their users.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic, scale: float = 1) -> None:
        self._seconds = seconds
        self._scale = scale
        self._paid: dict[Rate, dict[tuple[int, ...], float]] = {rate: {} for rate in RATES}

    @property
    def entries(self) -> int:
        """How many are in memory."""
        return sum(map(len, self._paid.values()))

    def spend(self, action: Action, who: Actor, times: int = 1, settings: Mapping[str, int] | None = None) -> None:
        """Count an action that is done `times` times at once. Raises `TryAgainLater`, and then counts nothing.

        `settings` are numbers that a guild has set instead of those in `RATES`. Raises `TooManyAtOnce` for more times
        than a rate ever allows at once.
        """
        now, most = self._seconds(), self.most_at_once(action, settings or {})
        if times > most:
            raise TooManyAtOnce(most)
        rates = [(rate, self._interval(rate, settings or {})) for rate in RATES if rate.action is action]
        wait = max(self._wait(rate, interval, who, times, now) for rate, interval in rates)
        if wait > ROUNDING:
            raise TryAgainLater(math.ceil(wait - ROUNDING))
        for rate, interval in rates:
            self._count(rate, interval * times, who, now)

    def most_at_once(self, action: Action, settings: Mapping[str, int]) -> int:
        """How many times an action is accepted at once, if it was not done before."""
        return min(int(self._number(rate, settings)) for rate in RATES if rate.action is action)

    def _number(self, rate: Rate, settings: Mapping[str, int]) -> float:
        """How many times a rate allows in its seconds."""
        return settings.get(rate.setting, rate.number) * self._scale

    def _interval(self, rate: Rate, settings: Mapping[str, int]) -> float:
        """How many seconds one time costs."""
        return rate.seconds / self._number(rate, settings)

    def _wait(self, rate: Rate, interval: float, who: Actor, times: int, now: float) -> float:
        """The seconds until a rate allows it; 0 or less: it does now."""
        paid = self._paid[rate].get(who.key(rate.per), now)
        return max(paid, now) + interval * times - rate.seconds - now

    def _count(self, rate: Rate, cost: float, who: Actor, now: float) -> None:
        """Add to what is to be paid back, and forget what has been."""
        entries, key = self._paid[rate], who.key(rate.per)
        entries[key] = max(entries.pop(key, now), now) + cost
        while len(entries) > MAX_ENTRIES or entries[next(iter(entries))] <= now:
            del entries[next(iter(entries))]
