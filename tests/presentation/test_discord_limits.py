"""All messages fit into Discord's limits: in every language, with cards in text and as pictures."""

from dataclasses import replace
from datetime import date
from random import Random

import pytest

from bot.analysis import fairness
from bot.analysis.daily import DailyResult
from bot.analysis.gangs import GangPlay
from bot.analysis.history import FinishedMatch, FinishedPlayer
from bot.analysis.leaderboard import RankedMember, Standing
from bot.analysis.rating import Rating
from bot.analysis.schedules import CompletedPeriod
from bot.engine import parse_cards
from bot.presentation.channel.notices import current_notice
from bot.presentation.channel.scheduled_posts import podium_message, scheduled_leaderboard_message
from bot.presentation.help.comparison import ComparisonState
from bot.presentation.help.comparison import comparison_message as beats_message
from bot.presentation.records.fairness import fairness_message
from bot.presentation.records.history import HistoryState, history_message
from bot.presentation.records.replay import opening_state, replay_message
from bot.presentation.settings.guild_settings import (
    SETTING_NAMES,
    GuildSettingsState,
    guild_settings_message,
    season_confirmation,
)
from bot.presentation.settings.privacy import deleted_message, deletion_message, privacy_message
from bot.presentation.table.celebration import celebration_message
from bot.presentation.table.daily import daily_fair_deal_message, daily_leaderboard_message, daily_offer_message
from bot.presentation.table.duplicates import comparison_message
from bot.presentation.table.hand import hand_message
from bot.presentation.table.hand_report import hands_message, report_message, sheet_message
from bot.presentation.table.lobby_options import PAGES, lobby_options_message
from bot.presentation.table.match_menu import match_menu_message
from bot.presentation.table.message import table_message
from bot.presentation.table.replay_state import ALL_SEATS
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import GuildPage, Part
from bot.services.daily import DailyDeal, DailyLeaderboard, Offer
from bot.services.guild_settings import AUDIT_PAGE_SIZE, audit_text
from bot.services.history import PAGE_SIZE
from bot.table.guild import AuditEntry, Celebrations, GuildSettings, PostInterval, Schedule, Season, TableDefaults
from bot.table.model import Status
from bot.table.snapshot import Table
from bot.table.user import StoredCounts
from tests.presentation.sample_tables import (
    READERS,
    SEED,
    SNOWFLAKE,
    WIDE,
    at_every_stage,
    gang_of_seven,
    long_cycle,
    long_match,
    longest_comparison,
    longest_sheet,
    random_tables,
    sheets,
)
from tests.presentation.sent_messages import check, components

pytestmark = pytest.mark.parametrize("words", READERS.values(), ids=READERS)


def shown(table: Table) -> bool:
    return table.row.status is not Status.PLAYING or table.state is not None


def test_the_table_and_its_panels_fit_in_a_match(words: Words) -> None:
    rng = Random(words.language)
    for table in filter(shown, random_tables(rng.randrange(100), rng.choice((3, 4)))):
        if table.row.status is Status.PLAYING and rng.random() < 0.7:
            continue
        check(table_message(table, words, None if table.public is None else {0, 1, 2}))
        if table.row.status is Status.LOBBY:
            for page in PAGES:
                check(lobby_options_message(table, page, table.row.host_id, words, "A note. " * 30))
        elif table.row.status is Status.PLAYING:
            for user in (101, 102, 103):
                view = table.view_of(user)
                panel = HandState(tuple(sorted(rng.sample(view.hand, rng.randint(0, min(5, len(view.hand)))))))
                check(hand_message(table, user, panel, words, "A note. " * 40))
                check(match_menu_message(table, user, 0, words, "A note. " * 40))


def test_the_table_and_its_notice_fit_at_every_stage_of_the_clock(words: Words) -> None:
    table = long_cycle()
    for stage in at_every_stage(table):
        check(table_message(stage, words))
        for user in (101, 102, 103):
            check(hand_message(stage, user, HandState(), words, "A note. " * 40))
            check(match_menu_message(stage, user, 0, words, "A note. " * 40))
        notice = current_notice(stage, words)
        if notice is not None:
            check(notice.view(notice.user_ids))


def test_an_invitation_fits(words: Words) -> None:
    lobby = next(table for table in random_tables(1, 3) if table.row.status is Status.LOBBY)
    for is_rematch in (False, True):
        asked = replace(lobby.row, awaited=tuple(range(10**18, 10**18 + 300)), starts_itself=is_rematch)
        notice = current_notice(Table(asked), words)
        assert notice is not None
        check(notice.view(notice.user_ids))
        assert notice.user_ids == asked.awaited[-20:]


def test_the_end_of_a_hand_fits(words: Words) -> None:
    for table, report in (*sheets(4), longest_sheet()):
        check(report_message(table, report, [report.ended] * 99, words))
        check(sheet_message(table, report, [report.ended] * 99, words, []))
        check(hands_message(table, report, words))


