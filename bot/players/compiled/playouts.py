"""Playouts: promising moves in many possible deals, continued by heuristics."""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import Floats, Ints
from bot.players.compiled.features import unseen_by
from bot.players.compiled.hand import ORDER, SEATS, TURN, WINNER, Hand, copy_hand, new_hand
from bot.players.compiled.heuristic import choose_heuristic, weigh
from bot.players.compiled.jit import count, jit, lowest
from bot.players.compiled.lookups import Lookups, find_plays, minus, plus
from bot.players.compiled.match import Chance, below, hand_points
from bot.players.compiled.moves import Scratch, list_moves, make

CANDIDATES: Final = 8
"""The number of moves tried, the best by the heuristic."""
MOST_MOVES: Final = 400
"""The most moves of a playout."""


class Trials(NamedTuple):
    """Arrays for trying moves."""

    world: Hand
    trial: Hand
    moves: Ints
    values: Floats
    """The heuristic's value of each move."""
    points: Ints


def new_trials() -> Trials:
    """Arrays for one thread."""
    return Trials(
        new_hand(),
        new_hand(),
        np.zeros(CANDIDATES, np.int64),
        np.zeros(CANDIDATES, np.float32),
        np.zeros(4, np.int64),
    )


@jit
def imagine(lookups: Lookups, hand: Hand, seat: int, world: Hand, chance: Chance) -> None:
    """Write to `world` the position with the cards that `seat` hasn't seen dealt at random."""
    copy_hand(hand, world)
    unseen = unseen_by(hand, seat)
    for other in range(hand.now[SEATS]):
        if other != seat:
            unseen = minus(unseen, hand.known[other])
    deck = np.empty(64, np.int64)
    total = 0
    while unseen:
        deck[total] = lowest(unseen)
        unseen &= unseen - 1
        total += 1
    for other in range(hand.now[SEATS]):
        if other == seat:
            continue
        cards = hand.known[other]
        for _ in range(hand.left[other] - count(cards)):
            chosen = below(chance, total)
            total -= 1
            bit, deck[chosen] = deck[chosen], deck[total]
            cards = plus(cards, lookups.single_of[bit])
        world.cards[other] = cards
        world.found[other] = find_plays(lookups.cards[hand.now[ORDER]], cards, world.plays[other])


@jit
def play_out(lookups: Lookups, trial: Hand, scratch: Scratch, weights: Floats) -> None:
    """Play a hand to its end by heuristics."""
    for _ in range(MOST_MOVES):
        if trial.now[WINNER] >= 0:
            return
        make(lookups, trial, choose_heuristic(lookups, trial, scratch, weights))
    trial.now[WINNER] = trial.now[TURN]


@jit
def insert(values: Floats, moves: Ints, kept: int, most: int, value: float, move: int) -> int:
    """Insert a move among the `kept` best ones, at most `most`. Returns their number."""
    if kept == most and value <= values[kept - 1]:
        return kept
    place = min(kept, most - 1)
    while place > 0 and values[place - 1] < value:
        values[place], moves[place] = values[place - 1], moves[place - 1]
        place -= 1
    values[place], moves[place] = value, move
    return min(kept + 1, most)


@jit
def shortlist(lookups: Lookups, hand: Hand, scratch: Scratch, weights: Floats, trials: Trials) -> int:
    """Write the heuristic's best moves to `trials`. Returns their number."""
    total, kept = list_moves(lookups, hand, scratch), 0
    weigh(lookups, hand, scratch, weights, total)
    for index in range(total):
        kept = insert(trials.values, trials.moves, kept, CANDIDATES, scratch.values[index], scratch.moves[index])
    return kept


@jit
def try_moves(
    lookups: Lookups,
    hand: Hand,
    scratch: Scratch,
    weights: Floats,
    trials: Trials,
    moves: Ints,
    results: Floats,
    chance: Chance,
) -> None:
    """Write to `results`, by move and deal, the others' mean points less the own ones at the end of the hand."""
    seat, seats = hand.now[TURN], hand.now[SEATS]
    for world in range(results.shape[1]):
        imagine(lookups, hand, seat, trials.world, chance)
        for index in range(len(moves)):
            copy_hand(trials.world, trials.trial)
            make(lookups, trials.trial, moves[index])
            play_out(lookups, trials.trial, scratch, weights)
            hand_points(trials.trial, trials.points)
            own = trials.points[seat]
            results[index, world] = (trials.points[:seats].sum() - own) / (seats - 1) - own
