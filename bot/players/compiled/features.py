"""The network's input: a position as one seat knows it, as 25 words of 64 binary features.

Seats are numbered in the order of play from the own one: 1 acts next, 3 acted before; with three players there is no
2. The position is the one *after* a move, so one list of features serves for every kind of move: a play, a pass, a
card given back.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.players.bits import COLORS, FIRST_FIVE, FIRST_GANG, FIRST_PAIR, NUMBERS, PHOENIXES, Ints
from bot.players.compiled.hand import (
    AUTOMATIC,
    DECIDING_HAND,
    DECLARED,
    DIRECTION,
    EXCEED,
    GAVE,
    GIVER,
    LAST,
    LEAD_ONLY,
    LEADER,
    NEVER,
    OPENING,
    ORDER,
    OUT,
    OWING,
    PASSED,
    SEATS,
    TAKES_BACK,
    TARGET,
    TO_BEAT,
    TURN,
    Hand,
)
from bot.players.compiled.jit import Places, count, highest, jit
from bot.players.compiled.lookups import Lookups, minus

# The words. Up to KIND_TO_BEAT, and from DIVISION on, they change with the move.
CARDS: Final = 0
SETS: Final = 1
SUITS: Final = 2
CONTROL: Final = 3
TABLE: Final = 4
CARDS_TO_BEAT: Final = 5
KIND_TO_BEAT: Final = 6
UNSEEN: Final = 7
UNSEEN_SETS: Final = 8
KNOWN: Final = 9
PLAYED: Final = 12
REFUSED: Final = 15
COUNTS: Final = 18
TOTALS: Final = 19
DISTANCES: Final = 20
GIVEN: Final = 21
RULES: Final = 22
DIVISION: Final = 23
SURE: Final = 24
WORDS: Final = 25
FEATURES: Final = 64 * WORDS

DECK_BITS: Final = -1
STEPS: Final = np.array([0, 2, 4, 6, 8, 11, 15, 20, 26, 33, 41, 50, 60, 75, 90], np.int64)
"""A bit is set if a total lacks more than this many points to the target."""
GAPS: Final = np.array([-60, -40, -25, -15, -8, -4, -1, 0, 1, 4, 8, 15, 25, 40, 60, 90], np.int64)
"""A bit is set if a total is this much higher than the own one."""
WORSE: Final = np.array([0.0001, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 10], np.float32)
"""A bit is set if the heuristic finds the move this much worse than the best one."""
ABOVE: Final = np.array([1, 2, 4, 10, 30, 100, 400, 1500], np.int16)
"""A bit is set if the unseen cards have this many higher plays of five."""
TARGETS: Final = np.array([5, 12, 25, 40, 60, 80, 120, 250], np.int64)

Words = NDArray[np.int64]


@jit
def slot(now: Ints, me: int, seat: int) -> int:
    """0 for the own seat, 1-3 in the order of play."""
    distance = (seat - me) * now[DIRECTION] % now[SEATS]
    return 3 if distance == 2 and now[SEATS] == 3 else distance


@jit
def slots(now: Ints, me: int, seats: int) -> int:
    """Bits of seats as bits of slots."""
    bits = 0
    for seat in range(now[SEATS]):
        bits |= (seats >> seat & 1) << slot(now, me, seat)
    return bits


@jit
def sets(cards: int) -> int:
    """The numbers that occur at least 2 (bits 0-9), 3, 4, 5 and 6 times; 50: both Phoenixes; 51-56: five in a row."""
    bits, present = 0, 0
    for number in range(1, 11):
        copies = count(cards & NUMBERS[number])
        present |= (copies > 0) << number
        for many in range(2, min(copies, 6) + 1):
            bits |= 1 << (10 * (many - 2) + number - 1)
    if cards & PHOENIXES == PHOENIXES:
        bits |= 1 << 50
    rows = present >> 1
    return bits | (rows & rows >> 1 & rows >> 2 & rows >> 3 & rows >> 4 & 63) << 51


@jit
def suits(cards: int) -> int:
    """A color with 3-12 cards (10 bits each), and its numbers in a row of five (6 bits each)."""
    bits = 0
    for color in range(3):
        of_color = cards & COLORS[color]
        many = min(count(of_color), 12)
        if many >= 3:
            bits |= ((1 << (many - 2)) - 1) << 10 * color
        if many >= 5:
            rows = 0
            for number in range(10):
                rows |= ((of_color & NUMBERS[number + 1]) != 0) << number
            bits |= (rows & rows >> 1 & rows >> 2 & rows >> 3 & rows >> 4 & 63) << (30 + 6 * color)
    return bits


@jit
def control(lookups: Lookups, cards: int, unseen: int) -> int:
    """The number of cards (17 bits), those with at most 0-3 higher unseen ones (5 each), numbers, single numbers."""
    bits = 1 << count(cards)
    above = unseen
    for few in range(4):
        floor = -1
        if above:
            top = highest(above)
            above ^= 1 << top
            has_copy = top > 0 and lookups.kind_of[top] == lookups.kind_of[top - 1]
            floor = ~((1 << (top - has_copy)) - 1)
        many = min(count(cards & floor), 5)
        bits |= ((1 << many) - 1) << (17 + 5 * few)
    held, once = 0, 0
    for number in range(1, 13):
        copies = count(cards & NUMBERS[number])
        held += copies > 0
        once += copies == 1
    return bits | 1 << (37 + held) | 1 << (50 + min(once, 12))


@jit
def beaten_by(lookups: Lookups, order: int, to_beat: int, unseen: int) -> int:
    """The number of unseen cards, pairs or triples above a single, pair or triple."""
    if to_beat < FIRST_PAIR:
        bit = highest(lookups.cards[order, to_beat])
        has_copy = bit < 61 and lookups.kind_of[bit + 1] == lookups.kind_of[bit]
        return 0 if bit == 63 else count(unseen & ~((1 << (bit + 1 + has_copy)) - 1))
    many = 0
    for number in range(lookups.numbers[order, to_beat] + 1, 12):
        many += count(unseen & NUMBERS[number]) >= lookups.sizes[order, to_beat]
    return many


@jit
def to_beat_bits(lookups: Lookups, hand: Hand, me: int, to_beat: int, unseen: int, above: Places) -> int:
    """The kind and number to beat, the number of higher plays, and the seats with enough cards to follow."""
    now = hand.now
    order = now[ORDER]
    kind, number, size = lookups.kinds[order, to_beat], lookups.numbers[order, to_beat], lookups.sizes[order, to_beat]
    bits = 1 << kind | 1 << (8 + number)
    if to_beat < FIRST_FIVE:
        bits |= ((1 << min(beaten_by(lookups, order, to_beat, unseen), 8)) - 1) << 21
    elif to_beat < FIRST_GANG:
        bits |= ((1 << (above[to_beat] >= ABOVE).sum()) - 1) << 21
        first = 29 if kind == 4 else (35 if kind == 5 else (41 if kind == 6 else 51))
        bits |= 1 << (first + (number - 1 if kind == 6 else min(number - 5, 5)))
    for seat in range(now[SEATS]):
        if seat != me and hand.left[seat] >= size:
            bits |= 1 << (56 + slot(now, me, seat))
    return bits


@jit
def refused(lookups: Lookups, order: int, lowest: Ints) -> int:
    """The lowest single, pair, triple and five cards that a seat passed on, each as a rising row of bits."""
    bits = 0
    if lowest[0] != NEVER:
        bits |= ((1 << lookups.numbers[order, lowest[0]]) - 1) << 0
    if lowest[1] != NEVER:
        bits |= ((1 << lookups.numbers[order, lowest[1]]) - 1) << 12
    if lowest[2] != NEVER:
        bits |= ((1 << lookups.numbers[order, lowest[2]]) - 1) << 23
    if lowest[3] != NEVER:
        kind, number = lookups.kinds[order, lowest[3]], lookups.numbers[order, lowest[3]]
        bits |= ((1 << (6 * (kind - 4) + min((number + 1) // 2, 6))) - 1) << 33
    return bits | (lowest[4] != NEVER) << 57


@jit
def totals_words(now: Ints, me: int, totals: Ints, words: Words) -> None:
    """The distance of each total to the target, and above the own total."""
    far, above = 0, 0
    for seat in range(now[SEATS]):
        place = slot(now, me, seat)
        lacks = now[TARGET] + now[EXCEED] - totals[seat]
        far |= ((1 << (lacks > STEPS).sum()) - 1) << 15 * place
        if place:
            above |= ((1 << (totals[seat] - totals[me] >= GAPS).sum()) - 1) << 16 * (place - 1)
    words[TOTALS] = far
    words[DISTANCES] = above | ((1 << (now[TARGET] > TARGETS).sum()) - 1) << 48


@jit
def own_words(lookups: Lookups, cards: int, unseen: int, words: Words) -> None:
    """The words about the own hand."""
    words[CARDS], words[SETS], words[SUITS] = cards, sets(cards), suits(cards)
    words[CONTROL] = control(lookups, cards, unseen)


@jit
def others_words(lookups: Lookups, hand: Hand, me: int, words: Words) -> None:
    """The words about the other seats."""
    now = hand.now
    counts = slots(now, me, now[OUT]) << 48
    for place in range(3):
        words[KNOWN + place] = words[PLAYED + place] = words[REFUSED + place] = 0
    for seat in range(now[SEATS]):
        place = slot(now, me, seat) - 1
        if seat == me:
            continue
        words[KNOWN + place] = hand.known[seat]
        words[PLAYED + place] = hand.played[seat]
        words[REFUSED + place] = refused(lookups, now[ORDER], hand.refused[seat])
        if hand.left[seat]:
            counts |= 1 << (16 * place + hand.left[seat] - 1)
    words[COUNTS] = counts


@jit
def rules_word(now: Ints, me: int, deciding: bool) -> int:
    """Options, and who gave and who received in the exchange."""
    bits = now[ORDER] | now[TAKES_BACK] << 1 | now[LEAD_ONLY] << 2 | now[EXCEED] << 3 | now[DECIDING_HAND] << 4
    bits |= now[AUTOMATIC] << 5 | (now[SEATS] == 3) << 6 | np.int64(deciding) << 7 | now[OPENING] << 8
    bits |= 1 << (9 + slot(now, me, now[LEADER]))
    return bits | (1 << (13 + slot(now, me, now[GIVER])) if now[GIVER] >= 0 else 1 << 17)


@jit
def unseen_by(hand: Hand, me: int) -> int:
    """The cards that `me` has not seen."""
    unseen = minus(DECK_BITS, hand.cards[me])
    for seat in range(hand.now[SEATS]):
        unseen = minus(unseen, hand.played[seat])
    return unseen


@jit
def describe(lookups: Lookups, hand: Hand, me: int, totals: Ints, deciding: bool, words: Words) -> None:
    """Write the words of the position before a move of `me`, without the play to beat."""
    now = hand.now
    unseen = unseen_by(hand, me)
    words[UNSEEN], words[UNSEEN_SETS] = unseen, sets(unseen)
    own_words(lookups, hand.cards[me], unseen, words)
    others_words(lookups, hand, me, words)
    totals_words(now, me, totals, words)
    words[GIVEN] = now[GAVE] if now[GIVER] >= 0 else 0
    words[RULES] = rules_word(now, me, deciding)
    words[TABLE] = words[CARDS_TO_BEAT] = words[KIND_TO_BEAT] = words[DIVISION] = words[SURE] = 0


@jit
def table_words(lookups: Lookups, hand: Hand, me: int, above: Places, words: Words) -> None:
    """Write the words about the play to beat; `above` is that of the division."""
    now = hand.now
    to_beat = now[TO_BEAT]
    bits = 1 << slot(now, me, now[TURN]) | slots(now, me, now[DECLARED]) << 12
    if now[OWING] >= 0:
        bits |= 1 << (16 + slot(now, me, now[OWING]))
    words[CARDS_TO_BEAT], words[KIND_TO_BEAT] = 0, 1
    if to_beat >= 0:
        bits |= 1 << (4 + slot(now, me, now[LAST])) | slots(now, me, now[PASSED]) << 8
        words[CARDS_TO_BEAT] = lookups.cards[now[ORDER], to_beat]
        words[KIND_TO_BEAT] = to_beat_bits(lookups, hand, me, to_beat, words[UNSEEN], above)
    words[TABLE] = bits


@jit
def division_words(cost: float, turns: int, sure: int, worse: float, words: Words) -> None:
    """Write the cost of the hand, its number of plays, and the loss of the move in the heuristic's view."""
    many = min(max(int((cost + 4) / 0.375), 0), 32)
    words[DIVISION] = ((1 << many) - 1) | 1 << (32 + min(turns, 15)) | ((1 << (worse >= WORSE).sum()) - 1) << 48
    words[SURE] = 1 << min(turns - sure, 11) | 1 << (12 + min(sure, 11))


@jit
def gangs(unseen: int) -> int:
    """The numbers with four, five and six unseen cards, counted as rising bits from bit 24."""
    bits = 0
    for size in range(4, 7):
        many = 0
        for number in range(1, 11):
            many += count(unseen & NUMBERS[number]) >= size
        bits |= ((1 << min(many, 6)) - 1) << (24 + 6 * (size - 4))
    return bits
