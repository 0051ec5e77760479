"""Cards, the deck, and their text form.

A card is an `int`: its index in the order of all 34 kinds of card (R2), so cards can be sorted, compared and used as
indexes. Most kinds exist twice and the two copies are equal, so a hand is a sorted tuple, never a set.
"""

from collections import Counter
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeAlias

from bot.engine.excerpt import excerpt


class UnreadableCards(ValueError):
    """A text that isn't a list of cards, or lists more copies than the deck has. `text` is the wrong part."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(f"{excerpt(text)} {why}")
        self.text = text


class Color(IntEnum):
    """Green < yellow < red (R2). MULTI is the color of the multicolored 1, the highest of the 1s."""

    GREEN = 0
    YELLOW = 1
    RED = 2
    MULTI = 3

    @property
    def letter(self) -> str:
        """`G`, `Y`, `R` or `M`, as in the text form of a card."""
        return self.name[0]


PHOENIX_RANK: Final = 11
DRAGON_RANK: Final = 12
SMALLEST_GANG: Final = 4
"""The fewest cards of a gang (R10)."""

_FACES: Final = (
    *((1, color) for color in Color),
    *((rank, color) for rank in range(2, 11) for color in (Color.GREEN, Color.YELLOW, Color.RED)),
    (PHOENIX_RANK, Color.GREEN),
    (PHOENIX_RANK, Color.YELLOW),
    (DRAGON_RANK, Color.RED),
)


def _text(rank: int, color: Color) -> str:
    if rank == PHOENIX_RANK:
        return f"P{color.letter}"
    return "DR" if rank == DRAGON_RANK else f"{rank}{color.letter}"


_TEXTS: Final = tuple(_text(rank, color) for rank, color in _FACES)


class Card(int):
    """A kind of card: 0 (`1G`) … 33 (`DR`), ascending as in R2."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """1-10, or 11 for a Phoenix and 12 for the Dragon."""
        return _FACES[self][0]

    @property
    def color(self) -> Color:
        """The color; MULTI for the multicolored 1."""
        return _FACES[self][1]

    @property
    def copies(self) -> int:
        """The number of copies in the deck (R1): 2 of each numbered card, 1 of each of the four special cards."""
        return 1 if self.rank > 10 or self.color is Color.MULTI else 2

    def __bool__(self) -> bool:
        return True  # `1G` is 0, too

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return _TEXTS[self]


Cards: TypeAlias = tuple[Card, ...]

ALL_CARDS: Final[Cards] = tuple(Card(i) for i in range(len(_FACES)))
"""The 34 kinds, ascending."""

DECK: Final[Cards] = tuple(card for card in ALL_CARDS for _ in range(card.copies))
"""The 64 cards in ascending order, in which a shuffle starts."""

_BY_TEXT: Final = {str(card): card for card in ALL_CARDS}

MULTI_ONE: Final = _BY_TEXT["1M"]
GREEN_PHOENIX: Final = _BY_TEXT["PG"]
YELLOW_PHOENIX: Final = _BY_TEXT["PY"]
DRAGON: Final = _BY_TEXT["DR"]


def parse_card(text: str) -> Card:
    """Read one card: `7R`, `10G`, `1M`, `PG`, `PY` or `DR`, in either case."""
    try:
        return _BY_TEXT[text.upper()]
    except KeyError:
        raise UnreadableCards(text, "is not a card") from None


def parse_cards(text: str) -> Cards:
    """Read cards separated by spaces, and sort them. Raises `UnreadableCards`."""
    return sorted_cards(parse_card(word) for word in text.split())


def sorted_cards(cards: Iterable[Card]) -> Cards:
    """`cards` in ascending order. Raises `UnreadableCards` if the deck has fewer copies of one."""
    hand = tuple(sorted(cards))
    for card, count in Counter(hand).items():
        if count > card.copies:
            raise UnreadableCards(str(card), f"appears {count} times, but the deck has {card.copies}")
    return hand


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards separated by spaces, in the given order."""
    return " ".join(map(str, cards))


def is_gang(cards: Cards) -> bool:
    """True for at least four cards of one number."""
    return len(cards) >= SMALLEST_GANG and len({card.rank for card in cards}) == 1


def holds(hand: Cards, cards: Cards) -> bool:
    """True if `hand` has all of `cards`, counting copies."""
    try:
        without(hand, cards)
    except ValueError:
        return False
    return True


def without(hand: Cards, cards: Cards) -> Cards:
    """`hand` without `cards`. Raises ValueError if the hand doesn't hold them all."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)
