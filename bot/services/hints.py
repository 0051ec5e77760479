"""Hints for players: the move of the strongest AI player, and the reason for it.

The coach compares with the same move, so it never calls a hint a mistake.
"""

from dataclasses import replace
from operator import itemgetter
from typing import Final

from bot.analysis import hints
from bot.analysis.hints import Hint
from bot.base.fair_queue import Requester
from bot.engine import Declare, View
from bot.engine.moves import ChosenMove, Play
from bot.players.levels import Level
from bot.players.styles import Style
from bot.services.background import Background
from bot.services.thinking import Think

LEVEL: Final = Level.MASTER


class Hints:
    """Finds hints in the background."""

    def __init__(self, background: Background, think: Think) -> None:
        self._background = background
        self._think = think

    async def find(self, requester: Requester, view: View) -> Hint:
        """A hint for the seat to act; its view must have the history. Raises `TryAgainLater`."""
        if view.may_declare:
            return Hint(Declare(view.seat), None)
        thought = await self._think(LEVEL, view, Style.STEADY)
        return await self._background.run(requester, _hint, view, thought.move)


def _hint(view: View, move: ChosenMove) -> Hint:
    """The move, with a reason that isn't true of the best other one."""
    return hints.hint(view, move, _best_other(view, move))


def _best_other(view: View, move: ChosenMove) -> ChosenMove | None:
    from bot.players import expert  # noqa: PLC0415  # numpy takes time and memory

    moves, values = expert.weigh(view)
    found = zip(moves, values.tolist(), strict=True)
    others = [(value, other) for other, value in found if _without_words(other) != _without_words(move)]
    return max(others, key=itemgetter(0))[1] if others else None


def _without_words(move: ChosenMove) -> ChosenMove:
    """A move without "Last card!"."""
    return replace(move, last_card=False) if isinstance(move, Play) else move
