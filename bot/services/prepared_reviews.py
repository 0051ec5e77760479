"""Reviews of matches that have just ended. They're prepared, so that a press shows them at once."""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from bot.base.fair_queue import Requester
from bot.services.archive import Archive
from bot.services.background import logging_errors
from bot.services.coaching import Coach
from bot.table.model import Status
from bot.table.refusals import Refusal
from bot.table.snapshot import Table

log = logging.getLogger(__name__)

MAX_WAITING: Final = 3
"""Matches that wait. The reviews of others, and those lost at a restart, are computed on the press."""


class PreparedReviews:
    """Prepares the review of each person at a table, one match at a time."""

    def __init__(self, coach: Coach, archive: Archive) -> None:
        self._coach = coach
        self._archive = archive
        self._waiting: asyncio.Queue[Table] = asyncio.Queue(MAX_WAITING)

    def prepare(self, table: Table) -> None:
        """Prepare the reviews of a match soon, if it's over and not too many others wait."""
        row = table.row
        if self._coach.is_here and row.status is Status.OVER and row.daily is None and not row.deals_secret:
            with suppress(asyncio.QueueFull):
                self._waiting.put_nowait(table)

    async def run(self) -> None:
        """Prepare reviews until canceled."""
        while True:
            table = await self._waiting.get()
            for number, seat in enumerate(table.seats):
                if seat.user_id is not None:
                    with logging_errors(log, "preparing a review"), suppress(Refusal):
                        await self._prepare(table, number, Requester(table.row.guild_id, seat.user_id))

    async def _prepare(self, table: Table, seat: int, requester: Requester) -> None:
        match = await self._archive.match(table.id, requester)
        if match.has_ended(2):
            await self._coach.prepare(requester, match, seat)
