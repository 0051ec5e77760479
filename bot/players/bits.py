"""Cards and combinations as numbers for arrays.

A set of cards is one 64-bit integer. Bit i is card i of the sorted deck. For a kind with two copies, the lower bit
means "at least one" and the higher one "both", so a hand contains a play if it has all its bits.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.engine.cards import ALL_CARDS, DECK, GREEN_PHOENIX, MULTI_ONE, YELLOW_PHOENIX, Card, Cards, Color

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

KINDS: Final = len(ALL_CARDS)
FIRST_BIT: Final = tuple(DECK.index(card) for card in ALL_CARDS)
"""The lower bit of each kind of card."""


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


def to_bits(cards: Cards) -> int:
    """Cards as a signed 64-bit integer."""
    bits = 0
    for card in cards:
        bit = 1 << FIRST_BIT[card]
        bits |= bit << 1 if bits & bit else bit
    return _signed(bits)


def from_bits(bits: int) -> Cards:
    """The cards of an integer, ascending."""
    return tuple(card for place, card in enumerate(DECK) if bits >> place & 1)


def _bits_where(wanted: set[Card]) -> int:
    return _signed(sum(1 << place for place, card in enumerate(DECK) if card in wanted))


LOW: Final = _signed(sum(1 << FIRST_BIT[card] for card in ALL_CARDS if card.copies == 2))
"""The lower bits of the kinds with two copies."""
HIGH: Final = _signed(sum(2 << FIRST_BIT[card] for card in ALL_CARDS if card.copies == 2))
"""Their higher bits."""
MULTI_ONE_BIT: Final = 1 << DECK.index(MULTI_ONE)
PHOENIXES: Final = _bits_where({GREEN_PHOENIX, YELLOW_PHOENIX})
NUMBERS: Final = np.array(
    [0, *(_bits_where({card for card in ALL_CARDS if card.rank == rank}) for rank in range(1, 13))], np.int64
)
"""The cards of each number, 1-12."""
COLORS: Final = np.array(
    [
        _bits_where({card for card in ALL_CARDS if card.rank <= 10 and card.color in (color, Color.MULTI)})
        for color in (Color.GREEN, Color.YELLOW, Color.RED)
    ],
    np.int64,
)
"""The cards that count as each color in a flush."""

# The indexes at which kinds begin in the engine's order of combinations, and the number of all.
FIRST_PAIR: Final = 34
FIRST_TRIPLE: Final = 98
FIRST_FIVE: Final = 174
FIRST_GANG: Final = 12235
PLAYS: Final = 12352
