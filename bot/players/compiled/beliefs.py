"""Beliefs about hidden cards: a network that estimates who holds each unseen card, and deals that agree with it."""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import KINDS, Floats, Ints
from bot.players.compiled.features import WORDS, Words, slot, unseen_by
from bot.players.compiled.hand import ORDER, SEATS, Hand, copy_hand
from bot.players.compiled.jit import count, jit, lowest
from bot.players.compiled.lookups import Lookups, find_plays, minus, plus
from bot.players.compiled.match import Chance, below, fraction

PILES: Final = 3
"""The next seat, the one opposite or the dummy, and the seat before."""
LEAST: Final = 0.002
"""Added to every chance, so nothing is ruled out."""


class Beliefs(NamedTuple):
    """Weights and biases of both layers; outputs are log odds by kind of card and pile."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats


@jit
def believe(beliefs: Beliefs, words: Words, chances: Floats) -> None:
    """Write for each kind of card and pile the relative chance that the pile has a copy."""
    first = beliefs.b1.copy()
    for word in range(WORDS):
        bits = words[word]
        while bits:
            row = beliefs.w1[64 * word + lowest(bits)]
            bits &= bits - 1
            for unit in range(first.shape[0]):
                first[unit] += row[unit]
    chances[:] = beliefs.b2
    for unit in range(first.shape[0]):
        value = first[unit]
        if value > 0:
            row = beliefs.w2[unit]
            for output in range(KINDS * PILES):
                chances[output] += value * row[output]
    for kind in range(KINDS):
        highest = chances[kind * PILES : kind * PILES + PILES].max()
        for pile in range(PILES):
            chances[kind * PILES + pile] = np.exp(chances[kind * PILES + pile] - highest)


@jit
def pile_needs(hand: Hand, me: int, needs: Ints, seats: Ints) -> int:
    """Write how many unknown cards each pile has, and its seat or 3 for the dummy. Returns the cards to deal."""
    now = hand.now
    unseen = unseen_by(hand, me)
    needs[:] = 0
    for seat in range(now[SEATS]):
        if seat != me:
            pile = slot(now, me, seat) - 1
            seats[pile] = seat
            needs[pile] = hand.left[seat] - count(hand.known[seat])
            unseen = minus(unseen, hand.known[seat])
    if now[SEATS] == 3:
        seats[1], needs[1] = 3, count(unseen) - needs[0] - needs[2]
    return unseen


@jit
def draw_pile(chances: Floats, needs: Ints, first: Ints, shares: Floats, chance: Chance) -> int:
    """Draw the pile for a card: by its `chances`, and by the share of the cards that a pile still needs."""
    total = 0.0
    for pile in range(PILES):
        shares[pile] = (chances[pile] + LEAST) * needs[pile] / max(first[pile], 1)
        total += shares[pile]
    point, pile = fraction(chance) * total, 0
    while pile < PILES - 1 and (point >= shares[pile] or needs[pile] == 0):
        point -= shares[pile]
        pile += 1
    while needs[pile] == 0:  # because of rounding
        pile = (pile + 1) % PILES
    return pile


@jit
def imagine_believed(lookups: Lookups, hand: Hand, me: int, chances: Floats, world: Hand, chance: Chance) -> None:
    """Write to `world` the position with the cards that `me` hasn't seen dealt by these chances."""
    copy_hand(hand, world)
    needs, seats, shares = np.empty(PILES, np.int64), np.empty(PILES, np.int64), np.empty(PILES, np.float32)
    unseen = pile_needs(hand, me, needs, seats)
    first, deck, total = needs.copy(), np.empty(64, np.int64), 0
    while unseen:
        deck[total] = lowest(unseen)
        unseen &= unseen - 1
        total += 1
    for seat in range(hand.now[SEATS]):
        if seat != me:
            world.cards[seat] = hand.known[seat]
    while total:
        chosen = below(chance, total)
        total -= 1
        bit, deck[chosen] = deck[chosen], deck[total]
        kind = lookups.kind_of[bit]
        pile = draw_pile(chances[kind * PILES : kind * PILES + PILES], needs, first, shares, chance)
        needs[pile] -= 1
        if seats[pile] < 3 or hand.now[SEATS] == 4:
            world.cards[seats[pile]] = plus(world.cards[seats[pile]], lookups.single_of[bit])
    for seat in range(hand.now[SEATS]):
        if seat != me:
            world.found[seat] = find_plays(lookups.cards[hand.now[ORDER]], world.cards[seat], world.plays[seat])
