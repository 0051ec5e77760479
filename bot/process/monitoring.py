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
from bot.process.settings import AddressError
from bot.table.shards import Shards

log = logging.getLogger(__name__)

SAMPLE_SECONDS: Final = 0.1
"""Seconds between two measurements of the event loop's delay."""


class Monitoring:
    """Serves `/metrics`, `/health/live` and `/health/ready`."""

    def __init__(
        self, address: str, client: GangBot, served: Callable[[], Shards], problem: Callable[[], str | None]
    ) -> None:
        """`address` is `host:port`; without a host it's all addresses of the machine, and port 0 is any free port.

        `problem` says why the process isn't ready; None if it is.
        """
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._client = client
        self._served = served
        self._problem = problem
        self._write_metrics = make_aiohttp_handler(disable_compression=True)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Serve in the block, and measure the event loop. Raises `AddressError`."""
        application = web.Application()
        application.router.add_get("/metrics", self._metrics)
        application.router.add_get("/health/live", _live)
        application.router.add_get("/health/ready", self._ready)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        measuring = asyncio.create_task(_measure_loop(), name="event loop delay")
        try:
            await self._listen(runner)
            yield
        finally:
            measuring.cancel()
            await runner.cleanup()

    async def _listen(self, runner: web.AppRunner) -> None:
        try:
            await web.TCPSite(runner, self._host.strip("[]") or None, self._port).start()
        except (OSError, OverflowError) as error:
            raise AddressError(str(error)) from error
        for address in runner.addresses:
            log.info("metrics and health at %s port %d", *address[:2])

    async def _metrics(self, request: web.Request) -> web.StreamResponse:
        metrics.READY.set(self._problem() is None)
        shards = self._served()
        metrics.GUILDS.set(sum(shards.has(guild.id) for guild in self._client.guilds))
        metrics.SHARDS.set(shards.count)
        metrics.SHARDS_SERVED.set(len(shards.ids))
        return await self._write_metrics(request)

    async def _ready(self, _request: web.Request) -> web.Response:
        problem = self._problem()
        return web.Response(text="Ready.\n") if problem is None else web.Response(text=f"{problem}\n", status=503)


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
