"""The chart of combinations on one page, the strongest at the top."""

from itertools import pairwise
from typing import Final

from bot.engine import Cards, Kind, parse_card
from bot.engine.cards import ALL_CARDS, DRAGON, GREEN_PHOENIX, Color
from bot.pictures import marks
from bot.pictures.descriptions import CombinationChart
from bot.pictures.pages import Block, page, png
from bot.pictures.theme import BODY, CONTENT_WIDTH, GOLD, MUTED, PADDING, SMALL, SMALLEST, TITLE


def _cards(text: str) -> Cards:
    """Parse cards without sorting them."""
    return tuple(map(parse_card, text.split()))


EXAMPLES: Final[dict[Kind, Cards]] = {
    Kind.SINGLE: _cards("7R"),
    Kind.PAIR: _cards("7G 7R"),
    Kind.TRIPLE: _cards("7G 7Y 7R"),
    Kind.STRAIGHT: _cards("3G 4R 5Y 6G 7G"),
    Kind.FLUSH: _cards("2Y 3Y 5Y 7Y 9Y"),
    Kind.FULL_HOUSE: _cards("6G 6Y 6R 3G 3R"),
    Kind.STRAIGHT_FLUSH: _cards("3R 4R 5R 6R 7R"),
}
GANGS: Final = tuple(map(_cards, ("1G 1G 1Y 1Y 1R 1R 1M", "10G 10G 10Y 10R")))
"""Highest first: more cards before higher numbers (R18)."""
NUMBERS: Final[Cards] = (
    *(card for card in ALL_CARDS if card.color is Color.GREEN and card.rank <= 10),
    GREEN_PHOENIX,
    DRAGON,
)
HEIGHT: Final = 452
"""The height of the columns, so that the picture is 560 high."""
LEFT_WIDTH: Final = 404
RIGHT_AT: Final = LEFT_WIDTH + 16
RIGHT_WIDTH: Final = CONTENT_WIDTH - RIGHT_AT
GANGS_HEIGHT: Final = 172
FEWER_HEIGHT: Final = 192
GAP: Final = 12
CARD: Final = 36
STEP: Final = CARD + 5
ARROW: Final = 22
"""The width of the arrow that points upwards, left of the kinds of five cards."""


def chart(texts: CombinationChart) -> bytes:
    """A PNG, 800 by 560 pixels."""
    head = Block(48)
    title = head.text((0, 38), texts.title, TITLE, bold=True, max_width=CONTENT_WIDTH / 2)
    head.text((CONTENT_WIDTH, 38), texts.subtitle, SMALL, MUTED, anchor="rs", max_width=CONTENT_WIDTH - title - PADDING)
    body = Block(HEIGHT)
    _gangs(body, texts)
    five = (Kind.STRAIGHT_FLUSH, Kind.FULL_HOUSE, Kind.FLUSH, Kind.STRAIGHT)
    top = GANGS_HEIGHT + GAP
    body.panel((0, top, LEFT_WIDTH, HEIGHT))
    _title(body, (0, top), LEFT_WIDTH, texts.five)
    for place, kind in enumerate(five):
        _kind(body, (PADDING + ARROW, top + 62 + place * 50), LEFT_WIDTH, texts, kind)
    _upwards(body, top + 62, HEIGHT - PADDING)
    body.panel((RIGHT_AT, 0, CONTENT_WIDTH, FEWER_HEIGHT))
    _title(body, (RIGHT_AT, 0), RIGHT_WIDTH, texts.fewer)
    for place, kind in enumerate((Kind.TRIPLE, Kind.PAIR, Kind.SINGLE)):
        _kind(body, (RIGHT_AT + PADDING, 62 + place * 42), CONTENT_WIDTH, texts, kind)
    _orders(body, texts)
    return png(page([head, body], gap=GAP))


def _title(block: Block, at: tuple[int, int], width: int, text: str) -> None:
    """The title of a panel, on one or two lines."""
    block.label((at[0] + PADDING, at[1] + 31), text, width - 2 * PADDING, SMALLEST, align="l")


def _gangs(block: Block, texts: CombinationChart) -> None:
    block.panel((0, 0, LEFT_WIDTH, GANGS_HEIGHT))
    block.mark(marks.STAR, (PADDING, 14), 28, GOLD)
    text_at = PADDING + 40
    max_width = LEFT_WIDTH - text_at - PADDING
    block.text((text_at, 38), texts.kinds[Kind.GANG - 1], BODY, bold=True, max_width=max_width)
    block.text((text_at, 68), texts.gangs, SMALL, GOLD, max_width=max_width, smallest=17)
    for place, cards in enumerate(GANGS):
        block.cards((PADDING, 82 + place * STEP), cards, CARD, STEP - CARD)


def _kind(block: Block, at: tuple[int, int], right: int, texts: CombinationChart, kind: Kind) -> None:
    """The example, and the name next to it."""
    cards = EXAMPLES[kind]
    block.cards(at, cards, CARD, STEP - CARD)
    text_at = at[0] + (5 if len(cards) == 5 else 3) * STEP + 8
    block.label((text_at, at[1] + CARD / 2), texts.kinds[kind - 1], right - text_at - 8, SMALLEST, bold=True, align="l")


def _upwards(block: Block, top: int, bottom: int) -> None:
    middle = PADDING + 8
    block.line(((middle, top + 16), (middle, bottom)), GOLD, 6)
    block.mark(marks.TRIANGLE, (middle - 11, top), 20, GOLD, width=22)


def _orders(block: Block, texts: CombinationChart) -> None:
    """The orders of the numbers, and of the colors together with the multicolored 1."""
    top = FEWER_HEIGHT + GAP
    block.panel((RIGHT_AT, top, CONTENT_WIDTH, HEIGHT))
    _title(block, (RIGHT_AT, top), RIGHT_WIDTH, texts.numbers)
    left = RIGHT_AT + PADDING
    block.cards((left, top + 56), NUMBERS, CARD, STEP - CARD, in_row=6)
    _title(block, (RIGHT_AT, top + 136), RIGHT_WIDTH, texts.colors)
    ones = tuple(card for card in ALL_CARDS if card.rank == 1)
    step = (RIGHT_WIDTH - 2 * PADDING - CARD) // (len(ones) - 1)
    for place, card in enumerate(ones):
        block.cards((left + place * step, top + 196), (card,), CARD)
    for place, _ in enumerate(pairwise(ones)):
        block.mark(marks.POINTER, (left + place * step + (step + CARD) // 2 - 7, top + 205), 18, GOLD, width=14)
