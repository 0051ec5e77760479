"""A player that divides its hand into plays: it adds the value of a move and the cost of the rest of the hand.

Evolution found the weights (`python -m training.tune`).
"""

from typing import Final

import numpy as np

from training.hand import (
    GAVE,
    LEADER,
    LIES,
    ORDER,
    OUT,
    PASS,
    SEATS,
    TURN,
    Hand,
    next_seat,
)
from training.jit import Floats, jit
from training.match import MULTIPLIERS
from training.moves import Scratch, list_moves
from training.partition import (
    COST_WEIGHTS,
    Division,
    divide,
    prepare,
    strength_of,
)
from training.tables import FIRST_FIVE, FIRST_GANG, FIRST_PAIR, PLAYS, Tables, minus, plus

FACTS: Final = 18
WEIGHTS: Final = COST_WEIGHTS + FACTS

FIRST_WEIGHTS: Final = np.array(
    [0, 0, 0]
    + [1.2, -0.6, -0.8]
    + [1.1, -0.5, -0.5]
    + [1.0, -0.5, -0.4]
    + [1.0, -0.5, -0.2]
    + [0.9, -0.5, -0.2]
    + [0.8, -0.5, -0.2]
    + [0.5, -0.2, -0.2]
    + [-0.5, -0.5, -0.2]
    + [0.0] * FACTS,
    np.float32,
)
"""The start of the evolution: a play costs about one turn, a strong one less."""

TUNED_WEIGHTS: Final = np.array(
    [
        *(0.780, 0.826, 0.118),
        *(1.503, -1.015, -0.726),
        *(1.278, -0.290, -2.144),
        *(0.327, 0.145, -0.709),
        *(1.988, -0.534, 0.798),
        *(1.689, -1.210, 0.018),
        *(0.907, -2.024, -1.554),
        *(-1.264, -1.333, -1.603),
        *(-3.194, -0.919, -1.601),
        *(0.815, -0.124, 0.274, -0.324, -1.454, 0.180, -0.161, 1.403, 1.840),
        *(-1.609, 3.124, 0.946, 0.042, -0.106, -0.583, 1.330, 0.449, 0.899),
    ],
    np.float32,
)
"""The weights that evolution found."""
SEEN_WEIGHTS: Final = TUNED_WEIGHTS
"""The weights with which the network sees its hand. They must not change when the heuristic is tuned further."""


@jit
def urgency(hand: Hand, seat: int) -> int:
    """The smallest number of cards of another seat in the hand."""
    fewest = 16
    for other in range(hand.now[SEATS]):
        if other != seat and not hand.now[OUT] >> other & 1:
            fewest = min(fewest, hand.left[other])
    return fewest


@jit
def fact_value(tables: Tables, hand: Hand, place: int, facts: Floats, division: Division, rest: float) -> float:
    """The value of a play itself, without the cost of the rest of the hand."""
    now = hand.now
    seat, order = now[TURN], now[ORDER]
    size, strength = tables.sizes[order, place], strength_of(tables, order, place, division)
    left, fewest = hand.left[seat], urgency(hand, seat)
    saved = left * MULTIPLIERS[left] - (left - size) * MULTIPLIERS[left - size]
    value = facts[0] * size + facts[1] * saved / 10
    if place >= FIRST_GANG:
        value += facts[2] + facts[3] * (fewest <= 4) + facts[4] * (left <= 8)
    if now[LIES] < 0:
        value += facts[5] * strength + facts[6] * (place >= FIRST_FIVE)
        if hand.left[next_seat(now, seat)] < size:
            value += facts[7]
        if fewest < size:
            value += facts[8]
        value += facts[9] * (fewest == 1) * (place < FIRST_PAIR) * (1 - strength)
    else:
        value += facts[10] + facts[11] * strength + facts[12] * (fewest <= 3) + facts[13] * (fewest <= 3) * strength
        value += facts[14] * (fewest == 1) * strength * (place < FIRST_PAIR)
    if left == size:
        value += 100
    value += facts[15] * (rest < 1.0) + facts[16] * (rest < 0.3) * strength
    return value


@jit
def weigh(tables: Tables, hand: Hand, scratch: Scratch, weights: Floats, total: int) -> None:
    """Write the values of the listed moves."""
    now, division = hand.now, scratch.division
    cards = hand.cards[now[TURN]]
    prepare(tables, hand, now[TURN], weights, division)
    for index in range(total):
        move = scratch.moves[index]
        left = cards if move == PASS else minus(cards, tables.cards[now[ORDER], move % PLAYS])
        cost, scratch.turns[index], scratch.sure[index] = divide(left, division)
        value = -cost
        if move != PASS:
            value += fact_value(tables, hand, move % PLAYS, weights[COST_WEIGHTS:], division, cost)
            value += 0.01 * (move >= PLAYS)
        scratch.values[index], scratch.costs[index] = value, cost


@jit
def choose_heuristic(tables: Tables, hand: Hand, scratch: Scratch, weights: Floats) -> int:
    """The move of the seat to act."""
    total = list_moves(tables, hand, scratch)
    if total == 1:
        return scratch.moves[0]
    weigh(tables, hand, scratch, weights, total)
    return scratch.moves[scratch.values[:total].argmax()]


@jit
def weigh_back(tables: Tables, hand: Hand, scratch: Scratch, weights: Floats) -> int:
    """List the cards that the leader may give back, as bits, with their values. Returns their number."""
    now, division = hand.now, scratch.division
    prepare(tables, hand, now[LEADER], weights, division)
    holds, total = plus(hand.cards[now[LEADER]], now[GAVE]), 0
    for place in range(64):
        card = tables.single_of[place]
        if not holds >> place & 1 or card != 1 << place:
            continue
        cost, scratch.turns[total], scratch.sure[total] = divide(minus(holds, card), division)
        value = -cost - weights[COST_WEIGHTS + 17] * division.strengths[1, tables.number_of[place]]
        scratch.moves[total] = card
        scratch.values[total], scratch.costs[total] = value, cost
        total += 1
    return total


@jit
def heuristic_back(tables: Tables, hand: Hand, scratch: Scratch, weights: Floats) -> int:
    """The card that the leader gives back, as a bit."""
    return scratch.moves[scratch.values[: weigh_back(tables, hand, scratch, weights)].argmax()]
