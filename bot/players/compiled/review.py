"""The cost of a move: its points in many possible deals, continued by experts, compared with those of other moves."""

from functools import cache
from typing import Final

import numpy as np

from bot.engine import Pass, Play, View, combination_table
from bot.engine.combinations import CombinationTable
from bot.players.bits import PLAYS, Floats, Ints
from bot.players.compiled.hand import ORDER, PASS, SEATS, TAKES_BACK, TURN, Hand, copy_hand
from bot.players.compiled.jit import jit
from bot.players.compiled.match import Chance, chance_of, hand_points
from bot.players.compiled.montecarlo import Trials, imagine, new_trials, play_out, shortlist
from bot.players.compiled.moves import SILENT, Scratch, make, new_scratch
from bot.players.compiled.position import hand_of
from bot.players.compiled.tables import Tables, make_tables
from bot.players.heuristic_weights import TUNED_WEIGHTS

WORLDS: Final = 300
"""Deals in which moves are tried: half of them find the best move, the other half measure it."""


@jit
def try_moves(
    tables: Tables,
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
        imagine(tables, hand, seat, trials.world, chance)
        for index in range(len(moves)):
            copy_hand(trials.world, trials.trial)
            make(tables, trials.trial, moves[index])
            play_out(tables, trials.trial, scratch, weights)
            hand_points(trials.trial, trials.points)
            own = trials.points[seat]
            results[index, world] = (trials.points[:seats].sum() - own) / (seats - 1) - own


class Reviewer:
    """The arrays for measuring moves; for one thread."""

    def __init__(self, worlds: int = WORLDS) -> None:
        self._tables, self._scratch, self._trials = make_tables(), new_scratch(), new_trials()
        self._worlds = worlds

    def cost(self, view: View, played: Play | Pass, seed: int) -> tuple[Play | Pass, float, float] | None:
        """The fields of a `MoveCost` for a move of the seat to act. None if it was the only one.

        Raises ValueError for a view without its history.
        """
        hand, chance = hand_of(view), chance_of(seed)
        total = shortlist(self._tables, hand, self._scratch, TUNED_WEIGHTS, self._trials)
        moves = list(map(int, self._trials.moves[:total]))
        own = _index(view, hand, played)
        if own not in moves:
            moves.append(own)
        if len(moves) == 1:
            return None
        results = np.zeros((len(moves), self._worlds), np.float32)
        try_moves(
            self._tables, hand, self._scratch, TUNED_WEIGHTS, self._trials, np.array(moves, np.int64), results, chance
        )
        half = self._worlds // 2
        best = int(results[:, :half].mean(1).argmax())
        lost = results[best, half:] - results[moves.index(own), half:]
        return _move(view, hand, moves[best]), float(lost.mean()), float(lost.std() / len(lost) ** 0.5)


def _index(view: View, hand: Hand, move: Play | Pass) -> int:
    """The kernel's number of a move."""
    if isinstance(move, Pass):
        return PASS
    index = _table(hand).index_of[move.cards]
    keeps_silent = hand.now[TAKES_BACK] and not move.last_card and len(view.hand) - len(move.cards) == 1
    return index + SILENT if keeps_silent else index


def _move(view: View, hand: Hand, move: int) -> Play | Pass:
    if move == PASS:
        return Pass(view.seat)
    cards = _table(hand).all[move % PLAYS].cards
    return Play(view.seat, cards, last_card=move < SILENT and len(view.hand) - len(cards) == 1)


def _table(hand: Hand) -> CombinationTable:
    return combination_table("sum" if hand.now[ORDER] else "highest")


@cache
def reviewer() -> Reviewer:
    """The reviewer of this process."""
    return Reviewer()
