"""Read what has been played: replays, hand reports, gangs, and the comparison of a duplicate match."""

from dataclasses import dataclass
from typing import Final

from bot.analysis.gangs import GangPlay, gang_plays
from bot.analysis.hand_reports import HandReport, hand_reports
from bot.analysis.highlights import Highlight, highlight
from bot.analysis.replay import ReplayedMatch, may_reveal_seed, public_part, reason_for_secrecy
from bot.base.fair_queue import Requester
from bot.engine import Phase, State
from bot.engine.events import HandEnded
from bot.services.background import Background
from bot.services.caches import LruCache
from bot.services.tables import Tables
from bot.storage import matches, results
from bot.storage.database import Database
from bot.table.duplicates import Comparison, compare
from bot.table.refusals import HasNotStarted, MatchNotOver, Refusal
from bot.table.snapshot import Table

MAX_LINES: Final = 6000
"""Lines of replays kept in memory; most matches have hundreds. Python's garbage collector visits all at a stretch."""


@dataclass(frozen=True, slots=True)
class _CachedReplay:
    """A replay, and the match state for which it was read."""

    state: State
    match: ReplayedMatch

    def is_current(self, state: State) -> bool:
        """True if no hand has ended and no name was deleted since. After a deletion the table has a new state."""
        old, is_over = self.state, state.phase is Phase.OVER
        return old.match is state.match and old.last_hand is state.last_hand and self.match.is_over == is_over


class Archive:
    """Reads the logs and results of tables. It changes nothing."""

    def __init__(self, database: Database, tables: Tables, background: Background) -> None:
        self._database = database
        self._tables = tables
        self._background = background
        self._replays: LruCache[int, _CachedReplay] = LruCache(MAX_LINES, lambda each: len(each.match.lines))

    @property
    def is_busy(self) -> bool:
        """True if a match that isn't in memory has to wait for other work."""
        return self._background.is_busy

    async def match(self, table_id: int, requester: Requester) -> ReplayedMatch:
        """The public part of a match.

        Raises `HasNotStarted`, `MatchNotOver` until its first hand is over, or `TryAgainLater`.
        """
        table = await self._tables.get(table_id)
        if table.state is None:
            raise HasNotStarted
        self._require_public(table)
        known = self._replays.get(table_id)
        if known is None or not known.is_current(table.state):
            async with self._database.read() as connection:
                lines = public_part(await matches.load_lines(connection, table_id))
            if not lines:
                raise MatchNotOver
            known = _CachedReplay(table.state, await self._background.run(requester, ReplayedMatch.of, table_id, lines))
            self._replays.put(table_id, known)
        return known.match

    async def reports(self, table: Table, after: int) -> list[HandReport]:
        """The hands that ended after hand `after`, in order. Without cards if others can still play the same deals.

        Only the log of the last two hands is read, unless an earlier hand is missing.
        """
        start = next((each for each in table.starts if each.hand == after + 1), None)
        lines = await self._database.fetch(matches.load_lines, table.id, 0 if start is None else start.length)
        events = [line.event for line in lines]
        if start is not None:
            found = list(hand_reports(events, start.state))
        else:
            reports = await self._background.run(None, list, hand_reports(events))
            found = [report for report in reports if report.ended.hand > after]
        return [report.without_cards() for report in found] if self._reason_for_secrecy(table) else found

    async def highlight(self, table: Table) -> Highlight | None:
        """The best moment of a match that is over; None if it ended without a hand."""
        ranking = None if table.public is None else table.public.ranking
        return highlight(await self.reports(table, 0), ranking[0]) if ranking else None

    async def revealed_seed(self, table: Table) -> str:
        """The seed of a table's deals in hex; empty while it's secret."""
        if not may_reveal_seed(table, self._tables.now()):
            return ""
        return (await self._database.fetch(matches.seed, table.id)).hex()

    def _reason_for_secrecy(self, table: Table) -> Refusal | None:
        return reason_for_secrecy(table.row, self._tables.now())

    def _require_public(self, table: Table) -> None:
        if reason := self._reason_for_secrecy(table):
            raise reason

    async def hands(self, table_id: int) -> list[HandEnded]:
        """The results of a table's completed hands, in order."""
        return await self._database.fetch(results.ended_hands, table_id)

    async def winners(self, table: Table) -> set[int] | None:
        """The seats that have won a match on leaderboards; None if it isn't over or doesn't count."""
        return await self._database.fetch(results.winners_of, table.id)

    async def gangs(self, table: Table, announced: int) -> list[GangPlay]:
        """The gangs played in the match, in order, without the first `announced` ones."""
        new = table.gangs - announced
        found: list[GangPlay] = []
        starts: list[tuple[int, State | None]] = [(start.length, start.state) for start in reversed(table.starts)]
        for since, state in (*starts, (0, None)):
            async with self._database.read() as connection:
                lines = (await matches.load_lines(connection, table.id, since))[: table.length - since]
            found = gang_plays([line.event for line in lines], state)
            if len(found) >= new:
                break
        return found[len(found) - new :]

    async def comparison(self, table: Table) -> Comparison:
        """The comparison of a duplicate match. Raises a refusal until both tables are over."""
        self._require_public(table)
        both = (table, await self._tables.get(table.row.duplicate_of or 0))
        first, second = sorted(both, key=lambda each: each.id)
        return compare((first, second), (await self.hands(first.id), await self.hands(second.id)))
