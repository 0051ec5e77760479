"""A player that divides its hand into plays: it adds the value of a move and the cost of the rest of the hand.

`expert` is the same player without numba. Only when it gives a card back, it also counts the received card for plays of
five cards; the network was trained without that.
"""

from bot.players.bits import FIRST_FIVE, FIRST_GANG, FIRST_PAIR, PLAYS, Floats
from bot.players.compiled.hand import (
    GAVE,
    LEADER,
    ORDER,
    OUT,
    PASS,
    SEATS,
    TO_BEAT,
    TURN,
    Hand,
    next_seat,
)
from bot.players.compiled.jit import jit
from bot.players.compiled.lookups import Lookups, minus, plus
from bot.players.compiled.match import MULTIPLIERS
from bot.players.compiled.moves import Scratch, list_moves
from bot.players.compiled.partition import Division, divide, prepare, strength_of
from bot.players.heuristic_weights import COST_WEIGHTS


@jit
def urgency(hand: Hand, seat: int) -> int:
    """The smallest number of cards of another seat in the hand."""
    fewest = 16
    for other in range(hand.now[SEATS]):
        if other != seat and not hand.now[OUT] >> other & 1:
            fewest = min(fewest, hand.left[other])
    return fewest


@jit
def fact_value(lookups: Lookups, hand: Hand, place: int, facts: Floats, division: Division, rest: float) -> float:
    """The value of a play itself, without the cost of the rest of the hand."""
    now = hand.now
    seat, order = now[TURN], now[ORDER]
    size, strength = lookups.sizes[order, place], strength_of(lookups, order, place, division)
    left, fewest = hand.left[seat], urgency(hand, seat)
    saved = left * MULTIPLIERS[left] - (left - size) * MULTIPLIERS[left - size]
    value = facts[0] * size + facts[1] * saved / 10
    if place >= FIRST_GANG:
        value += facts[2] + facts[3] * (fewest <= 4) + facts[4] * (left <= 8)
    if now[TO_BEAT] < 0:
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
def weigh(lookups: Lookups, hand: Hand, scratch: Scratch, weights: Floats, total: int) -> None:
    """Write the values of the listed moves."""
    now, division = hand.now, scratch.division
    cards = hand.cards[now[TURN]]
    prepare(lookups, hand, now[TURN], weights, division)
    for index in range(total):
        move = scratch.moves[index]
        left = cards if move == PASS else minus(cards, lookups.cards[now[ORDER], move % PLAYS])
        cost, scratch.turns[index], scratch.sure[index] = divide(left, division)
        value = -cost
        if move != PASS:
            value += fact_value(lookups, hand, move % PLAYS, weights[COST_WEIGHTS:], division, cost)
            value += 0.01 * (move >= PLAYS)
        scratch.values[index], scratch.costs[index] = value, cost


@jit
def choose_heuristic(lookups: Lookups, hand: Hand, scratch: Scratch, weights: Floats) -> int:
    """The move of the seat to act."""
    total = list_moves(lookups, hand, scratch)
    if total == 1:
        return scratch.moves[0]
    weigh(lookups, hand, scratch, weights, total)
    return scratch.moves[scratch.values[:total].argmax()]


@jit
def weigh_back(lookups: Lookups, hand: Hand, scratch: Scratch, weights: Floats) -> int:
    """List the cards that the leader may give back, as bits, with their values. Returns their number."""
    now, division = hand.now, scratch.division
    prepare(lookups, hand, now[LEADER], weights, division)
    holds, total = plus(hand.cards[now[LEADER]], now[GAVE]), 0
    for place in range(64):
        card = lookups.single_of[place]
        if not holds >> place & 1 or card != 1 << place:
            continue
        cost, scratch.turns[total], scratch.sure[total] = divide(minus(holds, card), division)
        value = -cost - weights[COST_WEIGHTS + 17] * division.strengths[1, lookups.number_of[place]]
        scratch.moves[total] = card
        scratch.values[total], scratch.costs[total] = value, cost
        total += 1
    return total
