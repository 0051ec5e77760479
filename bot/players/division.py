"""The cost of a hand: its cheapest division into plays, for many hands at once. `compiled.partition` does the same.

Up to three plays of five cards are removed, the most promising first; the rest is divided by numbers.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.engine import Combination
from bot.players.bits import FIRST_FIVE, FIRST_GANG, HIGH, LOW, NUMBERS, PLAYS, Floats, Ints, to_bits

SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
GANG: Final = 8
NO_FIVE: Final = 1e9
"""A cost that no play has."""

Strengths = NDArray[np.float64]


def minus(cards: Ints, less: Ints) -> Ints:
    """`cards` without `less`, which they must contain."""
    left = cards ^ less
    alone = left & HIGH & ~((left & LOW) << 1)
    settled: Ints = (left ^ alone) | (alone >> 1)
    return settled


def counts(cards: Ints) -> Ints:
    """The cards of each number, 1-12, in a new last dimension."""
    found: Ints = np.bitwise_count(cards[..., None] & NUMBERS[1:]).astype(np.int64)
    return found


def cost_of(weights: Floats, kind: int, strength: float) -> float:
    """The cost of a play; `strength` is from 0 to 1."""
    constant, factor, sixth = map(float, weights[3 * kind : 3 * kind + 3])
    return constant + factor * strength + sixth * strength**6


def strengths_against(unseen: Ints) -> Strengths:
    """The strengths by size 1-3 and number 1-12: the share of unseen cards or numbers that isn't higher."""
    strengths = np.zeros((4, 13))
    of_number = counts(unseen)
    total = max(int(of_number.sum()), 1)
    cards_above = pairs_above = triples_above = 0.0
    for number in range(12, 0, -1):
        copies = int(of_number[number - 1])
        strengths[1, number] = 1 - (cards_above + 0.5 * copies) / total  # colors are left out
        strengths[2, number] = 1 - pairs_above / 11
        strengths[3, number] = 1 - triples_above / 10
        cards_above += copies
        pairs_above += copies >= 2
        triples_above += copies >= 3
    return strengths


class Division:
    """The costs of the parts of one hand at one decision."""

    def __init__(self, weights: Floats, unseen: Ints, plays: Sequence[Combination]) -> None:
        """`plays`: all combinations in the hand."""
        self.strengths = strengths_against(unseen)
        self._numbers = np.array(
            [_number_costs(weights, self.strengths, number) for number in range(1, 13)], np.float32
        )
        fives = [play for play in plays if FIRST_FIVE <= play < FIRST_GANG]
        self._fives: Ints = np.array([to_bits(play.cards) for play in fives], np.int64)
        self._five_counts = counts(self._fives)
        self._five_costs: Floats = np.array(
            [cost_of(weights, play.kind, self.strength(play)) for play in fives], np.float32
        )

    def strength(self, play: Combination) -> float:
        """The strength of a play, 0 to 1; for five cards its rank among all such plays."""
        if play < FIRST_FIVE:
            return float(self.strengths[play.size, play.number])
        if play < FIRST_GANG:
            return (play - FIRST_FIVE) / (FIRST_GANG - FIRST_FIVE)
        return (play - FIRST_GANG) / (PLAYS - FIRST_GANG)

    def costs(self, hands: Ints) -> Floats:
        """The cheapest cost found for each of these parts of the hand."""
        best, spent = self._rest_costs(counts(hands)), np.zeros(len(hands), np.float32)
        going = np.ones(len(hands), bool)
        for _ in range(3 if len(self._fives) else 0):
            cost, chosen = self._best_fives(hands)
            going &= cost < NO_FIVE
            if not going.any():
                break
            hands = np.where(going, minus(hands, np.where(going, self._fives[chosen], 0)), hands)
            best = np.where(going, np.minimum(best, spent + cost), best)
            spent += np.where(going, self._five_costs[chosen], 0)
        return best

    def _best_fives(self, hands: Ints) -> tuple[Floats, Ints]:
        """The cheapest cost of each hand with one play of five cards, and the play; NO_FIVE if it has none."""
        of_number = counts(hands)
        costs = np.zeros((len(hands), len(self._fives)), np.float32)
        for number in range(12):
            left = np.maximum(of_number[:, None, number] - self._five_counts[None, :, number], 0)
            costs += self._numbers[number, left]
        costs += self._five_costs
        costs[self._fives[None, :] & ~hands[:, None] != 0] = NO_FIVE
        chosen = costs.argmin(axis=1)
        return costs[np.arange(len(hands)), chosen], chosen

    def _rest_costs(self, of_number: Ints) -> Floats:
        """The cost without plays of five."""
        total = np.zeros(len(of_number), np.float32)
        for number in range(12):
            total += self._numbers[number, of_number[:, number]]
        return total


def _number_costs(weights: Floats, strengths: Strengths, number: int) -> list[float]:
    """The cheapest cost of 0-7 cards of a number."""
    alone, pair, triple = (cost_of(weights, kind, strengths[kind, number]) for kind in (SINGLE, PAIR, TRIPLE))
    costs = [0.0, alone]
    for copies in range(2, 8):
        ways = [alone + costs[copies - 1], pair + costs[copies - 2]]
        if copies > 2:
            ways.append(triple + costs[copies - 3])
        ways += [
            cost_of(weights, GANG, (many - 4) / 4 + number / 40) + costs[copies - many] for many in range(4, copies + 1)
        ]
        costs.append(min(ways))
    return costs
