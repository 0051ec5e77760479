"""Hints for players: the move of a strong AI player, and the reasons for it."""

from typing import Final

from bot.analysis import hints
from bot.analysis.hints import Hint
from bot.base.fair_queue import Requester
from bot.engine import View
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
        return await self._background.run(requester, _hint, view)


def _hint(view: View) -> Hint:
    return hints.hint(view, choose(LEVEL, view, seed_of(view)))
