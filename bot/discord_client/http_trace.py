"""Counts the app's HTTP requests to Discord, and measures when presses are answered."""

from types import SimpleNamespace
from typing import Final

import aiohttp

from bot.base import press_context
from bot.base.metrics import DISCORD_RATE_LIMITED, DISCORD_REQUESTS

TOO_MANY_REQUESTS: Final = 429
SCOPES: Final = ("user", "global", "shared")
"""https://discord.com/developers/docs/topics/rate-limits#header-format-rate-limit-header-examples"""


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


def trace() -> aiohttp.TraceConfig:
    """A trace for the option `http_trace` of discord.py's client."""
    config = aiohttp.TraceConfig()
    config.on_request_end.append(_count_response)
    config.on_request_exception.append(_count_failure)
    return config
