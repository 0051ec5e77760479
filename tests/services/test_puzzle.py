"""The puzzle of the day: the first answer counts, on its day only."""

import pytest

from bot.analysis.puzzle import Puzzle, PuzzleProgress, cards_of
from bot.engine import Cards
from bot.services import puzzle
from bot.services.puzzle import Puzzles, UserPuzzle
from bot.table.refusals import OutdatedAction
from bot.table.timing import DAY
from tests.not_none import not_none
from tests.table_harness import ADA, BO, TableHarness


def puzzles(harness: TableHarness) -> Puzzles:
    return Puzzles(harness.database, harness.clock.milliseconds)


def wrong(found: Puzzle) -> Cards:
    return max(found.costs, key=lambda cards: found.costs[cards])


async def answered(service: Puzzles, *, right: bool = True) -> UserPuzzle:
    """Today's puzzle after Ada's answer."""
    shown = await service.of_today(ADA.user_id)
    cards = cards_of(shown.puzzle.best) if right else wrong(shown.puzzle)
    return await service.answer(ADA.user_id, shown.puzzle.number, cards)


async def test_only_the_first_answer_of_a_day_counts(harness: TableHarness) -> None:
    service = puzzles(harness)
    first = await answered(service, right=False)
    assert first.answer is not None
    assert first.answer.counts
    assert first.answer.hint.move == first.puzzle.best
    second = await answered(service)
    assert not not_none(second.answer).counts
    assert second.progress == first.progress == PuzzleProgress(service.today, 0, 0)
    assert second.is_answered
    assert not (await service.of_today(BO.user_id)).is_answered


async def test_a_streak_grows_day_by_day(harness: TableHarness) -> None:
    service = puzzles(harness)
    numbers = []
    for days in range(3):
        shown = await answered(service)
        numbers.append(shown.puzzle.number)
        assert shown.progress.streak == shown.progress.best == days + 1
        harness.clock.now += DAY
    assert len(set(numbers)) == 3
    harness.clock.now += DAY
    assert (await service.of_today(ADA.user_id)).progress.streak_on(service.today) == 0


async def test_each_right_move_is_explained(harness: TableHarness) -> None:
    service = puzzles(harness)
    for number in range(1, 30):
        found = (await service.get(ADA.user_id, number)).puzzle
        for cards in filter(found.is_right, found.costs):
            answer = not_none((await service.answer(ADA.user_id, number, cards)).answer)
            assert cards_of(answer.hint.move) == cards  # type: ignore[arg-type]  # puzzles have plays and passes


async def test_other_puzzles_do_not_count(harness: TableHarness) -> None:
    service = puzzles(harness)
    today = await service.of_today(ADA.user_id)
    other = await service.before(ADA.user_id, today.puzzle.number)
    assert other.day is None
    assert other.puzzle.number != today.puzzle.number
    after = await service.answer(ADA.user_id, other.puzzle.number, cards_of(other.puzzle.best))
    assert not not_none(after.answer).counts
    assert after.progress == PuzzleProgress()


@pytest.mark.parametrize("number", [0, -1, 10**9])
async def test_there_are_no_puzzles_of_other_numbers(harness: TableHarness, number: int) -> None:
    with pytest.raises(OutdatedAction):
        await puzzles(harness).get(ADA.user_id, number)


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle, "SHA256", "0" * 64)
    with pytest.raises(ValueError, match="isn't the one of this version"):
        puzzle.puzzle_book.__wrapped__()
