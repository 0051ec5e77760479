"""The work at the end of a hand grows with that hand, not with the match."""

from bot.analysis.hand_reports import hand_reports
from bot.analysis.profile import profile
from bot.engine import Options, evolve
from bot.engine.events import HandEnded
from bot.engine.record import from_fields
from bot.services.profile import Profiles
from bot.storage import matches
from bot.storage.matches import SHORT_LOG
from bot.table.snapshot import Table
from tests.table_harness import ADA, GUILD, TableHarness, requester
from tests.work_counters import Work, counted

HANDS = 12


async def hand_end(harness: TableHarness, table: Table, work: Work) -> Table:
    """Play until a hand has just ended. `work` measures the last move and its report."""
    while True:
        work.clear()
        ended = table.public
        assert ended is not None
        hands = 0 if ended.last_hand is None else ended.last_hand.hand
        table = await harness.act(table)
        public = table.public
        assert public is not None
        if public.last_hand is not None and public.last_hand.hand > hands:
            return table


async def test_the_end_of_a_late_hand_replays_only_that_hand(harness: TableHarness) -> None:
    table = await harness.match(3, 0, Options(target=1000))
    with counted(evolve, from_fields) as work:
        for hand in range(1, HANDS + 1):
            start, announced = table.starts[-1].length, table.gangs
            table = await hand_end(harness, table, work)
            reports = await harness.archive.reports(table, hand - 1)
            await harness.archive.gangs(table, announced)
            assert [report.ended.hand for report in reports] == [hand]
            lines = table.length - start
            assert work.total["from_fields"] <= 4 * lines
            assert work.total["evolve"] <= 6 * lines


async def test_a_report_of_one_hand_equals_that_from_the_whole_log(harness: TableHarness) -> None:
    table = await harness.match(3, 0, Options(target=1000))
    with counted() as work:
        for hand in range(1, 5):
            table = await hand_end(harness, table, work)
            (report,) = await harness.archive.reports(table, hand - 1)
            async with harness.database.read() as connection:
                lines = await matches.load_lines(connection, table.id)
            events = [line.event for line in lines]
            assert report == list(hand_reports(events))[-1]
            ended = [event for event in events if isinstance(event, HandEnded)]
            assert await harness.archive.hands(table.id) == ended


async def test_a_profile_is_computed_in_another_thread(harness: TableHarness) -> None:
    with counted(profile) as work:
        await harness.play_to_end(await harness.match(people=3, ai_players=0))
        assert await Profiles(harness.database).get(GUILD, ADA.user_id, ADA.user_id) is not None
    assert (work.here["profile"], work.elsewhere["profile"]) == (0, 1)


async def test_a_long_log_is_replayed_in_another_thread(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=Options(target=1000))
    with counted(evolve, from_fields) as work:
        while table.length <= SHORT_LOG:
            table = await harness.act(table)
        work.clear()
        again = TableHarness(harness.database)
        assert await again.tables.get(table.id) == table
        await again.archive.match(table.id, requester(ADA.user_id))
        assert await again.archive.reports(table, 0)
    assert not work.here
    assert work.elsewhere["evolve"] > SHORT_LOG
