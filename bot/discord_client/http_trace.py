"""Measures the app's HTTP requests to Discord, and how long discord.py waits so as not to exceed a rate limit."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from types import SimpleNamespace, TracebackType
from typing import Final, TypeVar

import aiohttp
import discord
from discord.http import Ratelimit

from bot.base import press_context
from bot.base.metrics import DISCORD_RATE_LIMITED, DISCORD_REQUESTS, DISCORD_WAITS

Error = TypeVar("Error", bound=BaseException)

SHORTEST_WAIT: Final = 0.001
"""Seconds. What takes less didn't wait."""
TOO_MANY_REQUESTS: Final = 429
SCOPES: Final = ("user", "global", "shared")
"""https://discord.com/developers/docs/topics/rate-limits#header-format-rate-limit-header-examples"""


class MeasuredRatelimit(Ratelimit):
    """One of Discord's rate limits. A request waits before it if none is left, or at its end for the next ones."""

    __slots__ = ()

    async def acquire(self) -> None:
        """Wait until a request is allowed."""
        with _measured():
            await super().acquire()

    async def __aexit__(self, kind: type[Error], error: Error, traceback: TracebackType) -> None:
        with _measured():
            await super().__aexit__(kind, error, traceback)


@contextmanager
def _measured() -> Iterator[None]:
    since = perf_counter()
    try:
        yield
    finally:
        if (waited := perf_counter() - since) > SHORTEST_WAIT:
            DISCORD_WAITS.observe(waited)


async def _count_response(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
) -> None:
    status = ended.response.status
    DISCORD_REQUESTS.labels(f"{status // 100}xx").inc()
    if status == TOO_MANY_REQUESTS:
        scope = ended.response.headers.get("X-RateLimit-Scope")
        DISCORD_RATE_LIMITED.labels(scope if scope in SCOPES else "unknown").inc()
    elif ended.url.path.endswith("/callback") and (press := press_context.current()) is not None:
        press.record_answer()


async def _count_failure(
    _session: aiohttp.ClientSession, _context: SimpleNamespace, _failed: aiohttp.TraceRequestExceptionParams
) -> None:
    DISCORD_REQUESTS.labels("error").inc()


def install() -> aiohttp.TraceConfig:
    """Make discord.py use `MeasuredRatelimit`. Returns a trace for the option `http_trace` of its client."""
    discord.http.Ratelimit = MeasuredRatelimit  # type: ignore[misc]  # discord.py has no option for it
    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(_count_response)
    trace.on_request_exception.append(_count_failure)
    return trace
