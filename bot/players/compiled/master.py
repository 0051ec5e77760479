"""The master: the network's best moves, tried in deals that agree with its beliefs about hidden cards."""

from functools import cache
from typing import Final

import numpy as np

from bot.engine import Declare, GiveBack, Pass, Play, View
from bot.players.bits import Ints, from_bits
from bot.players.compiled.candidates import choose_back
from bot.players.compiled.hand import PASS
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.match import Chance, chance_of
from bot.players.compiled.moves import new_scratch
from bot.players.compiled.network import reset
from bot.players.compiled.position import hand_of, move_of
from bot.players.compiled.search import MASTER, Effort, new_search, try_best
from bot.players.compiled.weights import load_weights
from bot.players.heuristic_weights import SEEN_WEIGHTS
from bot.players.styles import Style, favorite

PLAY_VALUE: Final = 0.015
"""The value of needing one play less, for the styles: in usual changes of the share of the match by a hand."""


class Master:
    """The weights, and the arrays for choosing a move; for one thread."""

    def __init__(self, effort: Effort = MASTER) -> None:
        self._lookups = make_lookups()
        self._network, beliefs, self._pool = load_weights()
        self._scratch = new_scratch()
        self._search = new_search(len(self._network.b1), beliefs, effort)

    def choose(self, view: View, seed: int, style: Style = Style.STEADY) -> GiveBack | Declare | Play | Pass:
        """The move of the seat to act, in a style. Raises ValueError for a view without its history."""
        if view.may_give_back:
            return self._give_back(view, chance_of(seed))
        tried = self.search(view, seed)
        moves = [_move(view, move) for move in tried]
        return favorite(style, view, moves, self._search.values[: len(tried)].tolist(), PLAY_VALUE)

    def search(self, view: View, seed: int) -> list[int]:
        """The moves that were tried for the seat to act, the best first. Raises like `choose`."""
        total = try_best(
            lookups=self._lookups,
            network=self._network,
            seen=SEEN_WEIGHTS,
            search=self._search,
            hand=hand_of(view),
            totals=_totals(view),
            deciding=view.public.deciding,
            scratch=self._scratch,
            pool=self._pool,
            chance=chance_of(seed),
        )
        return list(map(int, self._search.moves[:total]))

    def _give_back(self, view: View, chance: Chance) -> GiveBack:
        reset(self._network, self._search.sums, view.seat)
        card = choose_back(
            lookups=self._lookups,
            network=self._network,
            weights=SEEN_WEIGHTS,
            sums=self._search.sums,
            hand=hand_of(view),
            totals=_totals(view),
            deciding=view.public.deciding,
            scratch=self._scratch,
            explore=0.0,
            chance=chance,
        )
        return GiveBack(view.seat, from_bits(int(card))[0])


def _totals(view: View) -> Ints:
    totals = np.zeros(4, np.int64)
    totals[: len(view.public.totals)] = view.public.totals
    return totals


def _move(view: View, move: int) -> Declare | Play | Pass:
    return Declare(view.seat) if view.may_declare and move != PASS else move_of(view, move)


@cache
def master() -> Master:
    """The master of this process."""
    return Master()
