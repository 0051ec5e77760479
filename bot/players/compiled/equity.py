"""The value of totals between two hands: the share of the match, from continuing it with hands of the past.

A pool keeps the points of hands that equal players have played, by the distance from the leader in the order of play.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import Floats, Ints
from bot.players.compiled.hand import DIRECTION, SEATS
from bot.players.compiled.jit import jit
from bot.players.compiled.match import Chance, below, is_decided, is_over, share

POOL: Final = 8192
"""Hands kept for three players, and for four."""
SIMULATED: Final = 128
"""Matches continued after each hand."""
MOST_HANDS: Final = 400


class Pool(NamedTuple):
    """Points of hands (first index: 0 for three seats, 1 for four), and how many there are."""

    points: Ints
    size: Ints


class Outlook(NamedTuple):
    """The expected result of the rest of a match."""

    shares: Floats
    """By seat: the share of the match."""
    before: Floats
    """The share before the hand."""
    hands: Floats
    """One number: the hands played."""


def new_outlook() -> Outlook:
    """An empty outlook."""
    return Outlook(np.zeros(4, np.float32), np.zeros(4, np.float32), np.zeros(1, np.float32))


@jit
def play_on(now: Ints, totals: Ints, leader: int, pool: Pool, chance: Chance) -> int:
    """Play a match to its end with hands of the pool; `totals` become the final ones. Returns the number of hands."""
    seats, direction = now[SEATS], -now[DIRECTION]  # R20
    points, size = pool.points[seats - 3], min(pool.size[seats - 3], POOL)
    deciding = False
    for hands in range(MOST_HANDS):
        if is_over(now, totals, deciding):
            return hands
        deciding = is_decided(now, totals)
        hand = points[below(chance, size)]
        following = leader
        for distance in range(seats):
            seat = (leader + direction * distance) % seats
            totals[seat] += hand[distance]
            if hand[distance] == 0:
                following = seat
        leader, direction = following, -direction  # R20
    return MOST_HANDS


@jit
def look_ahead(
    now: Ints, totals: Ints, deciding: bool, winner: int, pool: Pool, chance: Chance, outlook: Outlook
) -> None:
    """Write the expected result after a hand that `winner` has won; `deciding`: it was a deciding hand."""
    seats, shares = now[SEATS], outlook.shares
    shares[:] = 0
    outlook.hands[0] = 1
    if is_over(now, totals, deciding):
        for seat in range(seats):
            shares[seat] = share(now, totals, seat)
        return
    ending, hands = np.empty(4, np.int64), 0
    for _ in range(SIMULATED):
        ending[:] = totals
        hands += play_on(now, ending, winner, pool, chance)
        for seat in range(seats):
            shares[seat] += share(now, ending, seat) / SIMULATED
    outlook.hands[0] = hands / SIMULATED


@jit
def usual_change(before: float, hands: float) -> float:
    """The usual change of a share of the match by one hand if `hands` are still to be played."""
    return np.sqrt(max(before * (1 - before), 0.03) / max(hands, 1))
