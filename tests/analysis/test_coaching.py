"""The decisions of a hand, and the most expensive ones."""

from pathlib import Path

import pytest

from bot.analysis.coaching import Cost, Decision, decisions, review
from bot.analysis.replay import ReplayedMatch
from bot.engine import Pass
from bot.engine.events import Passed, Played, Undone
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
