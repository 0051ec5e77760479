"""The day's leaderboard: its places, pages and cost."""

import re
from dataclasses import replace

import pytest

from bot.analysis.daily import DailyResult, streak
from bot.presentation.table.daily import (
    FIRST_DAY,
    MAX_RESULTS,
    _sort_key,
    daily_fair_deal_message,
    daily_leaderboard_message,
    daily_offer_message,
    daily_result_message,
    day_of_press,
    end_lines,
    result_lines,
)
from bot.presentation.text.i18n import words_in
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.services.daily import DailyDeal, DailyLeaderboard, Offer
from tests.presentation.sent_messages import check, pressable, text_of
from tests.work_counters import counted

WORDS = words_in("en")
POINTS = (0, 0, 3, 7, 7, 7, None, None)


def leaderboard(points: tuple[int | None, ...], day: str = "2026-12-24") -> DailyLeaderboard:
    results = [DailyResult(number, f"P{number}", each, each and 9) for number, each in enumerate(points)]
    return DailyLeaderboard(
        DailyDeal(day, "e" * 64, b"\1" * 32, None), is_over=True, results=results, own_table=None, streak=3
    )


def test_equal_results_share_a_place_and_unfinished_hands_the_last_one() -> None:
    lines = text_of(daily_leaderboard_message(leaderboard(POINTS), 0, WORDS)).split("\n")
    places = [line.split()[0] for line in lines if "**P" in line]
    assert places == [f"{place}\\." for place in (1, 1, 3, 4, 4, 4, 7, 7)]


def test_the_readers_own_line_is_always_shown() -> None:
    text = text_of(daily_leaderboard_message(leaderboard(tuple(range(60))), 50, WORDS))
    assert text.count("**P") == MAX_RESULTS + 1
    assert "P50 (you)" in text


def test_the_work_grows_linearly_with_the_number_of_players() -> None:
    work = []
    for players in (500, 1000):
        with counted(_sort_key) as calls:
            check(daily_leaderboard_message(leaderboard(tuple(number // 9 for number in range(players))), 0, WORDS))
        work.append(calls.total["_merit"])
    assert work[1] <= 2.01 * work[0]


@pytest.mark.parametrize("day", ["0001-01-01", "2025-12-31", "tomorrow", ""])
def test_there_is_no_leaderboard_before_the_first_day(day: str) -> None:
    with pytest.raises(InvalidCustomId):
        day_of_press(Press(Verb.DAILY, 0, 0, (day, "turn")))


def test_the_first_day_has_no_day_before() -> None:
    view = daily_leaderboard_message(leaderboard((), FIRST_DAY.isoformat()), 0, WORDS)
    back, *_ = pressable(view).values()
    assert back["disabled"]


def test_only_fair_deal_shows_more_than_eight_digits_of_a_fingerprint() -> None:
    deal = DailyDeal("2026-12-24", "e" * 64, b"\1" * 32, "f" * 64)
    shown = DailyLeaderboard(deal, is_over=True, results=(), own_table=None, streak=0)
    for view in (daily_offer_message(Offer(deal.day, "e" * 64, 0), WORDS), daily_leaderboard_message(shown, 0, WORDS)):
        assert not re.search("(?<!<t:)\\b[0-9a-f]{9}", text_of(view))
        assert "g4:daily:0:0:2026-12-24:fair" in pressable(view)
    text = text_of(daily_fair_deal_message(deal, WORDS))
    assert re.findall("[0-9a-f]{64}", text) == ["e" * 64, "f" * 64, "01" * 32]


def test_a_result_says_whether_it_was_won_the_place_and_the_streak() -> None:
    won, lost = (result_lines(leaderboard((0, 7, 16)), user_id, WORDS) for user_id in (0, 2))
    assert won == ["**🏆 Won · 0 points · place 1 of 3 here · 3 days in a row**", "🟩" * 8]
    assert lost == [
        "**Not won · 16 points · place 3 of 3 here · 3 days in a row**",
        "🟩" * 4 + "⬜" * 4 + " 8 cards left",
    ]
    assert result_lines(leaderboard((0, None)), 1, WORDS) == result_lines(leaderboard((0,)), 9, WORDS) == []


def test_a_hand_that_was_finished_after_its_day_does_not_count() -> None:
    late = replace(leaderboard((0, None)), streak=0)
    assert end_lines(replace(leaderboard(()), streak=1), 1, WORDS) == [], "hidden players have no result there"
    assert "**P1 (you)**: not finished in time" in text_of(daily_leaderboard_message(late, 1, WORDS))
    assert end_lines(late, 1, WORDS) == ["The day was over, so this result doesn't count."]
    assert end_lines(late, 0, WORDS) == result_lines(late, 0, WORDS)
    offer = Offer("2026-12-24", "e" * 64, 3)
    assert "The day ends <t:1798156800:R>." in text_of(daily_offer_message(offer, WORDS))


def test_a_posted_result_has_no_cards_and_no_buttons() -> None:
    view = daily_result_message(leaderboard((0, 7)), 1, WORDS)
    assert text_of(view).splitlines()[1:] == result_lines(leaderboard((0, 7)), 1, WORDS)
    assert pressable(view) == {}
    with pytest.raises(InvalidCustomId):
        daily_result_message(leaderboard((0, None)), 1, WORDS)


@pytest.mark.parametrize(
    ("days", "number"),
    [([], 0), (["2026-12-23"], 0), (["2026-12-24"], 1), (["2026-12-24", "2026-12-23", "2026-12-21"], 2)],
)
def test_a_streak_is_of_consecutive_days(days: list[str], number: int) -> None:
    assert streak(days, "2026-12-24") == number
