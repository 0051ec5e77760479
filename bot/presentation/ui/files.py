"""Files in messages: those that users attach to a command, and those that the app sends."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

import aiohttp
import discord

from bot.presentation.text.names import cut
from bot.presentation.ui.components import Item, Layout
from bot.table.refusals import FileNotFetched, RecordTooLong

MAX_ALT_LENGTH: Final = 1024
"""Discord's limit for the description of a picture."""
DOWNLOAD_TIMEOUT: Final = 10.0
"""Seconds that a download may take."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with an alternative text. The message also says in text what it shows."""

    name: str
    """The file name, `sheet.png`."""
    drawing: bytes
    alt: str

    def file(self) -> discord.File:
        """The file to send. It can be sent once."""
        return discord.File(BytesIO(self.drawing), self.name)

    def gallery(self) -> Item:
        """The picture as part of a message. In a gallery with others it would be cropped."""
        item = discord.MediaGalleryItem(f"attachment://{self.name}", description=cut(self.alt, MAX_ALT_LENGTH))
        return discord.ui.MediaGallery(item)


def galleries(pictures: Sequence[Picture]) -> list[Item]:
    """Pictures as parts of a message."""
    return [picture.gallery() for picture in pictures]


def files_of(pictures: Sequence[Picture]) -> list[discord.File]:
    """The files to send with a message."""
    return [picture.file() for picture in pictures]


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


def file_message(text: str, name: str, content: bytes) -> tuple[Layout, discord.File]:
    """A message with a text and a file, and the file to send with it."""
    file: discord.ui.File[discord.ui.LayoutView] = discord.ui.File(f"attachment://{name}")
    return Layout(text, file), discord.File(BytesIO(content), name)
