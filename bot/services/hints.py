"""Hints for players: the move of a strong AI player, and the reason for it."""

from operator import itemgetter
from typing import Final

from bot.analysis import hints
from bot.analysis.hints import Hint
from bot.base.fair_queue import Requester
from bot.engine import Declare, View
from bot.engine.moves import ChosenMove
from bot.players.levels import Level, choose, seed_of
from bot.services.background import Background
from bot.table.snapshot import Table

LEVEL: Final = Level.EXPERT


class Hints:
    """Finds hints in the background."""

    def __init__(self, background: Background) -> None:
        self._background = background

    async def give(self, requester: Requester, table: Table, user_id: int, moment: int) -> Hint:
        """A hint for a user who must act. Raises a refusal of `hints.require_hints`, or `TryAgainLater`."""
        return await self.find(requester, hints.require_hints(table, user_id, moment))

    async def find(self, requester: Requester, view: View) -> Hint:
        """A hint for the seat to act; its view must have the history. Raises `TryAgainLater`."""
        if view.may_declare:
            return Hint(Declare(view.seat), None)
        return await self._background.run(requester, _hint, view)


def _hint(view: View) -> Hint:
    """The move, with a reason that isn't true of the best other one."""
    move = choose(LEVEL, view, seed_of(view))
    return hints.hint(view, move, _best_other(view, move))


def _best_other(view: View, move: ChosenMove) -> ChosenMove | None:
    from bot.players import expert  # noqa: PLC0415  # numpy takes time and memory

    moves, values = expert.weigh(view)
    others = [(value, other) for other, value in zip(moves, values.tolist(), strict=True) if other != move]
    return max(others, key=itemgetter(0))[1] if others else None
