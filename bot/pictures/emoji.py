"""Card faces and stacks of face-down cards as application emoji, with names for screen readers."""

from hashlib import sha256
from typing import Final

from bot.engine import Card
from bot.engine.cards import DRAGON_RANK, PHOENIX_RANK
from bot.pictures.faces import face, stack
from bot.pictures.pages import png

SIDE: Final = 128
"""Discord shows emoji at 22 or 48 pixels, and advises 128 (at most 256 KiB)."""
_COLORS: Final = ("green", "yellow", "red", "multicolored")


def card_emoji(card: Card) -> bytes:
    """The face of a card as a PNG."""
    return png(face(card, SIDE))


def stack_emoji(left: int) -> bytes:
    """A stack of face-down cards as a PNG."""
    return png(stack(left, SIDE))


def card_name(card: Card) -> str:
    """`green_7`."""
    if card.rank == DRAGON_RANK:
        return "dragon"
    return f"{_COLORS[card.color]}_{'phoenix' if card.rank == PHOENIX_RANK else card.rank}"


def stack_name(left: int) -> str:
    """`cards_left_16`."""
    return f"cards_left_{left}"


def emoji_name(spoken: str, drawing: bytes) -> str:
    """`green_7_1a2b3c4d`: the spoken name and a hash of the PNG, so that a new drawing has a new name.

    Discord accepts 2 to 32 letters, digits and underscores.
    """
    return f"{spoken}_{sha256(drawing).hexdigest()[:8]}"
