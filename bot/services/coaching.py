"""The coach: the moves of finished hands, compared with better ones. The process of the AI players computes them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.analysis import coaching, par
from bot.analysis.coaching import Cost, Decision, HandReview, MatchReview
from bot.analysis.replay import ReplayedMatch
from bot.base.fair_queue import Requester
from bot.engine.events import HandEnded, Substituted
from bot.players.strongest import DealtHand, MoveCost
from bot.services.background import Background, RequestLock
from bot.services.caches import LruCache
from bot.services.thinking import Thinking
from bot.table import limits
from bot.table.refusals import CoachAway, CoachBusy

MAX_CACHED: Final = 2000
"""Reviewed moves kept in memory, with the events of their hands about 2 KB each."""

ShowProgress: TypeAlias = Callable[[int, int], None]
"""Gets the number of moves done, and of all; 0 are done while the process is being prepared."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """A seat's finished hand."""

    ended: HandEnded
    decisions: list[Decision]
    deal: DealtHand | None
    key: tuple[object, ...]
    """The seat, the deal and everything that happened, without names."""


@dataclass(frozen=True, slots=True)
class _Reviewed:
    """The result of a review, without names. The decisions are read from the log again."""

    costs: tuple[MoveCost | None, ...]
    pars: tuple[float, ...] | None


class Coach:
    """Reviews one hand at a time: AI players move between two decisions, and users take turns between two hands."""

    def __init__(self, thinking: Thinking | None, background: Background) -> None:
        """Without `thinking` there is no coach."""
        self._thinking = thinking
        self._background = background
        self._lock = RequestLock("reviews", limits.WORK)
        self._reviewing: set[int] = set()
        """The users for whom a review is running."""
        self._known: LruCache[tuple[object, ...], _Reviewed] = LruCache(MAX_CACHED, lambda each: len(each.costs) + 1)

    @property
    def is_here(self) -> bool:
        """False if this process has no coach."""
        return self._thinking is not None

    async def review(
        self, requester: Requester, match: ReplayedMatch, hand: int, seat: int, show_progress: ShowProgress
    ) -> HandReview:
        """Review the moves of a seat in a finished hand. Raises `CoachAway`, `CoachBusy` or `TryAgainLater`."""
        with self._only_once(requester):
            hands = await self._background.run(requester, _hands, match, seat, hand)
            (found,) = await self._reviews(requester, hands, show_progress)
        return found

    async def review_match(
        self, requester: Requester, match: ReplayedMatch, seat: int, show_progress: ShowProgress
    ) -> MatchReview:
        """Review the moves of a seat in all hands of a match. Raises the same as `review`."""
        with self._only_once(requester):
            hands = await self._background.run(requester, _hands, match, seat)
            found = await self._reviews(requester, hands, show_progress)
        return coaching.review_match(seat, found)

    async def prepare(self, requester: Requester, match: ReplayedMatch, seat: int) -> None:
        """Review the moves of a seat in all hands of a match for a later press. Raises the same as `review`."""
        hands = await self._background.run(requester, _hands, match, seat)
        await self._reviews(requester, hands, lambda _done, _total: None)

    @contextmanager
    def _only_once(self, requester: Requester) -> Iterator[None]:
        """Run one review at a time for each user. Raises `CoachBusy`."""
        if requester.user_id in self._reviewing:
            raise CoachBusy
        self._reviewing.add(requester.user_id)
        try:
            yield
        finally:
            self._reviewing.discard(requester.user_id)

    async def _reviews(self, requester: Requester, hands: list[_Hand], show_progress: ShowProgress) -> list[HandReview]:
        if self._thinking is None:
            raise CoachAway
        before, total, reviews = 0, sum(len(hand.decisions) for hand in hands), list[HandReview]()

        def show(done: int) -> None:
            show_progress(before + done, total)

        if any(self._known.get(hand.key) is None for hand in hands):
            await self._thinking.prepare(on_wait=lambda: show(0))
        for hand in hands:
            known = self._known.get(hand.key)
            if known is None:
                async with self._lock.turn(requester):  # another may have reviewed it meanwhile
                    known = self._known.get(hand.key) or await _reviewed(self._thinking, hand, show)
                self._known.put(hand.key, known)
            reviews.append(_hand_review(hand, known))
            before += len(hand.decisions)
        return reviews


async def _reviewed(thinking: Thinking, hand: _Hand, show: Callable[[int], None]) -> _Reviewed:
    """Review a hand; `show` gets the number of its moves that are done."""
    costs: list[MoveCost | None] = []
    for number, decision in enumerate(hand.decisions, 1):
        costs.append(await thinking.cost(decision.view, decision.move))
        show(number)
    pars = None if hand.deal is None else (await thinking.par(hand.deal)).points
    return _Reviewed(tuple(costs), pars)


def _hand_review(hand: _Hand, known: _Reviewed) -> HandReview:
    pairs = zip(hand.decisions, known.costs, strict=True)
    costs = [Cost(decision, *cost) for decision, cost in pairs if cost is not None]
    results = None if known.pars is None else tuple(par.results(hand.ended.points, known.pars))
    return HandReview(hand.ended, coaching.review(costs), results)


def _hands(match: ReplayedMatch, seat: int, only: int | None = None) -> list[_Hand]:
    """The latest hands of a match, or one of them, as a seat has played them. May take 100 ms: use `Background`."""
    ended = coaching.ended_hands(match)
    chosen = ended[-coaching.MAX_HANDS :] if only is None else [each for each in ended if each.hand == only]
    return [_hand(match, seat, each) for each in chosen]


def _hand(match: ReplayedMatch, seat: int, ended: HandEnded) -> _Hand:
    deal, events = par.dealt_hand(match, ended.hand), match.events_of(ended.hand)
    key = (seat, deal, *(event for event in events if not isinstance(event, Substituted)))
    return _Hand(ended, coaching.decisions(match, ended.hand, seat), deal, key)
