"""Practice hands: a user plays alone against AI players, who move at once. Nothing else is affected.

A log is read, written and replayed in a thread.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.analysis.practice import Position, Practice, Source, deal, from_match
from bot.analysis.replay import Origin, ReplayedMatch
from bot.base.fair_queue import Requester
from bot.engine import Options
from bot.players.levels import DEFAULT_LEVEL, Level
from bot.services.background import Background
from bot.services.thinking import Think
from bot.storage import practice as stored
from bot.storage.database import Database
from bot.table.play import SeatMove
from bot.table.refusals import MatchNotOver, OutdatedAction, PracticeGone

KEPT_SECONDS: Final = 30 * 24 * 3600
"""The time for which a practice hand is kept."""


class Practices:
    """The practice hands of all users, one for each."""

    def __init__(
        self,
        database: Database,
        background: Background,
        now: Callable[[], int],
        new_seed: Callable[[], bytes],
        think: Think,
    ) -> None:
        """`now`: UTC milliseconds."""
        self._database = database
        self._background = background
        self._now = now
        self._new_seed = new_seed
        self._think = think

    async def last(self, user_id: int) -> Practice | None:
        """The user's last practice hand, over or not."""
        row = await self._database.fetch(stored.load, user_id)
        return None if row is None else await asyncio.to_thread(stored.parse, row)

    async def get(self, user_id: int, number: int) -> Practice:
        """The user's practice hand of this number. Raises `PracticeGone`, or `OutdatedAction` if they have another."""
        practice = await self.last(user_id)
        if practice is None:
            raise PracticeGone
        if practice.number != number:
            raise OutdatedAction
        return practice

    async def replayed(self, user_id: int, number: int, name: str) -> ReplayedMatch:
        """The replay of the user's practice hand of this number, which is over. Raises `PracticeGone`."""
        practice = await self.last(user_id)
        if practice is None or practice.number != number or not practice.is_over:
            raise PracticeGone
        return await asyncio.to_thread(practice.replayed, name)

    async def deal(
        self, requester: Requester, source: Source, edition: str, options: Options, size: int, level: Level
    ) -> Practice:
        """Begin a new hand. Raises `TryAgainLater`."""
        start = await self._background.run(requester, deal, source, edition, options, size, self._new_seed())
        return await self._begin(requester.user_id, start, level)

    async def begin_from_match(self, requester: Requester, match: ReplayedMatch, moment: int, seat: int) -> Practice:
        """Begin at a moment of a match that the user may see, in a seat, against AI players of the last level.

        Raises `MatchNotOver` for a hand that wasn't played to its end, or `TryAgainLater`.
        """
        if not match.has_ended(match.at(moment).hand):
            raise MatchNotOver
        last = await self.last(requester.user_id)
        level = DEFAULT_LEVEL if last is None else last.level
        source = _source(match, last)
        start = await self._background.run(requester, from_match, match, moment, seat, *source)
        return await self._begin(requester.user_id, start, level)

    async def again(self, user_id: int, number: int, level: Level, *, next_seat: bool = False) -> Practice:
        """Begin the hand again, perhaps from the next seat. Raises a refusal of `get`."""
        start = (await self.get(user_id, number)).start
        if next_seat:
            start = await asyncio.to_thread(start.from_next_seat)
        return await self._begin(user_id, start, level)

    async def move(self, user_id: int, number: int, moment: int, move: SeatMove) -> Practice:
        """Make a move of the user, and those of the AI players after it.

        Raises `IllegalMove`, a refusal of `get`, or `OutdatedAction` if the press belongs to another turn.
        """
        known = await self.get(user_id, number)
        if known.table.moment != moment:
            raise OutdatedAction
        new = await self._play_on(known.after(move))
        logs = [await asyncio.to_thread(stored.written, each) for each in (known, new)]
        if not await self._database.commit(stored.move_on, user_id, number, *logs):
            raise OutdatedAction
        return new

    async def _begin(self, user_id: int, start: Position, level: Level) -> Practice:
        practice = await self._play_on(await asyncio.to_thread(Practice.begin, start, level, self._now()))
        log = await asyncio.to_thread(stored.written, practice)
        await self._database.commit(stored.save, user_id, practice, log)
        return practice

    async def _play_on(self, practice: Practice) -> Practice:
        """The hand after the moves of AI players, up to the user's turn or the end."""
        while (seen := practice.ai_view) is not None:
            style = practice.table.seats[seen.seat].style
            thought = await self._think(practice.level, seen, style)
            practice = practice.after(thought.move)
        return practice


def _source(match: ReplayedMatch, last: Practice | None) -> tuple[Source, int]:
    """Where a practice hand that begins in a replay comes from, and the number of its table.

    In the replay of a practice hand, both stay the same. That of an endgame also has the moves before the endgame, so
    a hand that begins there counts as a new deal.
    """
    match match.origin:
        case Origin.TABLE:
            return Source.MATCH, match.number
        case Origin.IMPORT:
            return Source.IMPORT, 0
    if last is None or last.number != match.number:
        raise PracticeGone
    source = last.start.source
    return Source.NEW if source is Source.ENDGAME else source, last.start.match_number
