"""A sign of life for whoever watches the process: a file that is touched while Discord is connected."""

import asyncio
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import discord

FILE: Final = Path(tempfile.gettempdir()) / "gang-of-four.alive"
EVERY: Final = 20.0
"""Seconds between two signs."""
DEAD_AFTER: Final = 90.0
"""Seconds without a sign: longer than a reconnection takes."""


async def give_signs(client: discord.Client) -> None:
    """Touch the file while the client is connected, until cancelled."""
    while True:
        if client.is_ready() and not client.is_closed():
            with suppress(OSError):  # a full disk: no sign is the sign then
                FILE.touch()
        await asyncio.sleep(EVERY)


def is_alive() -> bool:
    """Whether there was a sign of late."""
    try:
        return time.time() - FILE.stat().st_mtime < DEAD_AFTER
    except FileNotFoundError:
        return False
