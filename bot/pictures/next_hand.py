"""The picture of the next hand: its exchange and its direction."""

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageOps

from bot.pictures import marks
from bot.pictures.descriptions import NextHand
from bot.pictures.fonts import fitted
from bot.pictures.pages import Block, page, png
from bot.pictures.theme import BACKGROUND, CONTENT_WIDTH, GOLD, LARGE, MUTED, PADDING, RAISED, SMALL, SMALLEST

CARD: Final = 72
ARROW: Final = 44
SHORT_ARROW: Final = 36
RING: Final = 76
CHIP: Final = 68
"""The height of a name in the order of play."""
ROOM: Final = CONTENT_WIDTH - 2 * PADDING


def next_hand(following: NextHand) -> bytes:
    """The exchange before a hand, and the order in which the players sit and play. A PNG, 800 pixels wide."""
    block = Block(414)
    block.panel((0, 0, CONTENT_WIDTH, block.height))
    _exchange(block, following)
    block.line(((PADDING, 160), (CONTENT_WIDTH - PADDING, 160)), BACKGROUND, 3)
    block.image.paste(GOLD, (PADDING, 182), ring(RING, following.direction))
    block.label((PADDING + RING + 20, 220), following.title, ROOM - RING - 20, LARGE, bold=True, align="l")
    _order(block, following)
    return png(page([block]))


def _exchange(block: Block, following: NextHand) -> None:
    """A line with the giver, an arrow, the card, an arrow and the winner."""
    gave = following.gave
    block.text((PADDING, 42), following.exchange, SMALL, MUTED, max_width=ROOM)
    between = CARD + 2 * (ARROW + 16) + 32
    giver, winner = following.players[gave.seat], following.players[gave.to]
    max_width = (ROOM - between) / 2
    size = min(fitted(name, max_width, LARGE, SMALLEST, bold=True)[1] for name in (giver, winner))
    x = PADDING + round(block.text((PADDING, 110), giver, size, bold=True, max_width=max_width)) + 16
    block.mark(marks.ARROW, (x, 82), 36, MUTED, width=ARROW)
    block.cards((x + ARROW + 16, 64), (gave.card,), CARD)
    block.mark(marks.ARROW, (x + ARROW + CARD + 32, 82), 36, MUTED, width=ARROW)
    block.text((x + between - 16, 110), winner, size, bold=True, max_width=max_width)


def _order(block: Block, following: NextHand) -> None:
    """The players in the order of play from the leader, with arrows between them and back to the first."""
    count = len(following.players)
    top, gap = 282, SHORT_ARROW + 12
    chip = (ROOM - gap * (count - 1)) // count
    for place in range(count):
        left = PADDING + place * (chip + gap)
        name = following.players[(following.gave.to + following.direction * place) % count]
        block.panel((left, top, left + chip, top + CHIP), RAISED, 12)
        block.label((left + chip / 2, top + CHIP / 2), name, chip - 12, align="m")
        if place:
            block.mark(marks.ARROW, (left - gap + 8, top + CHIP // 2 - 16), 32, GOLD, width=SHORT_ARROW - 4)
    _back(block, PADDING + chip // 2, PADDING + ROOM - chip // 2, top + CHIP)


def _back(block: Block, first: int, last: int, top: int) -> None:
    """An arrow under the names, from the last to the first."""
    bottom = top + 38
    block.line([(last, top + 6), (last, bottom), (first, bottom), (first, top + 20)], GOLD, 8)
    block.mark(marks.TRIANGLE, (first - 14, top + 4), 20, GOLD, width=28)


@lru_cache(maxsize=4)
def ring(size: int, direction: int) -> Image.Image:
    """The mask of a round arrow, clockwise (-1) or counter-clockwise (1)."""

    def paint(draw: ImageDraw.ImageDraw, scale: int) -> None:
        side = size * scale
        pen, head = side * 0.13, side * 0.2
        inset = head - pen / 2
        draw.arc((inset, inset, side - inset, side - inset), 60, 352, fill=255, width=round(pen))
        x, y = side - inset - pen / 2, side * 0.42
        draw.polygon([(x - head, y), (x + head, y), (x, y + 1.7 * head)], fill=255)

    clockwise = marks.mask(size, size, paint)
    return clockwise if direction == -1 else ImageOps.mirror(clockwise)
