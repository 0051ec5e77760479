"""Reports of finished hands."""

import pytest

from bot.analysis.hand_reports import hand_reports
from bot.engine import Options, replay
from bot.engine.events import Gave, HandEnded
from bot.players.simulation import SimulationSettings, simulate
from tests.table_harness import TableHarness


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("seats", [3, 4])
def test_every_hand_is_reported_with_the_cards_left(seats: int, seed: int) -> None:
    _, events = simulate(SimulationSettings(seats, "days-of-wonder", Options(target=60), "reports"), seed)
    ends = [number for number, event in enumerate(events) if isinstance(event, HandEnded)]
    reports = list(hand_reports(events))
    assert [report.ended for report in reports] == [events[number] for number in ends]
    for number, report in zip(ends, reports, strict=True):
        before = replay(events[:number])
        assert (report.cards_left, report.direction) == (before.hands, before.direction)
        assert tuple(map(len, report.cards_left)) == report.ended.left


@pytest.mark.parametrize("seed", range(6))
def test_a_report_has_the_gift_for_the_next_hand(seed: int) -> None:
    _, events = simulate(SimulationSettings(4, "days-of-wonder", Options(target=60), "gifts"), seed)
    *reports, last = hand_reports(events)
    assert [report.gave for report in reports] == [event for event in events if isinstance(event, Gave)]
    assert last.gave is None


def test_a_hand_in_play_has_no_report() -> None:
    _, events = simulate(SimulationSettings(4, "days-of-wonder", Options(target=60), "none"), 1)
    first = next(number for number, event in enumerate(events) if isinstance(event, HandEnded))
    assert list(hand_reports(events[:first])) == []


async def test_hands_are_reported_until_they_are_announced(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(people=3, ai_players=0, options=Options(target=20)))
    reports = await harness.archive.reports(table, 0)
    assert len(reports) > 1
    for number, report in enumerate(reports, 1):
        assert await harness.archive.reports(table, report.ended.hand) == reports[number:]
