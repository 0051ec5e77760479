"""The master: the network's best moves, tried in deals that agree with its beliefs about hidden cards."""

from functools import cache
from typing import Final

import numpy as np

from bot.engine import Declare, GiveBack, Pass, Play, View, combination_table
from bot.players.bits import PLAYS, Ints, from_bits
from bot.players.compiled.beliefs import Beliefs
from bot.players.compiled.candidates import choose_back
from bot.players.compiled.hand import ORDER, PASS, Hand
from bot.players.compiled.match import Chance, chance_of
from bot.players.compiled.moves import SILENT, new_scratch
from bot.players.compiled.network import reset
from bot.players.compiled.position import hand_of
from bot.players.compiled.search import Search, new_search, try_best
from bot.players.compiled.tables import make_tables
from bot.players.compiled.weights import load_weights
from bot.players.heuristic_weights import SEEN_WEIGHTS
from bot.players.styles import Style, favorite

TRIALS: Final = 240
"""Trials in each round of the search; there are at most three rounds."""
CANDIDATES: Final = 8
"""Moves that are tried."""
SIMULATED: Final = 24
"""Matches continued after a hand that has ended."""
VALUED: Final = 8_000
"""A round ends early once the network has valued so many positions."""
PRIOR: Final = 180
"""The deals for which the network's own value of a move counts."""
MARGIN: Final = 2
"""Moves that the network finds worse than the best by more aren't tried."""
PLAY_VALUE: Final = 0.015
"""The value of needing one play less, for the styles: in usual changes of the share of the match by a hand."""


def master_search(
    beliefs: Beliefs, width: int, trials: int = TRIALS, candidates: int = CANDIDATES, valued: int = VALUED
) -> Search:
    """The master's search, for networks of this width."""
    numbers = np.array([trials, candidates, SIMULATED, valued], np.int64)
    return new_search(width, beliefs, numbers, np.array([PRIOR, MARGIN], np.float32))


class Master:
    """The weights, and the arrays for choosing a move; for one thread."""

    def __init__(self, trials: int = TRIALS, candidates: int = CANDIDATES, valued: int = VALUED) -> None:
        self._tables = make_tables()
        self._network, beliefs, self._pool = load_weights()
        self._scratch = new_scratch()
        self._search = master_search(beliefs, len(self._network.b1), trials, candidates, valued)

    def choose(self, view: View, seed: int, style: Style = Style.STEADY) -> GiveBack | Declare | Play | Pass:
        """The move of the seat to act, in a style. Raises ValueError for a view without its history."""
        hand, deciding = hand_of(view), view.public.deciding
        totals, chance = np.zeros(4, np.int64), chance_of(seed)
        totals[: len(view.public.totals)] = view.public.totals
        if view.may_give_back:
            return self._give_back(view, hand, totals, chance)
        total = try_best(
            self._tables,
            self._network,
            SEEN_WEIGHTS,
            self._search,
            hand,
            totals,
            deciding,
            self._scratch,
            self._pool,
            chance,
        )
        order = int(hand.now[ORDER])
        moves = [_move(view, int(move), order) for move in self._search.moves[:total]]
        return favorite(style, view, moves, self._search.values[:total].tolist(), PLAY_VALUE)

    def _give_back(self, view: View, hand: Hand, totals: Ints, chance: Chance) -> GiveBack:
        reset(self._network, self._search.sums, view.seat)
        card = choose_back(
            self._tables,
            self._network,
            SEEN_WEIGHTS,
            self._search.sums,
            hand,
            totals,
            view.public.deciding,
            self._scratch,
            0.0,
            chance,
        )
        return GiveBack(view.seat, from_bits(int(card))[0])


def _move(view: View, move: int, order: int) -> Declare | Play | Pass:
    if move == PASS:
        return Pass(view.seat)
    if view.may_declare:
        return Declare(view.seat)
    cards = combination_table("sum" if order else "highest").all[move % PLAYS].cards
    return Play(view.seat, cards, last_card=move < SILENT and len(view.hand) - len(cards) == 1)


@cache
def master() -> Master:
    """The master of this process."""
    return Master()
