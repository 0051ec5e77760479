"""A gang that was just played: its cards as large as they fit."""

from dataclasses import dataclass
from typing import Final

from bot.engine import Cards
from bot.pictures.pages import GAP, Block, heading, page, png
from bot.pictures.theme import CONTENT_WIDTH

LARGEST: Final = 176


@dataclass(frozen=True, slots=True)
class Gang:
    """A gang and its texts."""

    title: str
    """`Gang of Four`."""
    subtitle: str
    """`Ada · table 12`."""
    cards: Cards


def gang(played: Gang) -> bytes:
    """A PNG, 800 pixels wide."""
    count = len(played.cards)
    size = min(LARGEST, (CONTENT_WIDTH - GAP * (count - 1)) // count)
    block = Block(size)
    left = (CONTENT_WIDTH - count * size - GAP * (count - 1)) // 2
    block.cards((left, 0), played.cards, size)
    return png(page([heading(played.title, played.subtitle), block]))
