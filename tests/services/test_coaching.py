"""The coach: reviews by the process of the AI players, and when there are none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.analysis.coaching import MAX_MISTAKES, HandReview, decisions
from bot.analysis.replay import ReplayedMatch
from bot.base.fair_queue import Requester
from bot.engine import Options
from bot.engine.record import read
from bot.services import thinking
from bot.services.background import Background
from bot.services.coaching import Coach
from bot.services.prepared_reviews import PreparedReviews
from bot.services.thinking import Thinking
from bot.table.refusals import CoachAway, CoachBusy
from tests.services.thoughts import compile_forever, cost_five, die_reviewing, no_numba, nothing, par_by_seat
from tests.table_harness import ADA, TableHarness, requester

pytestmark = pytest.mark.usefixtures("machine_code")

MATCH: Final = ReplayedMatch.of(
    1, read((Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl").read_text(encoding="utf-8"))
)


@pytest.fixture
def known_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each move costs five points, and the process needs no preparation."""
    monkeypatch.setattr(thinking, "warm_up", nothing)
    monkeypatch.setattr(thinking, "cost_of", cost_five)
    monkeypatch.setattr(thinking, "par_of", par_by_seat)


@asynccontextmanager
async def coach(is_ready: bool) -> AsyncIterator[Coach]:
    ours = Thinking()
    try:
        ours.is_ready()
        assert ours._warming is not None
        assert await ours._warming == is_ready
        yield Coach(ours, Background())
    finally:
        await ours.close()


class Watched(list[tuple[int, int]]):
    """All progress that was shown."""

    def show(self, done: int, total: int) -> None:
        self.append((done, total))


def nobody_looks(_done: int, _total: int) -> None:
    """No progress is shown."""


@pytest.mark.usefixtures("known_costs")
async def test_a_review_counts_each_decision_and_shows_its_progress() -> None:
    progress = Watched()
    async with coach(is_ready=True) as ours:
        reviewed = await ours.review(requester(ADA.user_id), MATCH, 1, 2, progress.show)
    number, review = len(decisions(MATCH, 1, 2)), reviewed.review
    assert progress == [(done, number) for done in range(1, number + 1)]
    assert (review.decisions, review.good, len(review.mistakes)) == (number, 0, MAX_MISTAKES)
    assert all(mistake.better == mistake.decision.move for mistake in review.mistakes)
    assert [each.par for each in reviewed.results or ()] == [0, 1, 2, 3]


@pytest.mark.usefixtures("known_costs")
async def test_the_review_of_a_match_does_not_repeat_a_reviewed_hand() -> None:
    progress = Watched()
    user = requester(ADA.user_id)
    counts = [len(decisions(MATCH, hand, 2)) for hand in MATCH.deals]
    async with coach(is_ready=True) as ours:
        second = await ours.review(user, MATCH, 2, 2, nobody_looks)
        found = await ours.review_match(user, MATCH, 2, progress.show)
        assert len(progress) == sum(counts) - counts[1]
        assert progress[-1] == (sum(counts), sum(counts))
        assert await ours.review_match(user, MATCH, 2, progress.show) == found
    assert len(progress) == sum(counts) - counts[1]
    assert found.hands[1] == second
    assert [each.review.decisions for each in found.hands] == counts
    assert found.review.points == 5 * sum(counts)


@pytest.mark.usefixtures("known_costs")
async def test_a_user_has_one_review_at_a_time() -> None:
    again: list[asyncio.Task[HandReview]] = []

    def ask_again(_done: int, _total: int) -> None:
        again.append(asyncio.ensure_future(ours.review(requester(ADA.user_id), MATCH, 1, 0, nobody_looks)))

    async with coach(is_ready=True) as ours:
        await ours.review(requester(ADA.user_id), MATCH, 1, 1, ask_again)
        with pytest.raises(CoachBusy):
            await again[0]
        await asyncio.gather(*again, return_exceptions=True)
        await ours.review(requester(ADA.user_id), MATCH, 1, 0, nobody_looks)


@pytest.mark.usefixtures("known_costs")
async def test_a_review_waits_until_the_process_is_ready() -> None:
    progress = Watched()
    ours = Thinking()
    try:
        reviewed = await Coach(ours, Background()).review(requester(ADA.user_id), MATCH, 1, 2, progress.show)
    finally:
        await ours.close()
    number = len(decisions(MATCH, 1, 2))
    assert progress == [(done, number) for done in range(number + 1)]
    assert reviewed.review.decisions == number


async def test_a_review_that_waits_is_refused_when_the_app_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", compile_forever)
    ours, progress, waits = Thinking(), Watched(), asyncio.Event()

    def show(done: int, total: int) -> None:
        progress.show(done, total)
        waits.set()

    review = asyncio.create_task(Coach(ours, Background()).review(requester(ADA.user_id), MATCH, 1, 2, show))
    await waits.wait()
    await ours.close()
    with pytest.raises(CoachAway):
        await review
    assert progress == [(0, len(decisions(MATCH, 1, 2)))]


async def test_a_review_does_not_wait_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", compile_forever)
    monkeypatch.setattr(thinking, "COACH_SECONDS", 0.01)
    ours = Thinking()
    try:
        with pytest.raises(CoachAway):
            await Coach(ours, Background()).review(requester(ADA.user_id), MATCH, 1, 2, nobody_looks)
    finally:
        await ours.close()


async def test_there_is_no_coach_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", no_numba)
    async with coach(is_ready=False) as ours:
        with pytest.raises(CoachAway):
            await ours.review(requester(ADA.user_id), MATCH, 1, 0, nobody_looks)


async def test_a_review_whose_process_dies_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "warm_up", nothing)
    monkeypatch.setattr(thinking, "cost_of", die_reviewing)
    async with coach(is_ready=True) as ours:
        with pytest.raises(CoachAway):
            await ours.review(requester(ADA.user_id), MATCH, 1, 0, nobody_looks)


class Watcher(Coach):
    """A coach that says which seats' reviews it has prepared."""

    def __init__(self, thinking: Thinking, background: Background) -> None:
        super().__init__(thinking, background)
        self.prepared = asyncio.Queue[int]()

    async def prepare(self, requester: Requester, match: ReplayedMatch, seat: int) -> None:
        await super().prepare(requester, match, seat)
        self.prepared.put_nowait(seat)


@pytest.mark.usefixtures("known_costs")
async def test_the_reviews_of_people_are_ready_soon_after_their_match(harness: TableHarness) -> None:
    thoughts, progress = Thinking(), Watched()
    coach = Watcher(thoughts, harness.background)
    reviews = PreparedReviews(coach, harness.archive)
    harness.on_update = reviews.prepare
    running = asyncio.create_task(reviews.run())
    try:
        table = await harness.play_to_end(await harness.match(2, 1, Options(target=40)))
        assert [await coach.prepared.get(), await coach.prepared.get()] == [0, 1]
        match = await harness.archive.match(table.id, requester(ADA.user_id))
        for seat in (0, 1):
            found = await coach.review_match(requester(ADA.user_id), match, seat, progress.show)
            assert len(found.hands) == table.hands_over > 1
        assert progress == []
    finally:
        running.cancel()
        await thoughts.close()


async def test_an_app_without_the_process_has_no_coach() -> None:
    ours = Coach(None, Background())
    assert not ours.is_here
    with pytest.raises(CoachAway):
        await ours.review(requester(ADA.user_id), MATCH, 1, 0, nobody_looks)
