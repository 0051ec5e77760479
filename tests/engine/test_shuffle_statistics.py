"""Statistics of many deals: no card prefers a place, a seat or a neighbor (`make soak`: a million deals).

Each test compares counts with their expected values by a chi-square test that a fair shuffle fails once in ten million
times. The seeds are fixed, so the result is always the same.
"""

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from math import sqrt
from random import Random
from typing import TypeAlias

import pytest

from bot.engine import Options
from bot.engine.cards import DECK
from bot.engine.shuffle import deal

DEALS = int(os.environ.get("GANG_OF_FOUR_DEALS", "10000"))
AT_ONCE = 10_000
SURPRISE = 5.33
"""Standard deviations that one value in ten million exceeds on either side."""
COPIES: Counter[int] = Counter(DECK)
PLACES = len(DECK)
Shuffle: TypeAlias = Callable[[int], bytes]
"""Makes deck number 0, 1, … as bytes, one for each card."""


def ours(number: int) -> bytes:
    seed = sha256(b"deal %d" % number).digest()
    dealt = deal(seed, f"{number}-ai-ai-ai", number % 60 + 1, seats=4, dealer=0, direction=1, options=Options())
    return bytes(card for hand in dealt.hands for card in hand)


def naive_shuffle(number: int) -> bytes:
    """The classic mistake: swap each card with any other, not only with those below."""
    chance, deck = Random(number), list(DECK)
    for place in range(PLACES):
        other = chance.randrange(PLACES)
        deck[place], deck[other] = deck[other], deck[place]
    return bytes(deck)


def only_cut(number: int) -> bytes:
    """Every card comes to every place equally often, but always after the same card."""
    at = Random(number).randrange(PLACES)
    return bytes(DECK[at:] + DECK[:at])


class Counts:
    """The number of times each card was at each place, and each pair side by side."""

    def __init__(self, shuffle: Shuffle, deals: int) -> None:
        self.deals = deals
        self.places: Counter[tuple[int, int]] = Counter()
        self.pairs: Counter[tuple[int, int]] = Counter()
        for first in range(0, deals, AT_ONCE):
            self._add([shuffle(number) for number in range(first, min(first + AT_ONCE, deals))], first)

    def _add(self, decks: list[bytes], first: int) -> None:
        joined = b"".join(decks)
        for place in range(PLACES):
            column = joined[place::PLACES]
            self.places.update({(card, place): column.count(card) for card in COPIES})
        for number, deck in enumerate(
            decks, first
        ):  # one pair for each deal, because pairs of one deck depend on each other
            at = number % (PLACES - 1)
            self.pairs[deck[at], deck[at + 1]] += 1


@cache
def counts(shuffle: Shuffle, deals: int) -> Counts:
    return Counts(shuffle, deals)


def chi_square(observed: Counter[tuple[int, int]], expected: dict[tuple[int, int], float]) -> float:
    assert observed.keys() <= expected.keys(), "something happened that cannot"
    return sum((observed[cell] - mean) ** 2 / mean for cell, mean in expected.items())


def bounds(freedom: int) -> tuple[float, float]:
    """The bounds of a plausible chi-square (Wilson and Hilferty's approximation of its quantiles)."""
    unit = 2 / (9 * freedom)
    low, high = (1 - unit + sign * SURPRISE * sqrt(unit) for sign in (-1, 1))
    return freedom * low**3, freedom * high**3


def by_place(found: Counts, width: int) -> tuple[float, int]:
    """The chi-square of cards by ranges of `width` places, and its degrees of freedom.

    A deck has every card and every place once, so its cells are bound more than independent draws: n / (n - 1).
    """
    observed: Counter[tuple[int, int]] = Counter()
    for (card, place), count in found.places.items():
        observed[card, place // width] += count
    stretches = PLACES // width
    expected = {
        (card, at): found.deals * copies / stretches for card, copies in COPIES.items() for at in range(stretches)
    }
    freedom = (len(COPIES) - 1) * (stretches - 1)
    return chi_square(observed, expected) * (PLACES - 1) / PLACES, freedom


def by_pair(found: Counts) -> tuple[float, int]:
    ways = {(one, other): COPIES[one] * (COPIES[other] - (one == other)) for one in COPIES for other in COPIES}
    expected = {pair: found.deals * count / (PLACES * (PLACES - 1)) for pair, count in ways.items() if count}
    return chi_square(found.pairs, expected), len(expected) - 1


MEASURES: dict[str, Callable[[Counts], tuple[float, int]]] = {
    "places": lambda found: by_place(found, 1),
    "seats": lambda found: by_place(found, 16),
    "neighbors": by_pair,
}


def is_fair(shuffle: Shuffle, deals: int, measure: str) -> bool:
    value, freedom = MEASURES[measure](counts(shuffle, deals))
    low, high = bounds(freedom)
    return low < value < high


@pytest.mark.parametrize("measure", MEASURES)
def test_deals_are_statistically_random(measure: str) -> None:
    assert is_fair(ours, DEALS, measure)


@pytest.mark.parametrize(
    ("shuffle", "measure"),
    [(naive_shuffle, "places"), (naive_shuffle, "seats"), (only_cut, "neighbors")],
)
def test_biased_shuffles_are_detected(shuffle: Shuffle, measure: str) -> None:
    assert not is_fair(shuffle, 10_000, measure)
