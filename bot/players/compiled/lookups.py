"""The combinations as arrays, made from those of the engine, and operations on sets of cards (see `bits`)."""

from typing import Final, NamedTuple

import numpy as np

from bot.engine.cards import DECK
from bot.engine.combinations import Kind, combination_table
from bot.players.bits import FIRST_FIVE, FIRST_GANG, FIRST_PAIR, FIRST_TRIPLE, HIGH, LOW, PLAYS, Ints, to_bits
from bot.players.compiled.jit import Places, jit

MOST_PLAYS: Final = 2048
"""More plays than any seventeen cards have; sixteen of one color have 1,170."""


class Lookups(NamedTuple):
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


def make_lookups() -> Lookups:
    """The arrays, from the engine's combinations."""
    orders = (combination_table("highest").all, combination_table("sum").all)
    first = (0, 0, FIRST_PAIR, FIRST_TRIPLE, *[FIRST_FIVE] * 4, FIRST_GANG)
    if [sum(play.kind < Kind.GANG for play in order) for order in orders] != [FIRST_GANG] * 2:
        raise ValueError("the engine's combinations have changed")
    following = {0: FIRST_PAIR, FIRST_PAIR: FIRST_TRIPLE, FIRST_TRIPLE: FIRST_FIVE, FIRST_FIVE: FIRST_GANG}
    return Lookups(
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
