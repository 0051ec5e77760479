"""Rate limits: a bucket for each route and its major parameters, and a global one.

Discord publishes its limits in response headers only. These are observed values:
five messages and five edits in five seconds per channel, five requests in two seconds per webhook token.
"""

import hashlib
from collections import deque
from dataclasses import dataclass, field
from math import ceil

from playground.clock import Clock
from playground.errors import TOO_MANY_OLD_EDITS, Reason

RATE_LIMITED = Reason(429, 0, "You are being rate limited.")


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `limit` requests in `seconds`."""

    limit: int
    seconds: float


GLOBAL = Rate(50, 1)
DEFAULT_RATE = Rate(50, 1)
UNLIMITED = Rate(100_000, 1)
EMOJIS = Rate(50, 60)
"""The limit of changes of emojis, which no header names. The rate is ours, since Discord publishes none:
https://docs.discord.com/developers/topics/rate-limits"""
OLD_EDITS = Rate(3, 6)
OLD_AFTER_SECONDS = 60 * 60
RATES = {
    "POST /channels/{channel_id}/messages": Rate(5, 5),
    "PATCH /channels/{channel_id}/messages/{message_id}": Rate(5, 5),
    "DELETE /channels/{channel_id}/messages/{message_id}": Rate(5, 1),
    "POST /channels/{channel_id}/typing": Rate(5, 5),
    "POST /webhooks/{webhook_id}/{token}": Rate(5, 2),
    "GET /webhooks/{webhook_id}/{token}/messages/{message_id}": Rate(5, 2),
    "PATCH /webhooks/{webhook_id}/{token}/messages/{message_id}": Rate(5, 2),
    "DELETE /webhooks/{webhook_id}/{token}/messages/{message_id}": Rate(5, 2),
    "POST /interactions/{interaction_id}/{token}/callback": UNLIMITED,
}
SHARED = "webhook token"
"""The bucket that all requests with one webhook token share."""


class RateLimited(Exception):
    """A request exceeds a rate limit. `retry_after` is in seconds."""

    def __init__(self, retry_after: float, reason: Reason = RATE_LIMITED, *, is_global: bool = False) -> None:
        super().__init__(f"retry after {retry_after:.3f} s")
        self.retry_after = retry_after
        self.reason = reason
        self.is_global = is_global

    @property
    def scope(self) -> str:
        """The value of X-RateLimit-Scope."""
        return "global" if self.is_global else "user"


@dataclass(slots=True)
class Bucket:
    """The times of recent requests."""

    rate: Rate
    taken: deque[float] = field(default_factory=deque)

    def take(self, now: float) -> float:
        """Count a request and return 0. If the bucket is full, return the seconds to wait and count nothing."""
        self.forget(now)
        if len(self.taken) >= self.rate.limit:
            return self.taken[0] + self.rate.seconds - now
        self.taken.append(now)
        return 0.0

    def forget(self, now: float) -> None:
        """Drop requests that are older than the window."""
        while self.taken and self.taken[0] + self.rate.seconds <= now:
            self.taken.popleft()

    def remaining(self) -> int:
        """The number of requests left."""
        return self.rate.limit - len(self.taken)


class Limits:
    """All buckets. If `is_real` is false, the limits are too high to reach, also in the headers."""

    def __init__(self, clock: Clock, *, is_real: bool) -> None:
        self._clock = clock
        self._is_real = is_real
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._global = Bucket(GLOBAL)
        self._emojis = Bucket(EMOJIS)

    def take(self, route: str, major: str) -> dict[str, str]:
        """Count a request for a route (`POST /channels/…`) and return the rate limit headers.

        Raises RateLimited.
        """
        now = self._clock.time()
        rate = RATES.get(route, DEFAULT_RATE) if self._is_real else UNLIMITED
        if self._is_real and not _is_interaction_route(route):
            self._refuse_if(self._global.take(now), is_global=True)
        name = SHARED if "/webhooks/" in route else route
        bucket = self._buckets.setdefault((name, major), Bucket(rate))
        self._refuse_if(bucket.take(now))
        if self._is_real and "/emojis" in route and not route.startswith("GET"):
            self._refuse_if(self._emojis.take(now))
        return _headers(name, bucket, now)

    def take_old_edit(self, channel_id: int, age: float) -> None:
        """Count an edit of a message, if it is older than an hour. Raises RateLimited. `age` is in seconds."""
        if self._is_real and age > OLD_AFTER_SECONDS:
            bucket = self._buckets.setdefault(("old edits", str(channel_id)), Bucket(OLD_EDITS))
            self._refuse_if(bucket.take(self._clock.time()), TOO_MANY_OLD_EDITS)

    @staticmethod
    def _refuse_if(wait: float, reason: Reason = RATE_LIMITED, *, is_global: bool = False) -> None:
        if wait > 0:
            raise RateLimited(wait, reason, is_global=is_global)


def _is_interaction_route(route: str) -> bool:
    """Interaction endpoints don't count toward the global limit [Discord's documentation, Rate Limits]."""
    return "/interactions/" in route or "/webhooks/" in route


def _headers(name: str, bucket: Bucket, now: float) -> dict[str, str]:
    wait = ceil((bucket.taken[0] + bucket.rate.seconds - now) * 1000) / 1000  # rounded up
    return {
        "X-RateLimit-Limit": str(bucket.rate.limit),
        "X-RateLimit-Remaining": str(bucket.remaining()),
        "X-RateLimit-Reset": f"{now + wait:.3f}",
        "X-RateLimit-Reset-After": f"{wait:.3f}",
        "X-RateLimit-Bucket": hashlib.sha256(name.encode()).hexdigest()[:32],
    }
