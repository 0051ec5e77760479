"""Computes the pars of finished matches, for luck and skill on leaderboards. Nothing waits for it."""

import logging
from typing import Final

from bot.analysis.coaching import ended_hands
from bot.analysis.par import HUNDREDTHS, dealt_hand
from bot.analysis.replay import ReplayedMatch
from bot.engine.record import Line
from bot.players.strongest import DealtHand
from bot.services.background import Background
from bot.services.thinking import Thinking
from bot.storage import matches, par
from bot.storage.database import Database
from bot.table.refusals import CoachAway

log = logging.getLogger(__name__)

HANDS_AT_ONCE: Final = 60
"""Hands after which the rest is left for the next run; they take about six seconds of the process of AI players."""


class Pars:
    """Computes the pars of matches, the newest first. The database has the list of them."""

    def __init__(self, database: Database, thinking: Thinking | None, background: Background) -> None:
        """Without `thinking` there are no pars."""
        self._database = database
        self._thinking = thinking
        self._background = background

    async def compute(self, _now: int) -> None:
        """Compute some pars that are due. The first call starts the process of AI players if any are."""
        hands = 0
        while self._thinking is not None and hands < HANDS_AT_ONCE:
            number = await self._database.fetch(par.newest_due)
            if number is None:
                return
            try:
                hands += await self._compute(self._thinking, number)
            except CoachAway:
                return

    async def _compute(self, thinking: Thinking, number: int) -> int:
        """Compute and store the pars of a match. Returns the number of its hands, at least 1."""
        lines = await self._database.fetch(matches.load_lines, number)
        deals: dict[int, DealtHand] = {}
        try:
            deals = await self._background.run(None, _dealt_hands, number, lines)
        except (ValueError, TypeError, IndexError):  # the log can't be read, so it's not tried again
            log.exception("match %s has no par", number)
        pars = {hand: (await thinking.par(deal)).points for hand, deal in deals.items()}
        stored = {hand: [round(HUNDREDTHS * each) for each in points] for hand, points in pars.items()}
        await self._database.commit(par.store, number, stored)
        return max(1, len(stored))


def _dealt_hands(number: int, lines: list[Line]) -> dict[int, DealtHand]:
    """The finished hands of a match as they were dealt, by number. May take 100 ms: use `Background`."""
    match = ReplayedMatch.of(number, lines)
    found = {ended.hand: dealt_hand(match, ended.hand) for ended in ended_hands(match)}
    return {hand: deal for hand, deal in found.items() if deal is not None}
