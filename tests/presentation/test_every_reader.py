"""What everybody reads fits into Discord's limits: in every language, with cards in text and as pictures."""

from dataclasses import replace
from random import Random

import pytest

from bot.engine import parse_cards
from bot.presentation.celebration import celebration
from bot.presentation.comparison import Pair, comparison_message
from bot.presentation.daily import daily_board_message
from bot.presentation.fairness import checked_message
from bot.presentation.hand import hand_message
from bot.presentation.history import Listed, history_message
from bot.presentation.more import more_message
from bot.presentation.notices import notice_of
from bot.presentation.panel import Panel
from bot.presentation.past import EVERYBODY, past_message, shown_of
from bot.presentation.report import hands_message, report_message
from bot.presentation.server_panel import server_message
from bot.presentation.setup import PAGES, setup_message
from bot.presentation.table import table_message
from bot.presentation.words import Words
from bot.services import fairness
from bot.services.daily import DailyBoard
from bot.services.history import PAGE
from bot.services.table import Table
from bot.storage.dailies import Result
from bot.storage.guilds import Server
from bot.storage.history import Finished, Finisher
from bot.storage.rows import Status
from tests.presentation.limits import check
from tests.presentation.scenes import (
    READERS,
    SEED,
    WIDE,
    at_every_stage,
    gang_of_seven,
    long_cycle,
    long_past,
    longest_sheet,
    random_tables,
    sheets,
)

pytestmark = pytest.mark.parametrize("words", READERS.values(), ids=READERS)


def shown(table: Table) -> bool:
    return table.row.status is not Status.PLAYING or table.state is not None


def test_the_table_and_its_panels_fit_in_a_match(words: Words) -> None:
    rng = Random(words.language)
    for table in filter(shown, random_tables(rng.randrange(100), rng.choice((3, 4)))):
        if table.row.status is Status.PLAYING and rng.random() < 0.7:
            continue
        check(table_message(table, words))
        if table.row.status is Status.LOBBY:
            for page in PAGES:
                check(setup_message(table, page, words, "A note. " * 30))
        elif table.row.status is Status.PLAYING:
            for user in (101, 102, 103):
                view = table.view_of(user)
                panel = Panel(tuple(sorted(rng.sample(view.hand, rng.randint(0, min(5, len(view.hand)))))))
                check(hand_message(table, user, panel, words, "A note. " * 40))
                check(more_message(table, user, words, "A note. " * 40))


def test_the_table_and_its_notice_fit_at_every_stage_of_the_clock(words: Words) -> None:
    table = long_cycle()
    for stage in at_every_stage(table):
        check(table_message(stage, words))
        for user in (101, 102, 103):
            check(hand_message(stage, user, Panel(), words, "A note. " * 40))
            check(more_message(stage, user, words, "A note. " * 40))
        notice = notice_of(stage, words)
        if notice is not None:
            check(notice.view)


def test_the_end_of_a_hand_fits(words: Words) -> None:
    for table, report in (*sheets(4), longest_sheet()):
        check(report_message(table, report, words))
        check(hands_message(table, report, words))


def test_a_match_that_is_gone_through_fits_at_every_moment(words: Words) -> None:
    past = long_past()
    for moment in Random(words.language).sample(range(len(past.stops())), 20):
        for eyes in (EVERYBODY, "1"):
            check(past_message(past, replace(shown_of(past, moment), eyes=eyes), words, draws=True))
    check(checked_message(past, fairness.check(past.lines), words))


def test_the_hand_of_a_day_and_its_board_fit(words: Words) -> None:
    day = "2026-12-24"
    for table in [table for table in random_tables(5, 4) if table.public() is not None][::5]:
        alone = replace(table, row=replace(table.row, daily=day))
        check(hand_message(alone, 101, Panel(), words, "A note. " * 10))
    results = [Result(number, WIDE[number % 4], 80, 240) for number in range(100)]
    check(daily_board_message(DailyBoard(day, SEED, is_over=True, results=results, own_table=1), 99, words))


def test_lists_of_matches_fit(words: Words) -> None:
    players = tuple(Finisher(name, place, 99_999, is_robot=place > 2) for place, name in enumerate(WIDE, 1))
    found = [Finished(2**31 - number, 2**33, "days-of-wonder", 1000, players) for number in range(1, PAGE + 1)]
    check(history_message(Listed(page=7), found, words, more=True))


def test_what_beats_what_fits(words: Words) -> None:
    seven, house = parse_cards("1G 1G 1Y 1Y 1R 1R 1M"), parse_cards("10G 10Y 10R PG PY")
    for plays in ((seven, house), (house, seven), (house, house), ((), seven)):
        for active in (0, 1):
            check(comparison_message(Pair(plays, active), words, "A note. " * 20))


def test_a_gang_and_the_panel_of_a_server_fit(words: Words) -> None:
    table, laid = gang_of_seven()
    check(celebration(table, laid, words))
    check(table_message(table, words))
    check(server_message(Server(language="fi"), words))
