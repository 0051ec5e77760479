"""Reads what has been played: replays of matches, reports of hands, gangs, the comparison of a duplicate match."""

from bot.engine.events import HandEnded, Played
from bot.services.duplicates import Comparison, compared
from bot.services.past import Past, public_part, require_told
from bot.services.refusals import HasNotStarted, StillPlaying
from bot.services.reports import HandReport, hand_reports
from bot.services.table import Table, is_gang
from bot.services.tables import Tables
from bot.storage import matches, scores
from bot.storage.database import Database


class Archive:
    """Answers from the stored logs and results of tables. It changes nothing."""

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database = database
        self._tables = tables

    async def past(self, table_id: int) -> Past:
        """What everybody may see of a match. Raises `HasNotStarted`, or `StillPlaying` until its first hand is over."""
        table = await self._tables.get(table_id)
        if table.state is None:
            raise HasNotStarted
        require_told(table.row, self._tables.now())
        async with self._database.read() as connection:
            lines = public_part(await matches.load_lines(connection, table_id))
        if not lines:
            raise StillPlaying
        return Past(table_id, lines)

    async def reports(self, table: Table, told_hand: int) -> list[HandReport]:
        """The hands that have ended since hand `told_hand`, in order; without cards while others play the same deals.

        Only the lines of the last two hands are read, unless an earlier one is asked for.
        """
        public = table.public()
        if public is None or public.last_hand is None or public.last_hand.hand <= told_hand:
            return []
        start = table.start_of(told_hand + 1)
        async with self._database.read() as connection:
            lines = await matches.load_lines(connection, table.id, 0 if start is None else start.length)
        reports = hand_reports([line.event for line in lines], None if start is None else start.state)
        found = [report for report in reports if report.ended.hand > told_hand]
        return [report.without_cards() for report in found] if table.row.sealed else found

    async def hands(self, table_id: int) -> list[HandEnded]:
        """How each finished hand of a table ended, in order."""
        async with self._database.read() as connection:
            return await scores.ended_hands(connection, table_id)

    async def gangs(self, table: Table, told: int) -> list[Played]:
        """The gangs that were played in the match after the first `told`, in order."""
        new = table.gangs - told
        if new <= 0:
            return []
        found: list[Played] = []
        for since in (*(start.length for start in reversed(table.starts)), 0):
            async with self._database.read() as connection:
                lines = (await matches.load_lines(connection, table.id, since))[: table.length - since]
            found = [line.event for line in lines if isinstance(line.event, Played) and is_gang(line.event)]
            if len(found) >= new:
                break
        return found[-new:]

    async def comparison(self, table: Table) -> Comparison:
        """How a duplicate match has come out at both tables. Raises what keeps it secret until both are over."""
        require_told(table.row, self._tables.now())
        both = (table, await self._tables.get(table.row.twin_id or 0))
        first, second = sorted(both, key=lambda each: each.id)
        return compared((first, second), (await self.hands(first.id), await self.hands(second.id)))
