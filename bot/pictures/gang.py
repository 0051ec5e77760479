"""A gang that was just played: its cards as large as they fit."""

from typing import Final

from bot.pictures.descriptions import Gang
from bot.pictures.pages import GAP, Block, heading, page, png
from bot.pictures.theme import CONTENT_WIDTH

LARGEST: Final = 176


def gang(played: Gang) -> bytes:
    """A PNG, 800 pixels wide."""
    count = len(played.cards)
    size = min(LARGEST, (CONTENT_WIDTH - GAP * (count - 1)) // count)
    block = Block(size)
    left = (CONTENT_WIDTH - count * size - GAP * (count - 1)) // 2
    block.cards((left, 0), played.cards, size)
    return png(page([heading(played.title, played.subtitle), block]))
