"""Files: those that the app sends as parts of its messages, and those that users attach to a command."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import aiohttp
import discord

from bot.presentation.text.names import truncated
from bot.table.refusals import FileNotFetched, RecordTooLong

MAX_ALT_LENGTH: Final = 1024
"""Discord's limit for the description of a picture."""
DOWNLOAD_TIMEOUT: Final = 10.0
"""Seconds that a download may take."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to download."""

    name: str
    """The file name, `match.txt`."""
    content: bytes

    def file(self) -> discord.File:
        """The file to send. It can be sent once."""
        return discord.File(BytesIO(self.content), self.name)

    def component(self) -> dict[str, Any]:
        """The file as part of a message, as JSON."""
        return {"type": discord.ComponentType.file.value, "file": {"url": f"attachment://{self.name}"}}


@dataclass(frozen=True, slots=True)
class Picture(Attachment):
    """A drawing with an alternative text. The message also says in text what it shows."""

    alt: str

    def component(self) -> dict[str, Any]:
        """The picture as part of a message, as JSON. In a gallery with others it would be cropped."""
        item = {"media": {"url": f"attachment://{self.name}"}, "description": truncated(self.alt, MAX_ALT_LENGTH)}
        return {"type": discord.ComponentType.media_gallery.value, "items": [item]}


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
