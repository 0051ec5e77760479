"""The decisions of a hand, and the most expensive ones."""

from pathlib import Path

import pytest

from bot.analysis.coaching import (
    Cost,
    Decision,
    HandReview,
    decisions,
    review,
    review_match,
)
from bot.analysis.replay import ReplayedMatch
from bot.engine import Pass
from bot.engine.events import HandEnded, Passed, Played, Undone
from bot.engine.record import read

RECORDS = sorted((Path(__file__).parents[1] / "engine" / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_each_play_and_pass_is_a_decision_at_its_moment(path: Path) -> None:
    match = ReplayedMatch.of(1, read(path.read_text(encoding="utf-8")))
    for hand in match.deals:
        events = [event for event in match.events_of(hand) if isinstance(event, Played | Passed | Undone)]
        found = [each for seat in range(len(match.started.seats)) for each in decisions(match, hand, seat)]
        undone = sum(isinstance(event, Undone) for event in events)
        assert len(found) == len(events) - 2 * undone
        for decision in found:
            shown = match.at(decision.moment)
            assert decision.view.is_my_turn
            assert decision.view.hand == shown.hands[decision.view.seat]
            assert isinstance(decision.move, Pass) or decision.move.cards in [
                each.cards for each in decision.view.plays()
            ]


def test_an_unknown_hand_has_no_decisions() -> None:
    match = ReplayedMatch.of(1, read(RECORDS[0].read_text(encoding="utf-8")))
    assert decisions(match, 99, 0) == []


def costs(*points: tuple[float, float]) -> list[Cost]:
    """Costs of a real decision, with these points and errors."""
    match = ReplayedMatch.of(1, read(RECORDS[0].read_text(encoding="utf-8")))
    decision: Decision = decisions(match, 1, 0)[0]
    return [Cost(decision, decision.move, cost, error) for cost, error in points]


def test_the_three_most_expensive_moves_are_named() -> None:
    found = review(costs((5, 1), (0.2, 0.1), (9, 2), (1.5, 0.2), (3, 1)))
    assert (found.decisions, found.good) == (5, 1)
    assert [mistake.points for mistake in found.mistakes] == [9, 5, 3]


def test_a_cost_that_may_be_chance_is_no_mistake() -> None:
    found = review(costs((5, 3), (0.9, 0.1), (-0.5, 0.1)))
    assert (found.good, found.mistakes) == (3, ())


def test_the_costs_of_a_hand_are_summed() -> None:
    assert (review(costs((5, 1), (1, 0.1))).points, review(costs((5, 1), (1, 0.1))).mean) == (6, 3)
    assert (review(costs((-1, 1))).points, review([]).mean) == (0, 0)


def hand_of(number: int, points: tuple[int, ...], *cost: tuple[float, float]) -> HandReview:
    """A reviewed hand with these points and costs."""
    ended = HandEnded(number, points.index(0), points, points, points)
    return HandReview(ended, review(costs(*cost)), None)


def test_a_match_names_its_most_expensive_moves_and_the_hands_that_changed_most() -> None:
    hands = [
        hand_of(1, (0, 3, 4), (5, 1), (2, 0.1)),
        hand_of(2, (9, 0, 9), (9, 1)),
        hand_of(3, (48, 2, 0), (0.1, 0.1), (7, 1)),
        hand_of(4, (0, 30, 4)),
    ]
    found = review_match(0, hands)
    assert (found.review.decisions, found.review.good, round(found.review.points, 1)) == (5, 1, 23.1)
    assert [mistake.points for mistake in found.review.mistakes] == [9, 7, 5]
    assert [ended.hand for ended in found.swings] == [3, 4]
    assert review_match(1, hands[:2]).swings == ()


def test_costs_below_zero_count_in_the_sum_of_a_match() -> None:
    hands = [hand_of(1, (0, 3, 4), (5, 1)), hand_of(2, (0, 3, 4), (-2, 1))]
    assert [each.review.points for each in hands] == [5, 0]
    assert review_match(0, hands).review.points == 3
