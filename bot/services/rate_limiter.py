"""Enforce the rates in `table.limits`, counted in memory. A restart resets them.

Counts such as open tables and invitations are enforced in the database, in the transaction that adds one. What the app
does automatically (AI players, deadlines, posts) is never limited.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Final

from bot.base.metrics import LIMITS_HIT
from bot.table.limits import RATES, Action, Per, Rate
from bot.table.refusals import TooManyAtOnce, TryAgainLater

MAX_ENTRIES: Final = 10_000
"""Entries that a rate keeps in memory. Beyond that, the least recently used one is dropped."""

ROUNDING: Final = 1e-6
"""The possible rounding error of sums, in seconds."""


@dataclass(frozen=True, slots=True)
class Actor:
    """The user who does something, and where. Ids are 0 if they don't apply."""

    user_id: int
    guild_id: int = 0
    channel_id: int = 0
    guest_id: int = 0
    """The other user, if the action concerns one."""

    def key(self, per: Per) -> tuple[int, ...]:
        """The key by which a rate with this scope counts."""
        match per:
            case Per.MEMBER:
                return (self.user_id, self.guild_id)
            case Per.PAIR:
                return (self.user_id, self.guest_id)
            case Per.CHANNEL:
                return (self.channel_id,)
            case Per.GUILD:
                return (self.guild_id,)
            case Per.USER:
                return (self.user_id,)


class _Counter:
    """Counts the actions of one rate.

    For each key, it keeps one time: when the rate will have recovered completely, if each action costs `seconds /
    number` (the generic cell rate algorithm, https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
    """

    def __init__(self, rate: Rate, scale: float) -> None:
        self.rate = rate
        self.recovered_at: dict[tuple[int, ...], float] = {}
        """The least recently used keys first."""
        self._scale = scale

    def number(self, settings: Mapping[str, int]) -> float:
        """The number of actions that the rate allows in its seconds."""
        return settings.get(self.rate.setting, self.rate.number) * self._scale

    def cost(self, times: int, settings: Mapping[str, int]) -> float:
        """The seconds that actions cost."""
        return self.rate.seconds / self.number(settings) * times

    def wait(self, cost: float, actor: Actor, now: float) -> float:
        """The seconds until the rate allows actions; 0 or less: now."""
        recovered_at = self.recovered_at.get(actor.key(self.rate.per), now)
        return max(recovered_at, now) + cost - self.rate.seconds - now

    def count(self, cost: float, actor: Actor, now: float) -> None:
        """Add the cost of actions, and drop entries that have recovered."""
        entries, key = self.recovered_at, actor.key(self.rate.per)
        entries[key] = max(entries.pop(key, now), now) + cost
        while len(entries) > MAX_ENTRIES or entries[next(iter(entries))] <= now:
            del entries[next(iter(entries))]

    def take_back(self, cost: float, actor: Actor) -> None:
        """Subtract the cost of actions that failed."""
        key = actor.key(self.rate.per)
        if key in self.recovered_at:
            self.recovered_at[key] -= cost


class RateLimiter:
    """Counts actions in memory and enforces `RATES`.

    `seconds` is a monotonic clock. `scale` multiplies all numbers, for tests and for guilds that trust their users.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic, scale: float = 1) -> None:
        self._seconds = seconds
        self._counters: Final = {
            action: [_Counter(rate, scale) for rate in RATES if rate.action is action] for action in Action
        }
        self._last_at = seconds()

    def idle_seconds(self) -> float:
        """Seconds since the last action of a user."""
        return self._seconds() - self._last_at

    @property
    def entries(self) -> int:
        """The number of entries in memory."""
        return sum(len(each.recovered_at) for counters in self._counters.values() for each in counters)

    def spend(
        self,
        action: Action,
        actor: Actor,
        times: int = 1,
        settings: Mapping[str, int] | None = None,
        *,
        by_user: bool = True,
    ) -> None:
        """Count an action done `times` times at once. Raises `TryAgainLater` without counting anything.

        `settings` holds numbers that a guild has set instead of those in `RATES`. Raises `TooManyAtOnce` if no rate
        would ever allow that many. `by_user`: False for what a browser does by itself.
        """
        now = self._seconds()
        self._last_at = now if by_user else self._last_at
        limit = self.max_at_once(action, settings or {})
        if times > limit:
            LIMITS_HIT.labels(action).inc()
            raise TooManyAtOnce(limit)
        costs = [(counter, counter.cost(times, settings or {})) for counter in self._counters[action]]
        wait = max(counter.wait(cost, actor, now) for counter, cost in costs)
        if wait > ROUNDING:
            LIMITS_HIT.labels(action).inc()
            raise TryAgainLater(math.ceil(wait - ROUNDING))
        for counter, cost in costs:
            counter.count(cost, actor, now)

    @contextmanager
    def spending(
        self, action: Action, actor: Actor, times: int = 1, settings: Mapping[str, int] | None = None
    ) -> Iterator[None]:
        """Count an action like `spend`, but only if the block raises nothing."""
        self.spend(action, actor, times, settings)
        try:
            yield
        except BaseException:
            for counter in self._counters[action]:
                counter.take_back(counter.cost(times, settings or {}), actor)
            raise

    @contextmanager
    def mentioning(self, actor: Actor, guests: Iterable[int]) -> Iterator[None]:
        """Count a mention of each guest by the user, unless the block raises. Raises `TryAgainLater`."""
        with ExitStack() as counted:
            for guest in guests:
                counted.enter_context(self.spending(Action.INVITE_AGAIN, replace(actor, guest_id=guest)))
            yield

    def max_at_once(self, action: Action, settings: Mapping[str, int]) -> int:
        """The number of actions that are possible at once, if there were none recently."""
        return min(int(counter.number(settings)) for counter in self._counters[action])
