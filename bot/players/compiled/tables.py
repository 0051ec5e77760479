"""Cards and combinations as arrays, made by the engine.

A set of cards is one 64-bit integer. Bit i is card i of the sorted deck. For a kind with two copies, the lower bit means
"at least one" and the higher one "both", so a hand contains a play if it has all its bits.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.engine.cards import ALL_CARDS, DECK, Card, Cards, Color
from bot.engine.combinations import Kind, combination_table
from training.jit import Ints, Places, jit

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


def _bits_where(wanted: "set[Card]") -> int:
    return _signed(sum(1 << place for place, card in enumerate(DECK) if card in wanted))


LOW: Final = _signed(sum(1 << FIRST_BIT[card] for card in ALL_CARDS if card.copies == 2))
"""The lower bits of the kinds with two copies."""
HIGH: Final = _signed(sum(2 << FIRST_BIT[card] for card in ALL_CARDS if card.copies == 2))
"""Their higher bits."""
ONE_OF_EACH: Final = _signed(sum(1 << bit for bit in FIRST_BIT))
MULTI_ONE_BIT: Final = 1 << DECK.index(Card(3))
PHOENIXES: Final = _bits_where({Card(31), Card(32)})
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

FIRST_PAIR: Final = 34
FIRST_TRIPLE: Final = 98
FIRST_FIVE: Final = 174
FIRST_GANG: Final = 12235
PLAYS: Final = 12352
MOST_PLAYS: Final = 2048
"""More plays than any seventeen cards have; sixteen of one color have 1,170."""


class Tables(NamedTuple):
    """The combinations by index, for both flush orders (first dimension: 0 by the highest number, 1 by the sum)."""

    cards: Ints
    sizes: Ints
    kinds: Ints
    numbers: Ints
    ceilings: Ints
    ends: Ints
    """By kind: the end of the combinations of its size."""
    number_of: Ints
    """By bit: the number of its card."""
    kind_of: Ints
    """By bit: the kind of card, 0-33."""
    single_of: Ints
    """By bit: one card of that kind."""


def make_tables() -> Tables:
    """The tables, from the engine's."""
    orders = (combination_table("highest").all, combination_table("sum").all)
    first = (0, 0, FIRST_PAIR, FIRST_TRIPLE, *[FIRST_FIVE] * 4, FIRST_GANG)
    if [sum(play.kind < Kind.GANG for play in order) for order in orders] != [FIRST_GANG] * 2:
        raise ValueError("the engine's combinations have changed")
    following = {0: FIRST_PAIR, FIRST_PAIR: FIRST_TRIPLE, FIRST_TRIPLE: FIRST_FIVE, FIRST_FIVE: FIRST_GANG}
    return Tables(
        cards=np.array([[to_bits(play.cards) for play in order] for order in orders], np.int64),
        sizes=np.array([[play.size for play in order] for order in orders], np.int64),
        kinds=np.array([[play.kind.value for play in order] for order in orders], np.int64),
        numbers=np.array([[play.number for play in order] for order in orders], np.int64),
        ceilings=np.array([[play.ceiling for play in order] for order in orders], np.int64),
        ends=np.array([following.get(place, PLAYS) for place in first], np.int64),
        number_of=np.array([card.rank for card in DECK], np.int64),
        kind_of=np.array([int(card) for card in DECK], np.int64),
        single_of=np.array([to_bits((card,)) for card in DECK], np.int64),
    )


@jit
def settle(cards: int) -> int:
    """Normalized cards: of two copies, the lower bit is set first."""
    alone = cards & HIGH & ~((cards & LOW) << 1)
    return (cards ^ alone) | (alone >> 1)


@jit
def minus(cards: int, less: int) -> int:
    """`cards` without `less`, which it must contain."""
    return settle(cards ^ less)


@jit
def plus(cards: int, more: int) -> int:
    """Two sets of cards together."""
    return cards | more | ((cards & more & LOW) << 1)


@jit
def highest_bit(cards: int) -> int:
    """The bit of the highest card; of two copies the lower bit."""
    for place in range(63, -1, -1):
        if cards >> place & 1:
            return settle(1 << place)
    return 0


@jit
def lowest_bit(cards: int) -> int:
    """The bit of the lowest card."""
    return cards & -cards


@jit
def find_plays(cards: Ints, hand: int, plays: Places) -> int:
    """Write the indexes of all plays of `hand` to `plays`, ascending. Returns their number. `cards`: of one order."""
    missing = ~hand
    found = 0
    for place in range(PLAYS):
        plays[found] = place
        found += (cards[place] & missing) == 0
    return found


@jit
def keep_plays(cards: Ints, hand: int, plays: Places, found: int) -> int:
    """Keep those of the `found` plays that `hand` still contains. Returns their number."""
    missing = ~hand
    kept = 0
    for index in range(found):
        place = plays[index]
        plays[kept] = place
        kept += (cards[place] & missing) == 0
    return kept
