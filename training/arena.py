"""Matches between kinds of players, in the compiled loop. Positions of the learner are recorded."""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import Floats, Ints
from bot.players.compiled.candidates import NO_CHOICE, choose, choose_back
from bot.players.compiled.equity import POOL, Outlook, Pool, look_ahead, new_outlook, usual_change
from bot.players.compiled.features import WORDS, Words, slot
from bot.players.compiled.hand import (
    BACK,
    DIRECTION,
    GAVE,
    GIVER,
    LEADER,
    SEATS,
    TURN,
    WINNER,
    Hand,
    begin,
    exchange,
    new_hand,
)
from bot.players.compiled.heuristic import choose_heuristic, weigh_back
from bot.players.compiled.jit import jit
from bot.players.compiled.lookups import Lookups, highest_bit
from bot.players.compiled.match import Chance, begin_first, below, deal, draw, giver, hand_points, is_decided, is_over
from bot.players.compiled.moves import Scratch, list_moves, make, new_scratch
from bot.players.compiled.network import EQUITY, OTHER_POINTS, OUTPUTS, OWN_POINTS, WINS, Network, Sums, new_sums, reset
from bot.players.compiled.playouts import Trials, new_trials
from bot.players.compiled.search import Search, new_search, try_best
from bot.players.heuristic_weights import SEEN_WEIGHTS, TUNED_WEIGHTS
from training.monte_carlo import choose_monte_carlo
from training.simple import choose_simple, lowest_bit
from training.untrained import new_beliefs

LEARNER: Final = 0
PAST: Final = 1
SIMPLE: Final = 2
RANDOM: Final = 3
HEURISTIC: Final = 4
OTHER_HEURISTIC: Final = 5
"""The heuristic with the weights that are being tuned."""
MONTE_CARLO: Final = 6
SEARCH: Final = 7

SEEN: Final = 2
"""The row of the weights with which networks see their hands."""

LONGEST_HAND: Final = 3000
"""The most moves of a hand; random players under `takes_back` might never end one."""
RECORDS: Final = 1 << 16
"""The most positions that one call records."""


class Records(NamedTuple):
    """Positions after the learner's moves, and their results."""

    words: Words
    targets: Floats
    values: Floats
    """The network's value of the best move, and of the chosen one."""
    seats: Ints
    piles: Ints
    """The hidden cards of each pile (see `beliefs`); all 0 if unknown."""
    size: Ints


class Arena(NamedTuple):
    """Everything that one thread needs to play."""

    hand: Hand
    sums: Sums
    scratch: Scratch
    records: Records
    totals: Ints
    points: Ints
    last_left: Ints
    outlook: Outlook
    kinds: Ints
    """By seat: LEARNER, PAST, SIMPLE, …"""
    fresh: Ints
    """Points of hands between equal players, as in a pool; by number of seats."""
    fresh_size: Ints
    """Their numbers."""
    weights: Floats
    """The weights of the two heuristics, and those with which networks see their hands."""
    trials: Trials
    search: Search


def new_arena(width: int) -> Arena:
    """Room for one thread and networks of this width."""
    return Arena(
        new_hand(),
        new_sums(width),
        new_scratch(),
        Records(
            np.zeros((RECORDS, WORDS), np.int64),
            np.zeros((RECORDS, OUTPUTS), np.float32),
            np.zeros((RECORDS, 2), np.float32),
            np.zeros(RECORDS, np.int64),
            np.zeros((RECORDS, 3), np.int64),
            np.zeros(1, np.int64),
        ),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        new_outlook(),
        np.zeros(4, np.int64),
        np.zeros((2, POOL, 4), np.int64),
        np.zeros(2, np.int64),
        np.stack([TUNED_WEIGHTS, TUNED_WEIGHTS, SEEN_WEIGHTS]),
        new_trials(),
        new_search(width, new_beliefs(8, 0)),
    )


