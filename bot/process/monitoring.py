"""The HTTP server for monitoring: metrics, liveness and readiness. It has no access control.

It is imported only if `METRICS_ADDRESS` is set, because the server takes a megabyte of memory.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from prometheus_client.aiohttp import make_aiohttp_handler

from bot.base import metrics
from bot.discord_client.client import GangBot
from bot.process.listening import listening
from bot.process.ownership import Ownership, Status

log = logging.getLogger(__name__)

SAMPLE_SECONDS: Final = 0.1
"""Seconds between two measurements of the event loop's delay."""


class Monitoring:
    """Serves `/metrics`, `/health/live` and `/health/ready`."""

    def __init__(self, address: str, client: GangBot, ownership: Ownership, problem: Callable[[], str | None]) -> None:
        """`address` is `host:port`; without a host it's all addresses of the machine, and port 0 is any free port.

        `problem` says why the process isn't ready; None if it is.
        """
        self._address = address
        self._client = client
        self._ownership = ownership
        self._problem = problem
        self._write_metrics = make_aiohttp_handler(disable_compression=True)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve in the block, and measure the event loop. Raises `AddressError`."""
        application = web.Application()
        application.router.add_get("/metrics", self._metrics)
        application.router.add_get("/health/live", _live)
        application.router.add_get("/health/ready", self._ready)
        measuring = asyncio.create_task(_measure_loop(), name="event loop delay")
        try:
            async with listening(application, "METRICS_ADDRESS", self._address) as addresses:
                for host, port in addresses:
                    log.info("metrics and health at %s port %d", host, port)
                yield
        finally:
            measuring.cancel()

    async def _metrics(self, request: web.Request) -> web.StreamResponse:
        metrics.READY.set(self._problem() is None)
        metrics.GUILDS.set(len(self._client.guilds))
        metrics.SHARDS.set(self._client.shard_count or 0)
        is_serving = self._ownership.status is Status.SERVING
        metrics.SHARDS_SERVED.set(len(self._client.shard_ids or ()) if is_serving else 0)
        return await self._write_metrics(request)

    async def _ready(self, _request: web.Request) -> web.Response:
        problem = self._problem()
        if problem is not None:
            return web.Response(text=f"{problem}\n", status=503)
        is_waiting = self._ownership.status is Status.WAITING
        return web.Response(text="Waiting until another process ends.\n" if is_waiting else "Ready.\n")


async def _live(_request: web.Request) -> web.Response:
    """Answered only while the event loop runs."""
    return web.Response(text="Alive.\n")


async def _measure_loop() -> None:
    """Measure how late the event loop is, at moments that don't depend on its work.

    uvloop's own time is in whole milliseconds.
    """
    while True:
        due = time.monotonic() + SAMPLE_SECONDS
        await asyncio.sleep(SAMPLE_SECONDS)
        metrics.LOOP_DELAY.observe(max(0.0, time.monotonic() - due))
