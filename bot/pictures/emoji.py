"""Card faces as emoji."""

from typing import Final

from bot.pictures.descriptions import Emoji
from bot.pictures.faces import face
from bot.pictures.pages import png

SIDE: Final = 128
"""Discord shows emoji at 22 or 48 pixels, and advises 128 (at most 256 KiB)."""


def emoji(described: Emoji) -> bytes:
    """The face of a card as a PNG."""
    return png(face(described.card, SIDE))
