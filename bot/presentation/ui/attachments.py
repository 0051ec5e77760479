"""Files that the app sends as parts of its messages."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import discord

from bot.presentation.text.names import cut

MAX_ALT_LENGTH: Final = 1024
"""Discord's limit for the description of a picture."""


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
        item = {"media": {"url": f"attachment://{self.name}"}, "description": cut(self.alt, MAX_ALT_LENGTH)}
        return {"type": discord.ComponentType.media_gallery.value, "items": [item]}
