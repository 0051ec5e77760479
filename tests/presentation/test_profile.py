"""Profiles and charts: within Discord's limits in every language, with the right values."""

from dataclasses import replace
from typing import Any

import pytest

from bot.analysis.profile import Duel, ExchangeStats, Form, HeadToHead, Luck, Meetings, Profile, Versus
from bot.analysis.rating import Rating
from bot.analysis.titles import HeldTitle, Title, TitleChange
from bot.pictures.descriptions import Grid
from bot.presentation.records.charts import chart_message, meetings_chart, penalties_chart, rating_chart, totals_chart
from bot.presentation.records.profile import (
    all_figures_message,
    no_matches_text,
    profile_message,
    titles_message,
    versus_message,
)
from bot.presentation.records.titles import title_changes_message
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.presentation.ui.files import Picture
from tests.presentation.sample_tables import READERS, SNOWFLAKE, WIDE, WORDS, longest_sheet, sheets
from tests.presentation.sent_messages import check, payload, pressable, text_of

MANY = 9_999_999
AGAINST = HeadToHead(SNOWFLAKE, WIDE[1], hidden=False, **dict.fromkeys(HeadToHead.__slots__[3:], MANY))
NUMBERS: dict[str, Any] = dict.fromkeys(Profile.__slots__, MANY)
OTHERS = {
    "user_id": SNOWFLAKE,
    "name": WIDE[0],
    "rating": Rating(40.0, 1.5, MANY),
    "likely_rate": (0.25, 1.0),
    "places": {3: (MANY, MANY, MANY), 4: (MANY, MANY, MANY, MANY)},
    "recent": Form(20, 20, 11.75),
    "points": 80 * MANY,
    "likely_average": (11.75, 11.75),
    "best": 240,
    "worst": 80,
    "thrashings_given": (MANY, MANY),
    "thrashings_taken": (MANY, MANY),
    "biggest": 7,
    "as_winner": ExchangeStats(MANY, 11.75, 11.75),
    "as_loser": ExchangeStats(MANY, 11.75, 11.75),
    "opponents": frozenset({1}),
    "nemesis": AGAINST,
    "victim": AGAINST,
    "median_seconds": 86_400.5,
    "dealt_percentile": 49.96,
    "result_percentile": 100.0,
    "luck": Luck(MANY, -11.75, 11.75),
}
LONGEST = Profile(**NUMBERS | OTHERS)
"""A profile with values as long as possible."""
SHORTEST = replace(
    LONGEST,
    rating=Rating(),
    matches=0,
    absent=0,
    wins=0,
    likely_rate=None,
    likely_average=None,
    hands=0,
    gangs=0,
    luck=Luck(),
    as_winner=ExchangeStats(),
    as_loser=ExchangeStats(),
    nemesis=None,
    victim=None,
    median_seconds=None,
)
"""A player with almost no data."""
HELD = {str(title): HeldTitle(SNOWFLAKE, WIDE[0], MANY) for title in Title}
VERSUS = Versus((WIDE[0], WIDE[1]), Duel(MANY, MANY, MANY), AGAINST)
CHANGES = [TitleChange(title, MANY, WIDE[0], before) for title in Title for before in (None, WIDE[1])]
USERS = range(1, 9)
MEETINGS = Meetings(
    tuple((user, WIDE[user % 4]) for user in USERS),
    {(one, two): Duel(MANY, MANY - 2, 1) for one in USERS for two in USERS if one != two},
)
PENALTIES = dict.fromkeys((0, 1, 2, 3, 4, 5, 6, 7, 16, 18, 20, 33, 36, 39, 56, 60, 80), MANY)


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_every_panel_and_chart_fits(words: Words) -> None:
    for profile in (LONGEST, SHORTEST):
        for reader in (profile.user_id, 1):
            check(profile_message(profile, HELD, reader, words))
            check(all_figures_message(profile, HELD, reader, words))
    check(titles_message(SNOWFLAKE, HELD, words))
    check(titles_message(SNOWFLAKE, {}, words))
    check(versus_message(VERSUS, words))
    check(title_changes_message(CHANGES[1::2], words))
    table, report = longest_sheet()
    for chart in (
        rating_chart(WIDE[0], [LONGEST.rating] * 2000, words),
        rating_chart(WIDE[0], [], words),
        penalties_chart(WIDE[0], PENALTIES, words),
        penalties_chart(WIDE[0], {}, words),
        meetings_chart(MEETINGS, words),
        meetings_chart(Meetings((), {}), words),
        totals_chart(table, [report.ended] * 1000, words),
        totals_chart(table, [], words),
    ):
        check(chart_message(chart, []))


