"""The cost of a hand: its cheapest division into plays, each with a cost by kind and strength.

Up to three plays of five cards are removed, the most promising first; the rest is divided by numbers. The costs by
number are computed once for each decision.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import FIRST_FIVE, FIRST_GANG, NUMBERS, PLAYS, Floats, Ints
from bot.players.compiled.features import unseen_by
from bot.players.compiled.hand import ORDER, Hand
from bot.players.compiled.jit import Places, count, jit, single
from bot.players.compiled.lookups import MOST_PLAYS, Lookups, minus

SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
GANG: Final = 8


class Division(NamedTuple):
    """Arrays for dividing hands, with the costs of the parts at one decision."""

    number_costs: Floats
    """The cheapest cost, by number and count of its cards."""
    number_turns: Ints
    """The number of plays of that division."""
    number_sure: Ints
    """The number of those plays that no unseen single, pair or triple beats."""
    strengths: Floats
    """By size 1-3, and by number: the strength of a single, pair or triple."""
    five_cards: Ints
    five_costs: Floats
    five_places: Ints
    fives: Ints
    above: Places
    """By index: the number of higher plays of five in the unseen cards; 0 before `count_above`."""


def new_division() -> Division:
    """Arrays for one thread."""
    return Division(
        np.zeros((13, 8), np.float32),
        np.zeros((13, 8), np.int64),
        np.zeros((13, 8), np.int64),
        np.zeros((4, 13), np.float32),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(1, np.int64),
        np.zeros(FIRST_GANG, np.int16),
    )


@jit
def cost_of(weights: Floats, kind: int, strength: float) -> float:
    """The cost of a play; `strength` is from 0 to 1."""
    square = strength * strength
    first = 3 * kind
    return weights[first] + weights[first + 1] * strength + weights[first + 2] * square * square * square


@jit
def set_strengths(unseen: int, strengths: Floats) -> None:
    """Set the strengths by number: the share of unseen cards or numbers that isn't higher."""
    cards_above, pairs_above, triples_above = 0.0, 0.0, 0.0
    total = max(count(unseen), 1)
    for number in range(12, 0, -1):
        copies = count(unseen & NUMBERS[number])
        strengths[1, number] = 1 - (cards_above + 0.5 * copies) / total  # colors are left out
        strengths[2, number] = 1 - pairs_above / 11
        strengths[3, number] = 1 - triples_above / 10
        cards_above += copies
        pairs_above += copies >= 2
        triples_above += copies >= 3


@jit
def strength_of(lookups: Lookups, order: int, place: int, division: Division) -> float:
    """The strength of a play, 0 to 1; for five cards its rank among all such plays."""
    if place < FIRST_FIVE:
        return division.strengths[lookups.sizes[order, place], lookups.numbers[order, place]]
    if place < FIRST_GANG:
        return (place - FIRST_FIVE) / (FIRST_GANG - FIRST_FIVE)
    return (place - FIRST_GANG) / (PLAYS - FIRST_GANG)


@jit
def set_number_costs(weights: Floats, division: Division) -> None:
    """Compute for each number the cheapest way to play 1-7 of its cards."""
    costs, strengths = division.number_costs, division.strengths
    for number in range(1, 13):
        alone = cost_of(weights, SINGLE, strengths[1, number])
        pair = cost_of(weights, PAIR, strengths[2, number])
        triple = cost_of(weights, TRIPLE, strengths[3, number])
        row, turns = costs[number], division.number_turns[number]
        sure, is_sure = division.number_sure[number], strengths[1:, number] > 0.99
        row[0], row[1], turns[0], turns[1] = 0, alone, 0, 1
        sure[0], sure[1] = 0, is_sure[0]
        for copies in range(2, 8):
            best, size = alone + row[copies - 1], 1
            if pair + row[copies - 2] < best:
                best, size = pair + row[copies - 2], 2
            if copies > 2 and triple + row[copies - 3] < best:
                best, size = triple + row[copies - 3], 3
            for many in range(4, copies + 1):
                gang = cost_of(weights, GANG, (many - 4) / 4 + number / 40)
                if gang + row[copies - many] < best:
                    best, size = gang + row[copies - many], many
            row[copies], turns[copies] = best, turns[copies - size] + 1
            sure[copies] = sure[copies - size] + (size > 3 or is_sure[size - 1])


@jit
def prepare(lookups: Lookups, hand: Hand, seat: int, weights: Floats, division: Division) -> None:
    """Compute the costs of the parts of the hand of `seat`."""
    order = hand.now[ORDER]
    set_strengths(unseen_by(hand, seat), division.strengths)
    set_number_costs(weights, division)
    found = 0
    for index in range(hand.found[seat]):
        place = hand.plays[seat, index]
        if FIRST_FIVE <= place < FIRST_GANG:
            division.five_cards[found] = lookups.cards[order, place]
            division.five_places[found] = place
            strength = strength_of(lookups, order, place, division)
            division.five_costs[found] = cost_of(weights, lookups.kinds[order, place], strength)
            found += 1
    division.fives[0] = found


@jit
def rest_cost(cards: int, division: Division) -> float:
    """The cost of cards without plays of five."""
    cost = single(0)
    for number in range(1, 13):
        cost += division.number_costs[number, count(cards & NUMBERS[number])]
    return cost


@jit
def best_five(cards: int, division: Division) -> tuple[float, int]:
    """The cheapest cost with one play of five cards, and its index; -1 if there is none."""
    best, chosen = single(1e9), -1
    missing = ~cards
    for index in range(division.fives[0]):
        five = division.five_cards[index]
        if five & missing:
            continue
        cost = division.five_costs[index] + rest_cost(cards ^ five, division)
        if cost < best:
            best, chosen = cost, index
    return best, chosen


@jit
def rest_turns(cards: int, division: Division) -> tuple[int, int]:
    """The number of plays without plays of five, and the number of those that nobody can beat."""
    turns, sure = 0, 0
    for number in range(1, 13):
        copies = count(cards & NUMBERS[number])
        turns += division.number_turns[number, copies]
        sure += division.number_sure[number, copies]
    return turns, sure


@jit
def divide(cards: int, division: Division) -> tuple[float, int, int]:
    """The cheapest cost found, the number of its plays, and of those that nobody can beat."""
    best, (turns, sure) = rest_cost(cards, division), rest_turns(cards, division)
    if division.fives[0] == 0 or count(cards) < 5:
        return best, turns, sure
    spent, sure_fives = single(0), 0
    for fives in range(1, 4):
        cost, chosen = best_five(cards, division)
        if chosen < 0:
            break
        cards = minus(cards, division.five_cards[chosen])
        sure_fives += division.above[division.five_places[chosen]] == 0
        if spent + cost < best:
            best, (turns, sure) = spent + cost, rest_turns(cards, division)
            turns, sure = turns + fives, sure + sure_fives
        spent += division.five_costs[chosen]
    return best, turns, sure


@jit
def count_above(cards: Ints, unseen: int, above: Places) -> None:
    """Count for every play of five the higher ones in the unseen cards."""
    missing, higher = ~unseen, 0
    for place in range(FIRST_GANG - 1, FIRST_FIVE - 1, -1):
        above[place] = higher
        higher += (cards[place] & missing) == 0