def test_a_match_that_is_gone_through_fits_at_every_moment(words: Words) -> None:
    match = long_match()
    for moment in Random(words.language).sample(range(len(match.stops)), 20):
        for viewpoint in (ALL_SEATS, "1"):
            check(
                replay_message(
                    match, replace(opening_state(match, moment), viewpoint=viewpoint), words, has_pictures=True
                )
            )
    check(fairness_message(match, fairness.check(match.lines), words))


def test_the_hand_of_a_day_and_its_leaderboard_fit(words: Words) -> None:
    day = "2026-12-24"
    for table in [table for table in random_tables(5, 4) if table.public is not None][::5]:
        alone = replace(table, row=replace(table.row, daily=day))
        check(hand_message(alone, 101, HandState(), words, "A note. " * 10))
    results = [DailyResult(number, WIDE[number % 4], 80, 240) for number in range(100)]
    deal = DailyDeal(day, "e" * 64, SEED, "f" * 64)
    leaderboard = DailyLeaderboard(deal, is_over=True, results=results, own_table=1, streak=999)
    check(daily_leaderboard_message(leaderboard, 99, words))
    check(daily_offer_message(Offer(day, "e" * 64, 999), words))
    check(daily_fair_deal_message(deal, words))


def test_duplicate_matches_fit(words: Words) -> None:
    check(comparison_message(longest_comparison(), words))
    for table in random_tables(7, 4):
        duplicated = replace(table, row=replace(table.row, duplicate_of=2**31 - 2, deals_secret=True))
        if shown(duplicated):
            check(table_message(duplicated, words))
    for table, report in (*sheets(4), longest_sheet()):
        check(report_message(table, report.without_cards(), [report.ended] * 99, words))


def test_lists_of_matches_fit(words: Words) -> None:
    players = tuple(FinishedPlayer(name, place, 99_999, is_ai=place > 2) for place, name in enumerate(WIDE, 1))
    found = [
        FinishedMatch(2**31 - number, 2**33, "days-of-wonder", 1000, players) for number in range(1, PAGE_SIZE + 1)
    ]
    check(history_message(HistoryState(page=7), found, words, more=True))


def test_the_chart_of_combinations_fits(words: Words) -> None:
    seven, house = parse_cards("1G 1G 1Y 1Y 1R 1R 1M"), parse_cards("10G 10Y 10R PG PY")
    for plays in ((seven, house), (house, seven), (house, house), ((), seven)):
        for active in (0, 1):
            check(beats_message(ComparisonState(plays, active), words, "A note. " * 20))


def test_a_gang_and_the_panel_of_a_server_fit(words: Words) -> None:
    table, played_gang = gang_of_seven()
    check(celebration_message(table, GangPlay(0, played_gang.cards, 1, by_ai=False), words))
    check(table_message(table, words))


def test_the_panels_of_a_server_and_of_privacy_fit(words: Words) -> None:
    places = tuple(range(SNOWFLAKE - 25, SNOWFLAKE))
    schedule = Schedule(PostInterval.MONTH, SNOWFLAKE, 2**31)
    season = Season(99, "＊*_~|`<[" * 5, 2**31, 2**31)
    for server in (
        GuildSettings(),
        GuildSettings("fi", "fi", Celebrations.ALL, places, places, TableDefaults(target=999), schedule),
    ):
        long = [audit_text(value) for value in (server.channels, schedule)]
        for value, what in zip(long, ("channels", "schedule"), strict=True):
            changes = [AuditEntry(2**31, SNOWFLAKE, what, value, value)] * AUDIT_PAGE_SIZE
            for page in GuildPage:
                check(
                    guild_settings_message(
                        GuildSettingsState(server, season, 3, changes, 1), words, page, "A note. " * 10
                    )
                )
        every = [AuditEntry(1, None, what, "", "") for what in SETTING_NAMES]
        check(guild_settings_message(GuildSettingsState(server, None, 1, every), words, GuildPage.LOG))
    for what in (Part.END, Part.RESET):
        check(season_confirmation(what, season, words))
    privacy = privacy_message(StoredCounts(99_999, 999_999, 9), words, hidden=True, policy="https://example.org/p")
    check(privacy)
    assert "https://example.org/p" in [part.get("url") for part in components(privacy)]
    check(deletion_message(words))
    check(deleted_message(words))
    places_of = [RankedMember(number, Standing(number, WIDE[0], 9, 9, 9, 9, 9), Rating()) for number in (1, 2, 3)]
    for found in ([], places_of):
        check(podium_message(season, found, words))
        check(
            scheduled_leaderboard_message(
                CompletedPeriod("2026-11", date(2026, 11, 1), date(2026, 11, 30)), found, words
            )
        )
