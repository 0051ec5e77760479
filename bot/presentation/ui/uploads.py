"""Files that users attach to a command."""

from typing import Final

import aiohttp
import discord

from bot.table.refusals import FileNotFetched, RecordTooLong

PATIENCE: Final = 10.0
"""Seconds that a download may take."""


async def content_of(file: discord.Attachment, most: int, patience: float = PATIENCE) -> bytes:
    """Download an attachment of at most `most` bytes, whatever size Discord has announced.

    Raises `RecordTooLong`, or `FileNotFetched` for anything but the file.
    """
    if file.size > most:
        raise RecordTooLong(most)
    content = b""
    timeout = aiohttp.ClientTimeout(total=patience)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, raise_for_status=True) as session,
            session.get(file.url) as got,
        ):
            async for chunk in got.content.iter_any():
                content += chunk
                if len(content) > most:
                    raise RecordTooLong(most)
    except (aiohttp.ClientError, TimeoutError) as error:
        raise FileNotFetched from error
    return content
