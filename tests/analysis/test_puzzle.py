"""Puzzles: every position can be rebuilt, its costs fit its moves, and streaks count days."""

import json
from collections.abc import Iterator

from bot.analysis.puzzle import HEADER, NEARLY, Puzzle, PuzzleProgress, cards_of, moves_of
from bot.engine import Phase
from bot.players import simple
from bot.services.puzzle import FILE, puzzle_book


def puzzles() -> Iterator[Puzzle]:
    return map(puzzle_book().get, range(1, puzzle_book().total + 1))


def test_every_puzzle_is_rebuilt() -> None:
    for found in puzzles():
        assert found.view.public.phase is Phase.PLAY
        assert found.table.turn == found.view.seat
        assert found.costs.keys() == set(map(cards_of, moves_of(found.view)))
        assert found.costs[cards_of(found.best)] == 0
        assert found.cost_of(found.runner_up) >= 1.5
        assert 1 <= sum(cost < NEARLY for cost in found.costs.values()) <= 3


def test_no_puzzle_is_solved_by_a_simple_player() -> None:
    for found in puzzles():
        assert not found.is_right(getattr(simple.choose(found.view), "cards", ()))


def test_puzzles_differ_and_there_are_enough() -> None:
    header, *lines = map(json.loads, FILE.read_text().splitlines())
    assert header == HEADER
    assert len({(line["deal"], len(line["moves"])) for line in lines}) == len(lines) >= 100
    assert FILE.stat().st_size < 200_000


def test_the_user_sits_among_ai_players() -> None:
    found = puzzle_book().get(1)
    assert [seat.is_ai for seat in found.table.seats].index(False) == found.view.seat
    assert found.table.view_of(0).hand == found.view.hand


def test_each_day_has_its_puzzle() -> None:
    book = puzzle_book()
    assert [book.number_of(day) for day in ("2026-01-01", "2026-01-02", "2025-12-31")] == [1, 2, book.total]
    assert [book.number_before(number) for number in (2, 1)] == [1, book.total]


def test_a_streak_counts_consecutive_days_with_a_right_answer() -> None:
    progress = PuzzleProgress()
    for day, right, streak, best in (
        ("2026-02-27", True, 1, 1),
        ("2026-02-28", True, 2, 2),
        ("2026-03-01", True, 3, 3),
        ("2026-03-02", False, 0, 3),
        ("2026-03-03", True, 1, 3),
        ("2026-03-05", True, 1, 3),
    ):
        progress = progress.after(day, right=right)
        assert progress == PuzzleProgress(day, streak, best)


def test_a_streak_can_be_continued_until_the_end_of_the_next_day() -> None:
    progress = PuzzleProgress("2026-03-05", 4, 6)
    assert [progress.streak_on(day) for day in ("2026-03-05", "2026-03-06", "2026-03-07")] == [4, 4, 0]
