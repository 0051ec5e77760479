"""Whole matches in the kernel: dealing, the exchange, points, totals and the end."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.engine.scoring import multiplier
from bot.players.bits import MULTI_ONE_BIT, Ints
from bot.players.compiled.hand import (
    DECIDING_HAND,
    EXCEED,
    OPENING,
    SEATS,
    TARGET,
    WINNER,
    Hand,
    begin,
)
from bot.players.compiled.jit import jit, whole
from bot.players.compiled.lookups import Lookups, settle

Chance = NDArray[np.uint64]
"""The state of a generator, one number."""


MULTIPLIERS: Final = np.array([multiplier(left) for left in range(17)], np.int64)
"""Points for each card, by the number of cards left (R26)."""


def chance_of(seed: int) -> Chance:
    """A random generator for a seed."""
    return np.array([(seed * 0xD6E8FEB86659FD93 + 0xD1B54A32D192ED03) % 2**64], np.uint64)


@jit
def draw(chance: Chance) -> np.uint64:
    """64 random bits (SplitMix64)."""
    chance[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = chance[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@jit
def below(chance: Chance, limit: int) -> int:
    """A random integer from 0 to `limit` - 1."""
    return whole((draw(chance) >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))


@jit
def fraction(chance: Chance) -> float:
    """A random number from 0 up to 1."""
    return np.float64(draw(chance) >> np.uint64(11)) * 2.0**-53


@jit
def deal(cards: Ints, chance: Chance) -> None:
    """Deal four piles of sixteen cards."""
    deck = np.arange(64)
    for place in range(63, 0, -1):
        other = below(chance, place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    for pile in range(4):
        bits = 0
        for place in range(16):
            bits |= 1 << deck[16 * pile + place]
        cards[pile] = settle(bits)


@jit
def begin_first(lookups: Lookups, hand: Hand, dealer: int) -> None:
    """Start the first hand of a match: the multicolored 1 leads, otherwise the seat right of the dealer (R21)."""
    seats = hand.now[SEATS]
    leader, opens = (dealer + 1) % seats, False
    for seat in range(seats):
        if hand.cards[seat] & MULTI_ONE_BIT:
            leader, opens = seat, True
    begin(lookups, hand, leader, 1)
    hand.now[OPENING] = opens


@jit
def hand_points(hand: Hand, points: Ints) -> None:
    """Write the penalty points of each seat (R26)."""
    for seat in range(hand.now[SEATS]):
        left = hand.left[seat]
        points[seat] = 0 if seat == hand.now[WINNER] else left * MULTIPLIERS[left]


@jit
def is_decided(now: Ints, totals: Ints) -> bool:
    """True if a total ends the match (R32)."""
    return totals[: now[SEATS]].max() >= now[TARGET] + now[EXCEED]


@jit
def is_over(now: Ints, totals: Ints, was_deciding: bool) -> bool:
    """True if no further hand follows (R32, R33)."""
    if not is_decided(now, totals):
        return False
    if not now[DECIDING_HAND] or was_deciding:
        return True
    totals = totals[: now[SEATS]]
    return (totals == totals.min()).sum() == 1


@jit
def share(now: Ints, totals: Ints, seat: int) -> float:
    """The share of a match that is over: 1 for the lowest total alone, less if it is shared."""
    totals = totals[: now[SEATS]]
    least = totals.min()
    return 1.0 / (totals == least).sum() if totals[seat] == least else 0.0


@jit
def giver(hand_left: Ints, totals: Ints, winner: int, seats: int) -> int:
    """The seat that gives its highest card to the last winner (R27, R28)."""
    best = -1
    for distance in range(1, seats):
        seat = (winner + distance) % seats
        if best < 0 or (hand_left[seat], totals[seat]) > (hand_left[best], totals[best]):
            best = seat
    return best
