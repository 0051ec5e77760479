"""The moves that a seat may make.

A move is the place of a play, which declares the last card if it leaves one; a place plus `SILENT` does not declare.
"""

from typing import Final, NamedTuple

import numpy as np

from training.features import WORDS, Words
from training.hand import (
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
from training.jit import Floats, Ints, Places, jit
from training.partition import Division, new_division
from training.tables import MOST_PLAYS, PLAYS, Tables

SILENT: Final = PLAYS


class Scratch(NamedTuple):
    """Room for choosing a move."""

    now: Ints
    base: Words
    words: Words
    best: Words
    """The features of the position after the chosen move."""
    legal: Places
    moves: Ints
    values: Floats
    """What each move is worth to the heuristic."""
    costs: Floats
    """What the hand costs after it."""
    turns: Ints
    """How many plays it then falls into."""
    sure: Ints
    """How many of them are sure."""
    division: Division


def new_scratch() -> Scratch:
    """Room for one thread."""
    return Scratch(
        np.zeros(FIELDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(WORDS, np.int64),
        np.zeros(MOST_PLAYS, np.int16),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(MOST_PLAYS, np.float32),
        np.zeros(MOST_PLAYS, np.int64),
        np.zeros(MOST_PLAYS, np.int64),
        new_division(),
    )


@jit
def list_moves(tables: Tables, hand: Hand, scratch: Scratch) -> int:
    """Write the moves of the seat whose turn it is; how many.

    Under `takes_back` a player may keep silent about its last card. Under `out` that only loses it the hand.
    """
    now, moves = hand.now, scratch.moves
    found, may_pass = legal_plays(tables, hand, scratch.legal)
    for index in range(found):
        moves[index] = scratch.legal[index]
    total = found
    if now[TAKES_BACK] and not now[AUTOMATIC]:
        left = hand.left[now[TURN]]
        for index in range(found):
            if left - tables.sizes[now[ORDER], moves[index]] == 1:
                moves[total] = moves[index] + SILENT
                total += 1
    if may_pass:
        moves[total] = PASS
        total += 1
    return total


@jit
def make(tables: Tables, hand: Hand, move: int) -> None:
    """Make a move of the seat whose turn it is; a last card that is played is declared before."""
    now = hand.now
    if move == PASS:
        do_pass(hand)
        return
    if hand.left[now[TURN]] == 1 and not now[DECLARED] >> now[TURN] & 1:
        declare(now, now[TURN])
    play(tables, hand, move % PLAYS, move < SILENT)
