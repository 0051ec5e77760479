"""The moves that a seat may make.

A move is the index of a play, which declares the last card if it leaves one; an index plus `SILENT` doesn't declare.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import PLAYS, Floats, Ints
from bot.players.compiled.features import WORDS, Words
from bot.players.compiled.hand import (
    AUTOMATIC,
    DECLARED,
    FIELDS,
    ORDER,
    PASS,
    TAKES_BACK,
    TURN,
    Hand,
    declare,
    do_pass,
    legal_plays,
    play,
)
from bot.players.compiled.jit import Places, jit
from bot.players.compiled.lookups import MOST_PLAYS, Lookups
from bot.players.compiled.partition import Division, new_division

SILENT: Final = PLAYS


class Scratch(NamedTuple):
    """Arrays for choosing a move."""

    now: Ints
    base: Words
    words: Words
    best: Words
    """The features of the position after the chosen move."""
    legal: Places
    moves: Ints
    ranks: Floats
    """By move: its value for the network."""
    listed: Ints
    """One number: how many moves were listed last for the network."""
    values: Floats
    """The heuristic's value of each move."""
    costs: Floats
    """The cost of the hand after each move."""
    turns: Ints
    """Its number of plays."""
    sure: Ints
    """The number of plays that nobody can beat."""
    division: Division


def new_scratch() -> Scratch:
    """Arrays for one thread."""
    return Scratch(
        np.zeros(FIELDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(MOST_PLAYS, np.int16),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(1, np.int64),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.int64),
        new_division(),
    )


@jit
def list_moves(lookups: Lookups, hand: Hand, scratch: Scratch) -> int:
    """Write the moves of the seat to act. Returns their number.

    Under `takes_back` a player may keep silent about its last card. Under `out` that only loses it the hand.
    """
    now, moves = hand.now, scratch.moves
    found, may_pass = legal_plays(lookups, hand, scratch.legal)
    for index in range(found):
        moves[index] = scratch.legal[index]
    total = found
    if now[TAKES_BACK] and not now[AUTOMATIC]:
        left = hand.left[now[TURN]]
        for index in range(found):
            if left - lookups.sizes[now[ORDER], moves[index]] == 1:
                moves[total] = moves[index] + SILENT
                total += 1
    if may_pass:
        moves[total] = PASS
        total += 1
    return total


@jit
def make(lookups: Lookups, hand: Hand, move: int) -> None:
    """Make a move of the seat to act; a last card is declared before it is played."""
    now = hand.now
    if move == PASS:
        do_pass(hand)
        return
    if hand.left[now[TURN]] == 1 and not now[DECLARED] >> now[TURN] & 1:
        declare(now, now[TURN])
    play(lookups, hand, move % PLAYS, move < SILENT)
