"""How good the cards were that somebody was dealt.

A hand is as good as the sum of its ranks: 1 to 10, Phoenix 11, Dragon 12. In simulated matches that sum alone tells
who wins a hand nearly as well (correlation 0.23) as all of ten features of a hand together (0.27), among them gangs,
pairs, flushes and low cards; and everybody can add it up.
"""

from functools import cache
from math import comb

from bot.engine import Cards
from bot.engine.cards import DECK
from bot.engine.shuffle import HAND_SIZE


def strength(hand: Cards) -> int:
    """The sum of the ranks of 16 cards."""
    return sum(card.rank for card in hand)


@cache
def percentile(strength: int) -> float:
    """Of all hands that can be dealt, how many are weaker (0-100); of those just as strong, half are."""
    below = _counts()[: max(strength, 0)]
    equal = _counts()[strength] if 0 <= strength < len(_counts()) else 0
    return 100 * (sum(below) + equal / 2) / comb(len(DECK), HAND_SIZE)


@cache
def _counts() -> tuple[int, ...]:
    """How many hands of 16 there are for each sum, card by card of the deck."""
    highest = sum(sorted(card.rank for card in DECK)[-HAND_SIZE:])
    counts = [[0] * (highest + 1) for _ in range(HAND_SIZE + 1)]
    counts[0][0] = 1
    for card in DECK:
        for size in range(HAND_SIZE, 0, -1):
            for total in range(highest, card.rank - 1, -1):
                counts[size][total] += counts[size - 1][total - card.rank]
    return tuple(counts[HAND_SIZE])