def test_a_profile_tells_its_figures() -> None:
    figures = {"matches": 32, "absent": 2, "wins": 8, "hands": 80, "hands_won": 20, "points": 300}
    spread = {"likely_rate": (0.13, 0.42), "likely_average": (3.04, 4.46), "recent": Form(20, 5, 4.2)}
    places = {3: (3, 2, 1), 4: (5, 2, 1, 16)}
    profile = replace(LONGEST, name="Ada", places=places, **figures, **spread)  # type: ignore[arg-type]  # its fields
    held = {"padlock": HeldTitle(1, "Bo", 5)}
    assert text_of(profile_message(profile, held, SNOWFLAKE, WORDS)).splitlines()[2:] == [
        f"Rating: **{profile.rating.points}**, after {MANY:,} rated matches",
        "**25%** won: 8 wins in 32 matches (2 left early)",
        "3.8 penalty points per hand, in 80 hands",
    ]
    text = text_of(all_figures_message(profile, held, SNOWFLAKE, WORDS))
    assert "### Ada (you)" in text
    assert "**25%** won: 8 wins in 32 matches (2 left early) · likely 13% to 42%" in text
    assert "3 players: 🥇 3 · 🥈 2 · 🥉 1\n4 players: 🥇 5 · 🥈 2 · 🥉 1 · 4️⃣ 16" in text
    assert "Last 20 matches: 5 wins, 4.2 penalty points per hand" in text
    assert "3.8 penalty points per hand, in 80 hands** · likely 3.0 to 4.5" in text
    assert "19 times out of 20" in text
    assert "20 hands won (25%)" in text
    assert "🏅" not in text
    assert "Luck: better cards than in 50% of all deals · better results than 100% of the others" in text
    assert "gangs played" in text
    assert "average rank given" in text


def test_few_matches_have_no_likely_range_and_few_exchanges_no_average() -> None:
    few = ExchangeStats(1, 1.0, 1.0)
    profile = replace(LONGEST, matches=19, wins=8, as_winner=few, as_loser=few)
    text = text_of(all_figures_message(profile, {}, SNOWFLAKE, WORDS))
    assert all(each not in text.lower() for each in ("likely", "average rank given"))
    assert "likely" in text_of(all_figures_message(replace(profile, matches=20), {}, SNOWFLAKE, WORDS))


def test_titles_are_listed_with_their_holders() -> None:
    held = {"gangs": HeldTitle(SNOWFLAKE, "Ada", 7), "kindest": HeldTitle(1, "Bo", 7.25)}
    assert "🏅 The Gang Crown" in text_of(profile_message(LONGEST, held, 1, WORDS))
    lines = text_of(titles_message(1, held, WORDS)).splitlines()
    assert "🏅 The Gang Crown: **Ada** (7 gangs played)" in lines
    assert "🏅 The Golden Gift: **Bo** (cards given back to losers: rank 7.2 on average)" in lines
    assert sum("nobody yet" in line for line in lines) == 6


def test_titles_change_hands_in_a_sentence_each() -> None:
    text = text_of(
        title_changes_message([TitleChange("gangs", 7, "Ada", None), TitleChange("streak", 4, "Bo", "Cy")], WORDS)
    )
    assert "**The Gang Crown** goes to **Ada**: 7 gangs played." in text
    assert "**The Laurel Wreath** goes from Cy to **Bo**: 4 matches won in a row." in text


