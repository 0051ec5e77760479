"""The hand of the day: one deal for a guild, played alone, once, and secret until its day is over."""

import asyncio
from hashlib import sha256
from itertools import count

import pytest
from sqlalchemy import func, select

from bot.analysis import fairness
from bot.analysis.replay import ReplayedMatch
from bot.engine.events import Dealt, MatchEnded, MatchStarted
from bot.players.styles import Style
from bot.services.daily import Daily
from bot.services.deletions import Deletions
from bot.services.retention import Retention
from bot.storage import user_settings
from bot.storage.leaderboard import Scope, standings
from bot.storage.schema import daily_marks, hand_players, match_players, members, scores
from bot.storage.schema import matches as finished
from bot.table import play
from bot.table.days import day_after, day_before, day_of
from bot.table.lobby import Person
from bot.table.model import Status
from bot.table.refusals import DailyAlreadyDealt, DailyNotOver, NoSuchTable, TableIsClosed
from bot.table.snapshot import Table
from tests.table_harness import ADA, BO, CHANNEL, CY, DI, GUILD, OPENER, TableHarness, requester, seeds

DAY = 24 * 3600 * 1000


SECRETS = count(5)


@pytest.fixture(autouse=True)
def same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in a test, whichever tests ran before."""
    monkeypatch.setattr(f"{__name__}.SECRETS", count(5))


def daily_of(harness: TableHarness) -> Daily:
    """Draws a different seed each time; the first one drawn for a day counts."""
    return Daily(harness.database, harness.tables, seeds(next(SECRETS)))


async def started(harness: TableHarness, person: Person = ADA, guild: int = GUILD) -> Table:
    daily = daily_of(harness)
    return await daily.deal(guild, CHANNEL, person, daily.today)


async def log_of(harness: TableHarness, table: Table) -> list[object]:
    return [line.event for line in await harness.record(table.id)]


async def played(harness: TableHarness, person: Person) -> Table:
    return await harness.play_to_end(await started(harness, person))


async def test_all_players_of_a_guild_are_dealt_the_same_hand(harness: TableHarness) -> None:
    ada, bo, elsewhere = await started(harness), await started(harness, BO), await started(harness, BO, GUILD + 1)
    deals = [
        next(event for event in await log_of(harness, table) if isinstance(event, Dealt)).hands
        for table in (ada, bo, elsewhere)
    ]
    assert deals[0] == deals[1] != deals[2]
    assert [seat.ai_level for seat in ada.seats] == [None, "simple", "simple", "simple"]
    assert {seat.ai_style for seat in ada.seats} == {Style.STEADY}
    assert len({ada.id, bo.id, elsewhere.id}) == 3


async def test_the_same_moves_get_the_same_answers(harness: TableHarness) -> None:
    logs = [await log_of(harness, await played(harness, person)) for person in (ADA, BO)]
    moves = [[event for event in log if not isinstance(event, MatchStarted)] for log in logs]
    assert moves[0] == moves[1]
    assert isinstance(logs[0][-1], MatchEnded)
    assert sum(isinstance(event, Dealt) for event in logs[0]) == 1


async def test_a_hand_is_dealt_once_and_continues(harness: TableHarness) -> None:
    table = await started(harness)
    while table.turn != 0:
        table = await harness.act(table)
    table = await harness.act(table)
    assert await started(harness) == await harness.tables.get(table.id)
    over = await harness.play_to_end(table)
    assert over.row.status is Status.OVER
    assert (await started(harness)).id == over.id
    with pytest.raises(TableIsClosed):
        await harness.tables.act(over.id, play.pass_turn, ADA.user_id, over.moment)


async def test_two_presses_at_once_deal_one_hand(harness: TableHarness) -> None:
    tables = await asyncio.gather(*(started(harness) for _ in range(5)))
    assert len({table.id for table in tables}) == 1
    assert sum(isinstance(event, Dealt) for event in await log_of(harness, tables[0])) == 1


async def test_a_hand_left_undealt_by_a_crash_is_dealt_at_the_next_request(harness: TableHarness) -> None:
    daily = daily_of(harness)
    other = TableHarness(harness.database, seed=2)

    async def crash(*_: object) -> Table:
        raise ZeroDivisionError

    act, harness.tables.act = harness.tables.act, crash  # type: ignore[assignment, method-assign]
    with pytest.raises(ZeroDivisionError):
        await daily.deal(GUILD, CHANNEL, ADA, daily.today)
    harness.tables.act = act  # type: ignore[method-assign]
    assert (await started(other)).row.status is Status.PLAYING


async def test_a_hand_counts_only_on_the_leaderboard_of_its_day(harness: TableHarness) -> None:
    await played(harness, ADA)
    async with harness.database.read() as connection:
        for table in (finished, match_players, hand_players, scores, members):
            assert await connection.scalar(select(func.count()).select_from(table)) == 0
        assert await standings(connection, Scope(GUILD)) == []
    daily = daily_of(harness)
    (result,) = (await daily.leaderboard(GUILD, daily.today, ADA.user_id)).results
    assert result.name == "Ada"
    assert (result.points or 0) + (result.others or 0) > 0


async def test_a_hand_appears_in_no_list_and_no_channel(harness: TableHarness) -> None:
    table = await started(harness)
    assert await harness.tables.open.numbers(GUILD) == []
    assert await harness.tables.open.waiting_for(GUILD, ADA.user_id) == []
    assert await harness.tables.displays.outdated() == []
    await harness.play_to_end(table)
    assert await harness.tables.displays.outdated() == []


async def test_the_leaderboard_is_hidden_from_players_who_have_not_finished_until_the_day_is_over(
    harness: TableHarness,
) -> None:
    daily = daily_of(harness)
    today = daily.today
    await played(harness, ADA)
    await started(harness, BO)
    assert await daily.count(GUILD) == 1
    for person in (BO, CY):
        with pytest.raises(DailyNotOver):
            await daily.leaderboard(GUILD, today, person.user_id)
    assert not (await daily.leaderboard(GUILD, today, ADA.user_id)).is_over
    harness.clock.now += DAY
    leaderboard = await daily.leaderboard(GUILD, today, CY.user_id)
    assert leaderboard.is_over
    assert leaderboard.own_table is None
    assert [(result.name, result.points is None) for result in leaderboard.results] == [("Ada", False), ("Bo", True)]


async def test_the_seed_is_secret_until_the_day_is_over(harness: TableHarness) -> None:
    over = await played(harness, ADA)
    with pytest.raises(DailyNotOver):
        await harness.archive.match(over.id, requester(ADA.user_id))
    harness.clock.now += DAY
    match = await harness.archive.match(over.id, requester(ADA.user_id))
    assert isinstance(match, ReplayedMatch)
    assert fairness.check(match.lines).is_fair
    assert match.revealed_seed == (await harness.seed(over)).hex()


async def test_the_commitment_is_shown_before_the_cards_and_holds_when_the_seed_is_revealed(
    harness: TableHarness,
) -> None:
    offers = [await daily_of(harness).offer(GUILD) for _ in range(3)]
    assert offers[0] == offers[1] == offers[2]
    (offer, *_), daily = offers, daily_of(harness)
    assert (offer.day, offer.finished) == (daily.today, 0)
    assert await daily.table(GUILD, ADA.user_id) is None
    deal = await daily.fair_deal(GUILD, offer.day)
    assert (deal.commitment, deal.revealed_seed) == (offer.commitment, None)
    over = await played(harness, ADA)
    assert await daily.table(GUILD, ADA.user_id) == over
    assert over.state is not None
    assert over.state.match.commitment == offer.commitment
    assert (await daily.leaderboard(GUILD, offer.day, ADA.user_id)).deal == deal
    harness.clock.now += DAY
    leaderboard = await daily.leaderboard(GUILD, offer.day, BO.user_id)
    assert leaderboard.deal.revealed_seed is not None
    assert sha256(leaderboard.deal.revealed_seed).hexdigest() == offer.commitment


async def test_who_concedes_sees_the_seed_on_the_next_day_only(harness: TableHarness) -> None:
    table = await started(harness)
    table = await harness.tables.act(table.id, play.concede, ADA.user_id)
    assert table.row.status is Status.CLOSED
    assert await harness.archive.revealed_seed(table) == ""
    with pytest.raises(DailyNotOver):
        await harness.archive.match(table.id, requester(ADA.user_id))
    harness.clock.now += DAY
    assert await harness.archive.revealed_seed(table) == (await harness.seed(table)).hex()


async def test_a_hand_of_the_day_has_no_rematch(harness: TableHarness) -> None:
    over = await played(harness, ADA)
    with pytest.raises(NoSuchTable):
        await harness.tables.rematch(over.id, ADA, OPENER)


async def test_nobody_sees_the_commitment_of_the_day_after_tomorrow(harness: TableHarness) -> None:
    daily = daily_of(harness)
    with pytest.raises(DailyNotOver):
        await daily.fair_deal(GUILD, day_after(daily.today))


async def test_the_leaderboards_of_today_and_yesterday_show_the_commitment_to_the_next_hand(
    harness: TableHarness,
) -> None:
    daily = daily_of(harness)
    today = daily.today
    await played(harness, ADA)
    tomorrow = (await daily.leaderboard(GUILD, today, ADA.user_id)).deal.next_commitment
    now = (await daily.leaderboard(GUILD, day_before(today), CY.user_id)).deal.next_commitment
    assert now == (await daily.offer(GUILD)).commitment != tomorrow
    harness.clock.now += DAY
    assert (await daily_of(harness).leaderboard(GUILD, today, CY.user_id)).deal.next_commitment == tomorrow
    assert (await daily_of(harness).offer(GUILD)).commitment == tomorrow
    harness.clock.now += DAY
    assert (await daily.leaderboard(GUILD, today, CY.user_id)).deal.next_commitment is None


async def test_a_hand_finished_after_its_day_is_on_no_leaderboard(harness: TableHarness) -> None:
    daily = daily_of(harness)
    table, today = await started(harness), daily.today
    harness.clock.now += DAY
    await harness.play_to_end(table)
    assert [result.points for result in (await daily.leaderboard(GUILD, today, ADA.user_id)).results] == [None]
    assert (await started(harness)).id != table.id
    assert day_before(daily.today) == today == day_of(harness.clock.now - DAY)


async def test_a_deletion_does_not_deal_the_same_hand_again(harness: TableHarness) -> None:
    table = await started(harness)
    await Deletions(harness.database, harness.tables, harness.clock.milliseconds).delete(ADA.user_id)
    with pytest.raises(DailyAlreadyDealt):
        await started(harness)
    assert (await started(harness, BO)).id != table.id
    harness.clock.now += DAY
    assert (await started(harness)).row.daily == daily_of(harness).today


async def test_marks_are_deleted_when_their_day_is_over(harness: TableHarness) -> None:
    await started(harness)
    retention = Retention(harness.database, harness.tables)
    for days, left in ((0, 1), (1, 0)):
        harness.clock.now += days * DAY
        await retention.delete_expired(harness.clock.now // 1000)
        async with harness.database.read() as connection:
            marks = list(await connection.scalars(select(daily_marks.c.mark)))
        assert len(marks) == left
        assert str(ADA.user_id).encode() not in b"".join(marks)


async def test_the_leaderboard_sorts_by_own_points_then_others_points_without_hidden_users(
    harness: TableHarness,
) -> None:
    daily = daily_of(harness)
    await played(harness, ADA)
    badly = await started(harness, BO)
    while badly.row.status is Status.PLAYING:
        if badly.turn == 0 and badly.view_of(BO.user_id).may_pass:
            badly = await harness.tables.act(badly.id, play.pass_turn, BO.user_id, badly.moment)
        else:
            badly = await harness.act(badly)
    await played(harness, DI)
    async with harness.database.write() as connection:
        await user_settings.hide(connection, DI.user_id, hidden=True)
    results = (await daily.leaderboard(GUILD, daily.today, ADA.user_id)).results
    merits = [(result.points or 0, -(result.others or 0)) for result in results]
    assert merits == sorted(merits)
    assert {result.name for result in results} == {"Ada", "Bo"}
    assert merits[0] != merits[1]
