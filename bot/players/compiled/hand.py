"""One hand in the kernel: the same rules as `bot.engine.rules`, on arrays.

`now` holds the public values by the fields named here. Sets of seats are bits. The kernel checks nothing: callers
choose from `legal`.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.engine.options import Options
from bot.players.bits import FIRST_FIVE, FIRST_GANG, FIRST_PAIR, FIRST_TRIPLE, MULTI_ONE_BIT, PLAYS, Ints
from bot.players.compiled.jit import Places, count, jit
from bot.players.compiled.lookups import MOST_PLAYS, Lookups, find_plays, keep_plays, minus, plus

SEATS: Final = 0
ORDER: Final = 1
"""0: flushes by their highest number; 1: by their sum (R17)."""
TAKES_BACK: Final = 2
LEAD_ONLY: Final = 3
EXCEED: Final = 4
DECIDING_HAND: Final = 5
AUTOMATIC: Final = 6
TARGET: Final = 7
TURN: Final = 8
TO_BEAT: Final = 9
"""The index of the play to beat; -1: the seat to act leads."""
LAST: Final = 10
"""The seat that played it."""
PASSED: Final = 11
OWING: Final = 12
"""The seat that is out unless it declares before the next move (R36); -1: none."""
DIRECTION: Final = 13
DECLARED: Final = 14
OUT: Final = 15
OPENING: Final = 16
WINNER: Final = 17
"""-1 while the hand is played."""
GIVER: Final = 18
"""The seat that gave its highest card to the last winner (R27); -1: the first hand."""
GAVE: Final = 19
"""The bit of that card; -1 without an exchange."""
BACK: Final = 20
"""The bit of the card given back; 0 before that, -1 without an exchange."""
LEADER: Final = 21
"""The seat that leads the hand."""
FIELDS: Final = 22

SIZE_CLASSES: Final = 5
"""Singles, pairs, triples, five cards, gangs."""
NEVER: Final = PLAYS
PASS: Final = -1


class Hand(NamedTuple):
    """A running hand, with everything that an attentive player remembers."""

    now: Ints
    cards: Ints
    """Cards of each seat; the fourth pile of three players is the dummy."""
    left: Ints
    plays: Places
    """By seat: the indexes of all plays in its hand, ascending."""
    found: Ints
    """By seat: their number."""
    played: Ints
    """By seat: the cards that it has played."""
    known: Ints
    """By seat: the cards that it is known to hold since the exchange."""
    refused: Ints
    """By seat and size class: the lowest index that it passed on, or NEVER."""


def new_hand() -> Hand:
    """An empty hand, to be dealt."""
    return Hand(
        now=np.zeros(FIELDS, np.int64),
        cards=np.zeros(4, np.int64),
        left=np.zeros(4, np.int64),
        plays=np.zeros((4, MOST_PLAYS), np.int16),
        found=np.zeros(4, np.int64),
        played=np.zeros(4, np.int64),
        known=np.zeros(4, np.int64),
        refused=np.zeros((4, SIZE_CLASSES), np.int64),
    )


@jit
def copy_hand(source: Hand, target: Hand) -> None:
    """Copy a position."""
    target.now[:] = source.now
    target.cards[:] = source.cards
    target.left[:] = source.left
    target.found[:] = source.found
    target.played[:] = source.played
    target.known[:] = source.known
    for seat in range(4):
        target.refused[seat] = source.refused[seat]
        for index in range(source.found[seat]):
            target.plays[seat, index] = source.plays[seat, index]


def set_options(now: Ints, options: Options, seats: int) -> None:
    """Write the options that matter for play."""
    now[SEATS] = seats
    now[ORDER] = options.flush_order == "sum"
    now[TAKES_BACK] = options.forgotten == "takes_back"
    now[LEAD_ONLY] = options.block == "lead_only"
    now[EXCEED] = options.end == "exceed"
    now[DECIDING_HAND] = options.tie == "deciding_hand"
    now[AUTOMATIC] = options.last_card == "automatic"
    now[TARGET] = options.target


@jit
def begin(lookups: Lookups, hand: Hand, leader: int, direction: int) -> None:
    """Start play with the dealt cards."""
    now = hand.now
    now[TURN] = now[LAST] = now[LEADER] = leader
    now[TO_BEAT] = now[OWING] = now[WINNER] = now[GIVER] = now[GAVE] = now[BACK] = -1
    now[PASSED] = now[DECLARED] = now[OUT] = 0
    now[OPENING] = 0
    now[DIRECTION] = direction
    hand.played[:] = 0
    hand.known[:] = 0
    hand.refused[:] = NEVER
    for seat in range(now[SEATS]):
        hand.left[seat] = count(hand.cards[seat])
        hand.found[seat] = find_plays(lookups.cards[now[ORDER]], hand.cards[seat], hand.plays[seat])


@jit
def exchange(lookups: Lookups, hand: Hand, giver: int, gave: int, back: int) -> None:
    """Move the two cards of the exchange, given as bits, between the giver and the leader (R27)."""
    now, cards, known = hand.now, hand.cards, hand.known
    leader = now[LEADER]
    cards[giver] = plus(minus(cards[giver], gave), back)
    cards[leader] = minus(plus(cards[leader], gave), back)
    known[leader] = 0 if gave == back else gave
    known[giver] = back
    now[GIVER], now[GAVE], now[BACK] = giver, gave, back
    for seat in (giver, leader):
        hand.found[seat] = find_plays(lookups.cards[now[ORDER]], cards[seat], hand.plays[seat])


@jit
def size_class(place: int) -> int:
    """0-4: single, pair, triple, five cards, gang."""
    if place < FIRST_TRIPLE:
        return 0 if place < FIRST_PAIR else 1
    if place < FIRST_FIVE:
        return 2
    return 3 if place < FIRST_GANG else 4


@jit
def next_seat(now: Ints, seat: int) -> int:
    """The next seat after `seat`, skipping those that are out (R20, R38)."""
    following = (seat + now[DIRECTION] + now[SEATS]) % now[SEATS]
    while now[OUT] >> following & 1:
        following = (following + now[DIRECTION] + now[SEATS]) % now[SEATS]
    return following


@jit
def is_blocked(now: Ints) -> bool:
    """True if the next seat has declared its last card (R31)."""
    return now[DECLARED] != 0 and (now[DECLARED] >> next_seat(now, now[TURN]) & 1) == 1


@jit
def answers(lookups: Lookups, hand: Hand, seat: int, legal: Places) -> int:
    """Write to `legal` the plays of `seat` that beat the play to beat. Returns their number (R15-R18)."""
    to_beat, order = hand.now[TO_BEAT], hand.now[ORDER]
    ceiling, end = lookups.ceilings[order, to_beat], lookups.ends[lookups.kinds[order, to_beat]]
    plays = hand.plays[seat]
    found = 0
    for index in range(hand.found[seat]):
        place = plays[index]
        legal[found] = place
        found += (place > ceiling) & ((place < end) | (place >= FIRST_GANG))
    return found


@jit
def leads(lookups: Lookups, hand: Hand, seat: int, legal: Places) -> int:
    """Write to `legal` the leads of `seat`. Returns their number (R21, R31)."""
    now, plays, total = hand.now, hand.plays[seat], hand.found[seat]
    cards = lookups.cards[now[ORDER]]
    several_only = now[OPENING] == 0 and is_blocked(now)
    found = 0
    for index in range(total):
        place = plays[index]
        if now[OPENING] and not cards[place] & MULTI_ONE_BIT:
            continue
        if several_only and place < FIRST_PAIR:
            continue
        legal[found] = place
        found += 1
    if several_only and found == 0:
        legal[0] = plays[total - 1]  # singles only: the highest
        found = 1
    return found


@jit
def legal_plays(lookups: Lookups, hand: Hand, legal: Places) -> tuple[int, bool]:
    """Write the indexes of the legal plays. Returns their number, and True if a pass is legal (R23, R31)."""
    now = hand.now
    seat = now[TURN]
    if now[TO_BEAT] < 0:
        return leads(lookups, hand, seat, legal), False
    found = answers(lookups, hand, seat, legal)
    if now[TO_BEAT] >= FIRST_PAIR or now[LEAD_ONLY] or not is_blocked(now):
        return found, True
    highest = -1
    for index in range(hand.found[seat]):
        if hand.plays[seat, index] < FIRST_PAIR:
            highest = hand.plays[seat, index]
    kept = 0
    for index in range(found):
        place = legal[index]
        legal[kept] = place
        kept += (place == highest) | (place >= FIRST_GANG)
    return kept, highest <= now[TO_BEAT]


@jit
def play(lookups: Lookups, hand: Hand, place: int, declares: bool) -> None:
    """Play the combination at `place`; with `declares`, declare if that leaves one card."""
    now = hand.now
    if now[OWING] >= 0 and settle_owing(now):
        return
    seat, order = now[TURN], now[ORDER]
    left = hand.left[seat] - lookups.sizes[order, place]
    if left == 0 and place < FIRST_PAIR and not now[DECLARED] >> seat & 1:
        forget(now, seat)
        return
    cards = lookups.cards[order, place]
    hand.known[seat] = minus(hand.known[seat], hand.known[seat] & cards)
    hand.cards[seat] = minus(hand.cards[seat], cards)
    hand.played[seat] = plus(hand.played[seat], cards)
    hand.found[seat] = keep_plays(lookups.cards[order], hand.cards[seat], hand.plays[seat], hand.found[seat])
    hand.left[seat] = left
    after_play(now, place, left, declares)


@jit
def after_play(now: Ints, place: int, left: int, declares: bool) -> None:
    """The public changes of a play; `left`: the cards that its seat keeps."""
    seat = now[TURN]
    now[OPENING] = now[PASSED] = 0
    now[TO_BEAT], now[LAST] = place, seat
    now[TURN] = next_seat(now, seat)
    if left == 0:
        now[WINNER] = seat
    elif left == 1 and (declares or now[AUTOMATIC]):
        now[DECLARED] |= 1 << seat
    elif left == 1 and not now[TAKES_BACK]:
        now[OWING] = seat


@jit
def declare(now: Ints, seat: int) -> None:
    """Declare the last card after the play (R29, R36)."""
    now[DECLARED] |= 1 << seat
    now[OWING] = -1


@jit
def do_pass(hand: Hand) -> None:
    """Pass, and remember the play passed on."""
    now = hand.now
    if now[OWING] >= 0 and settle_owing(now):
        return
    seat, size = now[TURN], size_class(now[TO_BEAT])
    hand.refused[seat, size] = min(hand.refused[seat, size], now[TO_BEAT])
    pass_turn(now, seat)


@jit
def pass_turn(now: Ints, seat: int) -> None:
    """Go on to the next seat; when all others have passed, the last to play leads (R24)."""
    everyone = (1 << now[SEATS]) - 1
    passed, last = now[PASSED] | 1 << seat, now[LAST]
    if passed | now[OUT] | 1 << last != everyone:
        now[PASSED] = passed
        now[TURN] = next_seat(now, seat)
        return
    now[PASSED] = 0
    now[TO_BEAT] = -1
    now[TURN] = next_seat(now, last) if now[OUT] >> last & 1 else last


@jit
def settle_owing(now: Ints) -> bool:
    """Put the seat that didn't declare in time out of the hand (R36). True if that ends the hand (R37)."""
    actor = now[TURN]
    forget(now, now[OWING])
    if now[OUT] | 1 << actor != (1 << now[SEATS]) - 1:
        return False
    now[WINNER] = actor
    return True


@jit
def forget(now: Ints, seat: int) -> None:
    """Apply R30: the seat is out, or takes its last card back."""
    now[OWING] = -1
    if not now[TAKES_BACK]:
        now[OUT] |= 1 << seat
    elif now[TO_BEAT] >= 0:
        pass_turn(now, seat)
    else:
        now[TURN] = next_seat(now, seat)