def test_a_comparison_shows_both_players() -> None:
    hands = replace(
        AGAINST, hands=10, points=50, their_points=25, won=2, lost=4, gave_30=1, gave_45=0, took_30=3, took_45=2
    )
    text = text_of(versus_message(Versus(("Ada", "Bo"), Duel(5, 3, 1), hands), WORDS))
    ada, bo = text.split("**Bo**")
    assert "ahead in 3 matches" in ada
    assert (
        "5.0 penalty points per hand, in 10 hands\n- 2 hands won (20%)\n- thrashings given: 1 of 30 points and more, 0"
        in ada
    )
    assert (
        "ahead in 1 match\n- 2.5 penalty points per hand, in 10 hands\n- 4 hands won (40%)\n- thrashings given: 3 of 30"
        in bo
    )
    without = text_of(versus_message(Versus(("Ada", "Bo"), Duel(0, 0, 0), None), WORDS))
    assert "penalty points per hand" not in without


def test_a_panel_offers_a_comparison_to_its_player_and_to_opponents() -> None:
    for reader, offered in ((SNOWFLAKE, True), (1, True), (2, False)):
        verbs = {Press.parse(each).verb for each in pressable(profile_message(LONGEST, {}, reader, WORDS))}
        assert ("versus" in verbs) == offered
        assert "profile" in verbs
        figures = all_figures_message(LONGEST, {}, reader, WORDS)
        assert {Press.parse(each).verb for each in pressable(figures)} == {"profile", "curve", "penalties", "map"}


@pytest.mark.parametrize("arguments", [(), ("",), ("x",), ("-1",), ("²",), ("9" * 19,), ("1" * 21,)])
def test_a_forged_press_shows_no_profile(arguments: tuple[str, ...]) -> None:
    assert Press(Verb.PROFILE, 0, 0, (str(SNOWFLAKE), "figures")).number == SNOWFLAKE
    with pytest.raises(InvalidCustomId):
        _ = Press(Verb.PROFILE, 0, 0, arguments).number


def test_a_chart_and_its_table_say_the_same() -> None:
    ratings = [Rating(25 + number, 2, number) for number in range(1, 40)]
    chart = rating_chart("Ada", ratings, WORDS)
    assert chart.title == "Ada: Rating over time"
    assert chart.lines[0] == "39\\. 1780, likely 1700 to 1860"
    assert len(chart.lines) == 25
    assert chart.alt == "Ada: Rating over time. 1780, likely 1700 to 1860."
    assert penalties_chart("Ada", {0: 12, 33: 1}, WORDS).lines == ("0 points: 12 hands", "33 points: 1 hand")
    duels = {(1, 2): Duel(4, 1, 2), (2, 1): Duel(4, 2, 1)}
    grid = meetings_chart(Meetings(((1, "Ada"), (2, "B*"), (3, "Cy")), duels), WORDS)
    assert grid.lines == ("Ada 1 : 2 B\\* (38%)",)
    assert grid.alt == "Who beats whom. Ada 1 : 2 B* (38%)."
    assert isinstance(grid.plot, Grid)
    assert grid.plot.cells == ((None, (0.375, "38"), None), ((0.625, "62"), None, None), (None, None, None))


def test_the_totals_are_listed_by_hand() -> None:
    table, *_ = sheets(3)[0]
    hands = [report.ended for _, report in sheets(3)]
    chart = totals_chart(table, hands, WORDS)
    assert len(chart.lines) == len(hands)
    last = labels.totals_list(labels.names(table, WORDS), hands[-1].totals, WORDS)
    assert chart.lines[0] == f"Hand {len(hands)}: {last}"
    picture = Picture("chart.png", b"", chart.title)
    check(chart_message(chart, []))
    gallery, text = payload(chart_message(chart, [picture]))
    assert gallery["items"][0]["description"] == chart.title
    assert chart.lines[0] in text["content"]


def test_a_member_without_matches_is_named_safely() -> None:
    assert no_matches_text("*A*", WORDS) == "**\\*A\\*** has not finished a match here yet."


def test_each_title_says_how_to_win_it() -> None:
    text = text_of(titles_message(1, {}, WORDS))
    assert "The Gang Crown" in text
    assert "Play the most gangs, at least 5" in text
    assert "Give back the highest cards on average, at least 5 of them" in text
    assert text.count("nobody yet") == text.count("-# ")