@jit
def record(arena: Arena, seat: int, best: float, value: float) -> None:
    """Keep the position after the move just chosen, which has this value; `best`: that of the best move."""
    records = arena.records
    if records.size[0] < RECORDS:
        records.words[records.size[0]] = arena.scratch.best
        records.values[records.size[0]] = best, value
        records.seats[records.size[0]] = seat
        piles = records.piles[records.size[0]]
        piles[:] = 0
        now = arena.hand.now
        if now[BACK] != 0:  # the cards of an exchange move only after the choice
            if now[SEATS] == 3:
                piles[1] = arena.hand.cards[3]
            for other in range(now[SEATS]):
                if other != seat:
                    piles[slot(now, seat, other) - 1] = arena.hand.cards[other]
        records.size[0] += 1


@jit
def give_back(
    lookups: Lookups, networks: tuple[Network, ...], arena: Arena, deciding: bool, explore: float, chance: Chance
) -> int:
    """The card that the leader gives back, as a bit."""
    hand, scratch, weights = arena.hand, arena.scratch, arena.weights
    leader = hand.now[LEADER]
    kind = arena.kinds[leader]
    if kind == SEARCH:
        return choose_back(
            lookups, networks[0], weights[SEEN], arena.sums, hand, arena.totals, deciding, scratch, 0.0, chance
        )
    if kind <= PAST:
        explore = explore if kind == LEARNER else 0.0
        card = choose_back(
            lookups, networks[kind], weights[SEEN], arena.sums, hand, arena.totals, deciding, scratch, explore, chance
        )
        if kind == LEARNER and explore >= 0:
            record(arena, leader, 0, 0)  # nothing comes before it, so its value isn't used
        return card
    if kind >= HEURISTIC:
        total = weigh_back(lookups, hand, scratch, weights[int(kind == OTHER_HEURISTIC)])
        return scratch.moves[scratch.values[:total].argmax()]
    return lowest_bit(hand.cards[leader] | hand.now[GAVE])


@jit
def search_move(lookups: Lookups, network: Network, arena: Arena, deciding: bool, pool: Pool, chance: Chance) -> int:
    """The move that the search finds best."""
    try_best(
        lookups,
        network,
        arena.weights[SEEN],
        arena.search,
        arena.hand,
        arena.totals,
        deciding,
        arena.scratch,
        pool,
        chance,
    )
    return arena.search.moves[0]


@jit
def make_move(
    lookups: Lookups,
    networks: tuple[Network, ...],
    arena: Arena,
    deciding: bool,
    explore: float,
    pool: Pool,
    chance: Chance,
) -> None:
    """Choose and make the move of the seat to act."""
    hand, scratch, weights = arena.hand, arena.scratch, arena.weights
    seat = hand.now[TURN]
    kind = arena.kinds[seat]
    if kind <= PAST:
        explore = explore if kind == LEARNER else 0.0
        move, value, best = choose(
            lookups, networks[kind], weights[SEEN], arena.sums, hand, arena.totals, deciding, scratch, explore, chance
        )
        if kind == LEARNER and explore >= 0 and value > NO_CHOICE:
            record(arena, seat, best, value)
    elif kind == SIMPLE:
        move = choose_simple(lookups, hand, scratch)
    elif kind == MONTE_CARLO:
        move = choose_monte_carlo(lookups, hand, scratch, weights[0], arena.trials, chance)
    elif kind == SEARCH:
        move = search_move(lookups, networks[LEARNER], arena, deciding, pool, chance)
    elif kind >= HEURISTIC:
        move = choose_heuristic(lookups, hand, scratch, weights[int(kind == OTHER_HEURISTIC)])
    else:
        move = scratch.moves[below(chance, list_moves(lookups, hand, scratch))]
    make(lookups, hand, move)


@jit
def play_hand(
    lookups: Lookups,
    networks: tuple[Network, ...],
    arena: Arena,
    deciding: bool,
    explore: float,
    pool: Pool,
    chance: Chance,
) -> None:
    """Play the current hand, with its exchange if there is one."""
    hand = arena.hand
    now = hand.now
    for seat in range(now[SEATS]):
        if arena.kinds[seat] <= PAST:
            reset(networks[arena.kinds[seat]], arena.sums, seat)
        elif arena.kinds[seat] == SEARCH:
            reset(networks[LEARNER], arena.sums, seat)
    if now[GIVER] >= 0:
        back = give_back(lookups, networks, arena, deciding, explore, chance)
        exchange(lookups, hand, now[GIVER], now[GAVE], back)
    for _ in range(LONGEST_HAND):
        if now[WINNER] >= 0:
            break
        make_move(lookups, networks, arena, deciding, explore, pool, chance)
    if now[WINNER] < 0:
        now[WINNER] = now[LEADER]


