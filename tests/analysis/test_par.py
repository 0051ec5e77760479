"""Luck and skill from points and pars, and the deals of a match."""

from pathlib import Path

import pytest

from bot.analysis.par import dealt_hand, results
from bot.analysis.replay import ReplayedMatch
from bot.engine.events import Dealt
from bot.engine.record import read
from tests.analysis.test_coaching import RECORDS


def test_luck_and_skill_add_up_to_the_result() -> None:
    found = results((0, 8, 20), (6.0, 6.0, 12.0))
    assert [each.luck for each in found] == pytest.approx([2, 2, -4])
    assert [each.luck + each.skill for each in found] == pytest.approx([28 / 3, 4 / 3, -32 / 3])


def test_the_average_of_the_table_has_neither_luck_nor_skill() -> None:
    assert {(each.luck, each.skill) for each in results((5, 5, 5, 5), (9.0, 9.0, 9.0, 9.0))} == {(0, 0)}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_deal_has_the_cards_before_the_exchange(path: Path) -> None:
    match = ReplayedMatch.of(1, read(path.read_text(encoding="utf-8")))
    dealt = {event.hand: event for event in match.events if isinstance(event, Dealt)}
    for hand, event in dealt.items():
        found = dealt_hand(match, hand)
        assert found is not None
        assert found.hands == tuple(tuple(sorted(cards)) for cards in event.hands)
        assert (found.direction, found.leader is None) == (event.direction, hand > 1)
    assert dealt_hand(match, 99) is None
