"""The strength of a dealt hand.

It is the sum of the ranks: 1 to 10, Phoenix 11, Dragon 12. In simulated matches that sum predicts the winner of a hand
nearly as well (correlation 0.23) as ten features together (0.27), among them gangs, pairs, flushes and low cards; and
players can add it up themselves.
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
    """The percentage of possible hands that are weaker (0-100); half of the equally strong ones count as weaker."""
    below = _counts()[: max(strength, 0)]
    equal = _counts()[strength] if 0 <= strength < len(_counts()) else 0
    return 100 * (sum(below) + equal / 2) / comb(len(DECK), HAND_SIZE)


@cache
def _counts() -> tuple[int, ...]:
    """The number of possible hands of 16 cards for each sum of ranks."""
    highest = sum(sorted(card.rank for card in DECK)[-HAND_SIZE:])
    counts = [[0] * (highest + 1) for _ in range(HAND_SIZE + 1)]
    counts[0][0] = 1
    for card in DECK:
        for size in range(HAND_SIZE, 0, -1):
            for total in range(highest, card.rank - 1, -1):
                counts[size][total] += counts[size - 1][total - card.rank]
    return tuple(counts[HAND_SIZE])