@jit
def score(
    arena: Arena, deciding: bool, pool: Pool, chance: Chance, first_record: int, values: bool, trace: float
) -> None:
    """Count the hand. With `values`, store its result in the positions recorded in it.

    The last position of a seat should be worth the result. Each earlier one should be worth what the next one should,
    by the share `trace`, and the network's value of the best move there, by the rest: TD(λ), with `trace` as λ. Before
    a random move only that value counts.
    """
    now, totals, points = arena.hand.now, arena.totals, arena.points
    seats, records, outlook = now[SEATS], arena.records, arena.outlook
    hand_points(arena.hand, points)
    for seat in range(seats):
        totals[seat] += points[seat]
    if not values:
        return
    outlook.before[:] = outlook.shares
    hands_before = outlook.hands[0]
    look_ahead(now, totals, deciding, now[WINNER], pool, chance, outlook)
    roots = np.sqrt(points[:seats].astype(np.float32)) / 4
    worth = np.empty(seats, np.float32)
    for seat in range(seats):
        usual = usual_change(outlook.before[seat], hands_before)
        worth[seat] = (outlook.shares[seat] - outlook.before[seat]) / usual
    for index in range(records.size[0] - 1, first_record - 1, -1):
        seat, target = records.seats[index], records.targets[index]
        best, value = records.values[index]
        target[EQUITY] = worth[seat]
        worth[seat] = best + (trace * (worth[seat] - best) if value == best else 0)
        target[WINS] = seat == now[WINNER]
        target[OWN_POINTS] = roots[seat]
        target[OTHER_POINTS] = (roots.sum() - roots[seat]) / (seats - 1)


@jit
def keep_points(arena: Arena) -> None:
    """Keep the points of a hand between equal players for the pool."""
    now, points = arena.hand.now, arena.points
    seats = now[SEATS]
    if arena.kinds[:seats].max() != arena.kinds[:seats].min():
        return
    fresh = arena.fresh[seats - 3, arena.fresh_size[seats - 3] % POOL]
    for distance in range(seats):
        fresh[distance] = points[(now[LEADER] + now[DIRECTION] * distance) % seats]
    arena.fresh_size[seats - 3] += 1


@jit
def play_match(
    lookups: Lookups,
    networks: tuple[Network, ...],
    arena: Arena,
    pool: Pool,
    explore: float,
    chance: Chance,
    trace: float = 1.0,
) -> int:
    """Play a match from the totals in the arena. Returns the number of hands.

    `explore`: how often the learner moves at random; below 0 never, and nothing is recorded. `trace`: see `score`.
    """
    hand, totals = arena.hand, arena.totals
    now = hand.now
    deals = np.array([draw(chance)])  # so the deals don't depend on random choices of the players
    seats, deciding, hands = now[SEATS], False, 0
    winner, now[DIRECTION] = below(deals, seats), -1
    if explore >= 0:
        look_ahead(now, totals, deciding, winner, pool, chance, arena.outlook)
    while hands == 0 or not is_over(now, totals, deciding):
        deciding = is_decided(now, totals)
        first_record = arena.records.size[0]
        deal(hand.cards, deals)
        if hands == 0 and totals[:seats].max() == 0:
            begin_first(lookups, hand, winner)
        else:
            if hands == 0:
                arena.last_left[:] = totals
            given_by = giver(arena.last_left, totals, winner, seats)
            begin(lookups, hand, winner, -now[DIRECTION])
            now[GIVER], now[GAVE], now[BACK] = given_by, highest_bit(hand.cards[given_by]), 0
        play_hand(lookups, networks, arena, deciding, explore, pool, chance)
        score(arena, deciding, pool, chance, first_record, explore >= 0, trace)
        keep_points(arena)
        arena.last_left[:] = hand.left
        winner = now[WINNER]
        hands += 1
    return hands
