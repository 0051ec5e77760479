"""Serve an HTTP application at an address from the settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from bot.process.settings import AddressError

LAST_ANSWERS_SECONDS: Final = 1.0
"""Seconds for answers that are under way when the app stops."""


@asynccontextmanager
async def listening(application: web.Application, setting: str, address: str) -> AsyncIterator[list[tuple[str, int]]]:
    """Serve at `address`, the value of `setting`, during the block. Yields the hosts and ports.

    It is `host:port`; without a host it's all addresses of the machine, and port 0 is any free port.
    Raises `AddressError`.
    """
    host, _, port = address.rpartition(":")
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=LAST_ANSWERS_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host.strip("[]") or None, int(port)).start()
        except (OSError, OverflowError) as error:
            raise AddressError(setting, str(error)) from error
        yield [(str(found[0]), int(found[1])) for found in runner.addresses]
    finally:
        await runner.cleanup()
