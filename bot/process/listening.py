"""Serve an HTTP application at an address from the settings."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.log import server_logger

from bot.process.settings import AddressError

_SILENT: Final = logging.getLogger(f"{__name__}.silent")
_SILENT.setLevel(logging.CRITICAL + 1)
LAST_ANSWERS_SECONDS: Final = 1.0
"""Seconds for answers that are under way when the app stops."""


@asynccontextmanager
async def listening(
    application: web.Application, setting: str, address: str, *, is_public: bool = False
) -> AsyncIterator[list[tuple[str, int]]]:
    """Serve at `address`, the value of `setting`, during the block. Yields the hosts and ports.

    It is `host:port`; without a host it's all addresses of the machine, and port 0 is any free port. What strangers
    send to a public application isn't logged: aiohttp would quote it with a traceback. The application logs its own
    errors.

    Raises `AddressError`.
    """
    host, _, port = address.rpartition(":")
    logger = _SILENT if is_public else server_logger
    runner = web.AppRunner(application, access_log=None, logger=logger, shutdown_timeout=LAST_ANSWERS_SECONDS)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host.strip("[]") or None, int(port)).start()
        except (OSError, OverflowError) as error:
            raise AddressError(setting, str(error)) from error
        yield [(str(found[0]), int(found[1])) for found in runner.addresses]
    finally:
        await runner.cleanup()
