"""Duplicate matches in channels: the other table, secret deals, and the comparison."""

from dataclasses import replace

import pytest

from bot.analysis.replay import may_reveal_seed
from bot.engine import Options
from bot.engine.cards import ALL_CARDS
from bot.engine.events import HandEnded
from bot.players.simulation import SimulationSettings, simulate
from bot.presentation.table.duplicates import MAX_HANDS, comparison_message
from bot.presentation.table.hand_report import penalty, report_message
from bot.presentation.table.message import table_message
from bot.presentation.text.cards import face
from bot.table.duplicates import Comparison, compare
from bot.table.model import Status
from bot.table.snapshot import Table
from tests.presentation.sample_tables import WORDS, longest_comparison, people, row, sheets
from tests.presentation.sent_messages import text_of

DUPLICATE = "Duplicate match: the same deals as table {}."
SECRET = "Table {} is still playing these deals: they are shown when both matches are over."
FOLLOWS = "can start once table {} has started."


def table_of(number: int, status: Status, *, deals_secret: bool = True) -> Table:
    """Table 5 or 6, with the same deals."""
    made = replace(
        row(people("Ada", "Bo", "Cy"), status, number=number), duplicate_of=11 - number, deals_secret=deals_secret
    )
    if status is Status.LOBBY:
        return Table(made)
    state, events = simulate(SimulationSettings(3, "days-of-wonder", Options(target=30), "duplicates"), 1)
    if status is Status.OVER:
        return Table(made, state)
    over = next(at for at, event in enumerate(events) if isinstance(event, HandEnded))
    return Table(made).after(events[:over])


@pytest.mark.parametrize("status", Status)
def test_each_table_names_the_other_and_what_waits_for_it(status: Status) -> None:
    for number in (5, 6):
        text = text_of(table_message(table_of(number, status), WORDS))
        assert DUPLICATE.format(11 - number) in text
        assert (FOLLOWS.format(5) in text) is (number == 6 and status is Status.LOBBY)
        assert (SECRET.format(11 - number) in text) is (not status.is_open)


def test_a_lobby_shows_which_table_starts_first() -> None:
    waiting = table_of(6, Status.LOBBY)
    waiting = replace(waiting, row=replace(waiting.row, seats=waiting.row.seats[:2]))
    assert "Table 5 starts first; then this one can start." in text_of(table_message(waiting, WORDS))


@pytest.mark.parametrize("status", [Status.OVER, Status.CLOSED])
def test_the_seed_is_shown_when_both_are_over(status: Status) -> None:
    for deals_secret in (True, False):
        table = table_of(5, status, deals_secret=deals_secret)
        message = text_of(table_message(table, WORDS))
        assert may_reveal_seed(table, 0) is not deals_secret
        assert ("is still playing these deals" in message) is deals_secret


def test_a_report_without_cards_tells_points_and_numbers_of_cards_alone() -> None:
    for table, report in sheets(4):
        text = text_of(report_message(table, report.without_cards(), [report.ended], WORDS))
        assert not any(face(card, WORDS) in text for card in ALL_CARDS)
        assert "For the next hand" not in text
        assert all(any(line.startswith(start) for line in text.splitlines()) for start in ("🏁", "Totals: "))
        assert all(penalty(report, seat, WORDS) in text for seat in range(4) if report.ended.left[seat])


def comparison(*points: tuple[tuple[int, ...], tuple[int, ...]]) -> Comparison:
    """The points of three seats at both tables, hand by hand."""
    first, second = table_of(5, Status.OVER, deals_secret=False), table_of(6, Status.OVER, deals_secret=False)
    second = replace(second, row=replace(second.row, seats=people("Di", "Eve", "Fay")))
    ends = [
        tuple(HandEnded(hand, 0, (0, 1, 1), each, each) for hand, each in enumerate(side, 1))
        for side in zip(*points, strict=True)
    ]
    return compare((first, second), (ends[0], ends[1])) if points else Comparison((first, second), ())


def test_the_comparison_goes_seat_by_seat() -> None:
    text = text_of(comparison_message(comparison(((0, 5, 9), (3, 0, 9)), ((0, 10, 1), (4, 0, 1))), WORDS))
    assert text.startswith("### Duplicate match: tables 5 and 6\n2 hands were played to their end at both tables.")
    ada, bo, cy = text.split("\n\n")[1:]
    assert "**Ada**: " in ada
    assert "**Di**: " in ada
    assert "Hand by hand: 0:3 0:4" in ada
    assert ada.endswith("-# better at table 5 in 2 hands")
    assert "Hand by hand: 5:0 10:0" in bo
    assert bo.endswith("-# better at table 6 in 2 hands")
    assert cy.endswith("equal in 2 hands")


def test_without_common_hands_a_comparison_has_totals_only() -> None:
    text = text_of(comparison_message(comparison(), WORDS))
    assert "0 hands were played to their end at both tables." in text
    assert "Hand by hand" not in text
    assert text.count(" points") == 6


def test_of_very_many_hands_the_first_are_listed_and_all_are_counted() -> None:
    text = text_of(comparison_message(longest_comparison(), WORDS))
    assert text.count("80:80") == 4 * MAX_HANDS
    assert text.count(f"({999 - MAX_HANDS} more hands)") == 4
    assert text.count("equal in 999 hands") == 4
