"""The chart of combinations on one page, the strongest at the top."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.engine import Cards, Kind, parse_card
from bot.engine.cards import ALL_CARDS, DRAGON, GREEN_PHOENIX, Color
from bot.pictures import marks
from bot.pictures.fonts import wrapped
from bot.pictures.pages import Block, heading, page, png
from bot.pictures.theme import BODY, CONTENT_WIDTH, GOLD, INK, LARGE, MUTED, PADDING, RGB, SMALL


@dataclass(frozen=True, slots=True)
class KindText:
    """The words for one kind of combination."""

    name: str
    note: str
    """The cards that it consists of; two lines of about 25 letters."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The words of the page."""

    title: str
    subtitle: str
    """`The stronger, the higher up`."""
    kinds: tuple[KindText, ...]
    """A single first, gangs last, as in `Kind`."""
    gangs: str
    """Above the gangs: `At any time, on anything`."""
    five: str
    """Above the kinds of five cards: `Five cards: the higher kind wins`."""
    fewer: str
    """Above the others: `Three, two, one: only on as many cards`."""
    numbers: str
    """Above the order of numbers: `Numbers from low to high`."""
    colors: str
    """Above the order of colors: `Among equal numbers: green, yellow, red`."""
    ones: str
    """Above the order of the 1s: `Among the 1s the multicolored is highest`."""


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
GANGS: Final = tuple(map(_cards, ("1G 1G 1Y 1Y 1R 1R 1M", "2G 2G 2Y 2Y 2R", "10G 10G 10Y 10R", "3G 3Y 3Y 3R")))
"""Highest first: more cards before higher numbers (R18)."""
NUMBERS: Final[Cards] = (
    *(card for card in ALL_CARDS if card.color is Color.GREEN and card.rank <= 10),
    GREEN_PHOENIX,
    DRAGON,
)
CARD: Final = 54
STEP: Final = CARD + 6
ROW: Final = 106
CARDS_AT: Final = 74
"""The arrow that points upwards is left of it."""
TEXT_AT: Final = CARDS_AT + 5 * STEP + 20


def chart(words: Chart) -> bytes:
    """A PNG, 800 pixels wide."""
    five = (Kind.STRAIGHT_FLUSH, Kind.FULL_HOUSE, Kind.FLUSH, Kind.STRAIGHT)
    fewer = (Kind.TRIPLE, Kind.PAIR, Kind.SINGLE)
    panels = [_gangs(words), _kinds(words, words.five, five), _kinds(words, words.fewer, fewer), _orders(words)]
    return png(page([heading(words.title, words.subtitle), *panels], gap=18))


def _panel(height: int, title: str, color: RGB = INK) -> Block:
    block = Block(height)
    block.panel((0, 0, CONTENT_WIDTH, height))
    block.text((PADDING, 46), title, BODY, color, bold=True, max_width=CONTENT_WIDTH - 2 * PADDING)
    return block


def _gangs(words: Chart) -> Block:
    text = words.kinds[Kind.GANG - 1]
    top = 148
    block = _panel(top + len(GANGS) * (STEP + 8) + 6, "")
    block.mark(marks.STAR, (PADDING, 18), 34, GOLD)
    block.text((CARDS_AT, 46), text.name, LARGE, bold=True, max_width=CONTENT_WIDTH - CARDS_AT - PADDING)
    block.text((CARDS_AT, 86), words.gangs, BODY, GOLD, max_width=CONTENT_WIDTH - CARDS_AT - PADDING)
    block.text((CARDS_AT, 122), text.note, SMALL, MUTED, max_width=CONTENT_WIDTH - CARDS_AT - PADDING)
    for place, cards in enumerate(GANGS):
        block.cards((CARDS_AT, top + place * (STEP + 8)), cards, CARD)
    _upwards(block, top, block.height - 20)
    return block


def _kinds(words: Chart, title: str, kinds: tuple[Kind, ...]) -> Block:
    top = 60
    block = _panel(top + ROW * len(kinds), title)
    for place, kind in enumerate(kinds):
        _kind(block, top + place * ROW, words.kinds[kind - 1], EXAMPLES[kind])
    if kinds[0] is Kind.STRAIGHT_FLUSH:  # kinds with fewer cards never beat each other
        _upwards(block, top, block.height - 24)
    return block


def _kind(block: Block, top: int, text: KindText, cards: Cards) -> None:
    """The example, and next to it the name above the note."""
    lines = wrapped(text.note, CONTENT_WIDTH - TEXT_AT - PADDING, SMALL)[:2]
    block.cards((CARDS_AT, top + (ROW - CARD) // 2), cards, CARD)
    baseline = top + (36 if len(lines) == 2 else 50)
    block.text((TEXT_AT, baseline), text.name, BODY, bold=True, max_width=CONTENT_WIDTH - TEXT_AT - PADDING)
    for place, line in enumerate(lines):
        block.text(
            (TEXT_AT, baseline + 30 + 28 * place), line, SMALL, MUTED, max_width=CONTENT_WIDTH - TEXT_AT - PADDING
        )


def _upwards(block: Block, top: int, bottom: int) -> None:
    middle = PADDING + 16
    block.line((middle, top + 20), (middle, bottom), GOLD, 8)
    block.mark(marks.TRIANGLE, (middle - 16, top), 28, GOLD, width=32)


def _orders(words: Chart) -> Block:
    """The orders of the numbers, the colors and the 1s."""
    block = _panel(392, words.numbers)
    block.cards((PADDING, 66), NUMBERS, 50, gap=10)
    block.line((PADDING, 138), (CONTENT_WIDTH - PADDING - 12, 138), GOLD, 6)
    block.mark(marks.POINTER, (CONTENT_WIDTH - PADDING - 20, 126), 24, GOLD, width=20)
    for top, title, rank in ((160, words.colors, 7), (276, words.ones, 1)):
        block.text((PADDING, top + 30), title, BODY, bold=True, max_width=CONTENT_WIDTH - 2 * PADDING)
        _ascending(block, top + 48, tuple(card for card in ALL_CARDS if card.rank == rank))
    return block


def _ascending(block: Block, top: int, cards: Cards) -> None:
    """Cards with a pointer from each to the next."""
    step = CARD + 52
    for place, card in enumerate(cards):
        block.cards((PADDING + place * step, top), (card,), CARD)
    for place, _ in enumerate(pairwise(cards)):
        block.mark(marks.POINTER, (PADDING + place * step + CARD + 18, top + 15), 24, GOLD, width=18)
