"""Files that users attach to a command."""

from typing import Final

import aiohttp
import discord

from bot.table.refusals import FileNotFetched, RecordTooLong

DOWNLOAD_TIMEOUT: Final = 10.0
"""Seconds that a download may take."""


async def download(file: discord.Attachment, max_bytes: int, timeout_seconds: float = DOWNLOAD_TIMEOUT) -> bytes:
    """Download an attachment of at most `max_bytes` bytes, even if Discord announced another size.

    Nothing is unpacked, because a small file can unpack to any size. Raises `RecordTooLong`, or `FileNotFetched` if the
    download fails.
    """
    if file.size > max_bytes:
        raise RecordTooLong(max_bytes)
    content = b""
    timeout = aiohttp.ClientTimeout(total=timeout_seconds)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, raise_for_status=True, auto_decompress=False) as session,
            session.get(file.url, headers={"Accept-Encoding": "identity"}) as response,
        ):
            async for chunk in response.content.iter_any():
                content += chunk
                if len(content) > max_bytes:
                    raise RecordTooLong(max_bytes)
    except (aiohttp.ClientError, TimeoutError) as error:
        raise FileNotFetched from error
    return content
