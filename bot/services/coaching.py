"""The coach: the moves of a finished hand, compared with better ones. The process of the AI players computes them."""

from collections.abc import Awaitable, Callable

from bot.analysis import coaching
from bot.analysis.coaching import Cost, Review
from bot.analysis.replay import ReplayedMatch
from bot.fair_queue import Requester
from bot.services.background import Background
from bot.services.fair_lock import WORK_WAITING, FairLock
from bot.services.thinking import Thinking
from bot.table.refusals import CoachAway


class Coach:
    """Reviews hands, one at a time: AI players move between two decisions."""

    def __init__(self, thinking: Thinking | None, background: Background) -> None:
        """Without `thinking` there is no coach."""
        self._thinking = thinking
        self._background = background
        self._lock = FairLock(WORK_WAITING)

    @property
    def is_here(self) -> bool:
        """False if there is never a coach."""
        return self._thinking is not None

    async def review(
        self,
        requester: Requester,
        match: ReplayedMatch,
        hand: int,
        seat: int,
        show_progress: Callable[[int, int], Awaitable[None]],
    ) -> Review:
        """Review the moves of a seat. `show_progress` gets the number of moves done, and of all.

        Raises `CoachAway`, or `TryAgainLater`.
        """
        if self._thinking is None:
            raise CoachAway
        found = await self._background.run(requester, coaching.decisions, match, hand, seat)
        costs: list[Cost] = []
        async with self._lock.turn(requester):
            for number, decision in enumerate(found, 1):
                cost = await self._thinking.cost(decision.view, decision.move)
                if cost is not None:
                    costs.append(Cost(decision, cost.better, cost.points, cost.error))
                await show_progress(number, len(found))
        return coaching.review(costs)
