"""The mean penalty points of each seat if the network plays a hand for all of them.

Par follows from the cards alone. Who leads and exchanges cards follows from the hand before, so all seats take turns at
that, and the totals of the match don't count. Moves are chosen at random among those that the network finds about
equally good.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from bot.engine import Cards, Options
from bot.players.bits import MULTI_ONE_BIT, Floats, Ints, to_bits
from bot.players.compiled.candidates import choose, choose_back
from bot.players.compiled.hand import (
    BACK,
    DIRECTION,
    GAVE,
    GIVER,
    OPENING,
    SEATS,
    TURN,
    WINNER,
    Hand,
    begin,
    exchange,
    new_hand,
    set_options,
)
from bot.players.compiled.jit import jit
from bot.players.compiled.lookups import Lookups, highest_bit, make_lookups
from bot.players.compiled.match import Chance, below, chance_of, hand_points
from bot.players.compiled.moves import Scratch, make, new_scratch
from bot.players.compiled.network import Network, Sums, new_sums, reset
from bot.players.compiled.playouts import MOST_MOVES
from bot.players.compiled.weights import load_weights
from bot.players.heuristic_weights import SEEN_WEIGHTS

PLAYOUTS: Final = 36
"""A multiple of the number of pairs of seats, 12 or 6."""
MARGIN: Final = 0.1
"""Moves count as equally good if the network's values differ by less, in units of a hand's usual change."""
SEED: Final = 1


@jit
def near_best(scratch: Scratch, best: float, margin: float, chance: Chance) -> int:
    """One of the moves listed last whose value is near the best."""
    seen, chosen = 0, -1
    for index in range(scratch.listed[0]):
        if scratch.ranks[index] >= best - margin:
            seen += 1
            if below(chance, seen) == 0:
                chosen = index
    return scratch.moves[chosen]


@jit
def begin_hand(lookups: Lookups, hand: Hand, leader: int, number: int) -> int:
    """Begin a playout. Returns the seat that gives its highest card to the leader first; -1: nobody does.

    `leader` is -1 if all seats take turns.
    """
    now = hand.now
    seats = now[SEATS]
    if leader >= 0:
        begin(lookups, hand, leader, now[DIRECTION])
        now[OPENING] = (hand.cards[leader] & MULTI_ONE_BIT) != 0
        return -1
    leads = number % seats
    begin(lookups, hand, leads, now[DIRECTION])
    giver = (leads + 1 + number // seats % (seats - 1)) % seats
    now[GIVER], now[GAVE], now[BACK] = giver, highest_bit(hand.cards[giver]), 0
    return giver


@jit
def play_hands(
    lookups: Lookups,
    network: Network,
    weights: Floats,
    sums: Sums,
    cards: Ints,
    leader: int,
    hand: Hand,
    scratch: Scratch,
    margin: float,
    points: Ints,
    chance: Chance,
) -> None:
    """Play these cards to the end for each row of `points`, and write the penalty points by seat.

    The random choices don't depend on the number of the leader, so all seats are equal.
    """
    now, totals, first = hand.now, np.zeros(4, np.int64), chance[0]
    for number in range(len(points)):
        hand.cards[:] = cards
        giver = begin_hand(lookups, hand, leader, number)
        for seat in range(now[SEATS]):
            reset(network, sums, seat)
        if giver >= 0:
            chance[0] = first + np.uint64(number // now[SEATS])
            back = choose_back(lookups, network, weights, sums, hand, totals, False, scratch, 0.0, chance)
            exchange(lookups, hand, giver, now[GAVE], back)
        for _ in range(MOST_MOVES):
            if now[WINNER] >= 0:
                break
            move, _, best = choose(lookups, network, weights, sums, hand, totals, False, scratch, 0.0, chance)
            if scratch.listed[0] > 1:
                move = near_best(scratch, best, margin, chance)
            make(lookups, hand, move)
        if now[WINNER] < 0:
            now[WINNER] = now[TURN]
        hand_points(hand, points[number])


class Estimator:
    """The network, and the arrays for playing hands; for one thread."""

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._lookups, self._scratch = make_lookups(), new_scratch()
        self._network, _, _ = load_weights()
        self._sums = new_sums(len(self._network.b1))
        self._points = np.zeros((playouts, 4), np.int64)

    def par(
        self, options: Options, hands: Sequence[Cards], direction: int, leader: int | None
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The fields of a `Par`, from those of a `DealtHand`."""
        hand, seats = new_hand(), len(hands)
        set_options(hand.now, options, seats)
        hand.now[DIRECTION] = direction
        play_hands(
            self._lookups,
            self._network,
            SEEN_WEIGHTS,
            self._sums,
            np.array([*map(to_bits, hands), 0][:4], np.int64),
            -1 if leader is None else leader,
            hand,
            self._scratch,
            MARGIN,
            self._points,
            chance_of(SEED),
        )
        points = self._points[:, :seats]
        errors = points.std(0) / len(points) ** 0.5
        return tuple(map(float, points.mean(0))), tuple(map(float, errors))


@cache
def estimator() -> Estimator:
    """The estimator of this process."""
    return Estimator()
