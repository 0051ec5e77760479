"""The hand of the day: one deal for a server, each alone, once; told to nobody before its time."""

import asyncio
from hashlib import sha256
from itertools import count

import pytest
from sqlalchemy import func, select

from bot.analysis import fairness
from bot.analysis.replay import ReplayedMatch
from bot.engine.events import Dealt, MatchEnded, MatchStarted
from bot.services.daily import Daily
from bot.services.deletions import Deletions
from bot.services.retention import Retention
from bot.storage import matches
from bot.storage.database import Database
from bot.storage.leaderboard import Scope, standings
from bot.storage.schema import daily_marks, hand_players, match_players, members, scores, users
from bot.storage.schema import matches as finished
from bot.storage.upserts import upsert
from bot.table import play
from bot.table.days import day_before, day_of
from bot.table.lobby import Person
from bot.table.model import Status
from bot.table.refusals import DailyAlreadyDealt, DailyNotOver, TableIsClosed
from bot.table.snapshot import Table
from tests.services.house import ADA, BO, CHANNEL, CY, DI, GUILD, House, SeededEntropy, asks

DAY = 24 * 3600 * 1000


SECRETS = count(5)


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


def daily_of(house: House) -> Daily:
    """Each time with other secrets: what was drawn first for a day is what counts."""
    return Daily(house.database, house.tables, SeededEntropy(next(SECRETS)))


async def begun(house: House, person: Person = ADA, guild: int = GUILD) -> Table:
    daily = daily_of(house)
    return await daily.deal(guild, CHANNEL, person, daily.today)


async def log_of(house: House, table: Table) -> list[object]:
    async with house.database.read() as connection:
        return [line.event for line in await matches.load_lines(connection, table.id)]


async def played(house: House, person: Person) -> Table:
    return await house.play_out(await begun(house, person))


async def test_everybody_of_a_server_is_dealt_the_same(house: House) -> None:
    ada, bo, elsewhere = await begun(house), await begun(house, BO), await begun(house, BO, GUILD + 1)
    deals = [
        next(event for event in await log_of(house, table) if isinstance(event, Dealt)).hands
        for table in (ada, bo, elsewhere)
    ]
    assert deals[0] == deals[1] != deals[2]
    assert [seat.ai_level for seat in ada.seats] == [None, "simple", "simple", "simple"]
    assert len({ada.id, bo.id, elsewhere.id}) == 3


async def test_who_plays_alike_meets_the_same_answers_and_it_is_one_hand(house: House) -> None:
    logs = [await log_of(house, await played(house, person)) for person in (ADA, BO)]
    moves = [[event for event in log if not isinstance(event, MatchStarted)] for log in logs]
    assert moves[0] == moves[1]
    assert isinstance(logs[0][-1], MatchEnded)
    assert sum(isinstance(event, Dealt) for event in logs[0]) == 1


async def test_it_is_dealt_once_and_goes_on_where_it_was(house: House) -> None:
    table = await begun(house)
    while table.turn != 0:
        table = await house.act(table)
    table = await house.act(table)
    assert await begun(house) == await house.tables.get(table.id)
    over = await house.play_out(table)
    assert over.row.status is Status.OVER
    assert (await begun(house)).id == over.id
    with pytest.raises(TableIsClosed):
        await house.tables.act(over.id, play.pass_turn, ADA.user_id, over.moment)


async def test_two_presses_at_once_deal_one_hand(house: House) -> None:
    tables = await asyncio.gather(*(begun(house) for _ in range(5)))
    assert len({table.id for table in tables}) == 1
    assert sum(isinstance(event, Dealt) for event in await log_of(house, tables[0])) == 1


async def test_a_hand_that_a_crash_left_undealt_is_dealt_when_it_is_asked_for(house: House) -> None:
    daily = daily_of(house)
    other = House(house.database, seed=2)

    async def crash(*_: object) -> Table:
        raise ZeroDivisionError

    act, house.tables.act = house.tables.act, crash  # type: ignore[assignment, method-assign]
    with pytest.raises(ZeroDivisionError):
        await daily.deal(GUILD, CHANNEL, ADA, daily.today)
    house.tables.act = act  # type: ignore[method-assign]
    assert (await begun(other)).row.status is Status.PLAYING


async def test_it_counts_on_the_board_of_the_day_and_nowhere_else(house: House) -> None:
    await played(house, ADA)
    async with house.database.read() as connection:
        for table in (finished, match_players, hand_players, scores, members):
            assert await connection.scalar(select(func.count()).select_from(table)) == 0
        assert await standings(connection, Scope(GUILD)) == []
    daily = daily_of(house)
    (result,) = (await daily.board(GUILD, daily.today, ADA.user_id)).results
    assert result.name == "Ada"
    assert (result.points or 0) + (result.others or 0) > 0


async def test_no_list_and_no_channel_hears_of_it(house: House) -> None:
    table = await begun(house)
    assert await house.tables.open.numbers(GUILD) == []
    assert await house.tables.open.waiting_for(GUILD, ADA.user_id) == []
    assert await house.tables.displays.outdated() == []
    await house.play_out(table)
    assert await house.tables.displays.outdated() == []


async def test_the_board_is_shown_to_who_has_finished_and_to_all_when_the_day_is_over(house: House) -> None:
    daily = daily_of(house)
    today = daily.today
    await played(house, ADA)
    await begun(house, BO)
    assert await daily.count(GUILD) == 1
    for person in (BO, CY):
        with pytest.raises(DailyNotOver):
            await daily.board(GUILD, today, person.user_id)
    assert not (await daily.board(GUILD, today, ADA.user_id)).is_over
    house.clock.now += DAY
    board = await daily.board(GUILD, today, CY.user_id)
    assert board.is_over
    assert board.own_table is None
    assert [(result.name, result.points is None) for result in board.results] == [("Ada", False), ("Bo", True)]


async def test_the_seed_is_secret_until_the_day_is_over(house: House) -> None:
    over = await played(house, ADA)
    with pytest.raises(DailyNotOver):
        await house.archive.match(over.id, asks(ADA.user_id))
    house.clock.now += DAY
    match = await house.archive.match(over.id, asks(ADA.user_id))
    assert isinstance(match, ReplayedMatch)
    assert fairness.check(match.lines).is_fair
    assert match.seed == over.row.seed.hex()


async def test_the_commitment_is_shown_before_the_cards_and_holds_when_the_seed_is_revealed(house: House) -> None:
    offers = [await daily_of(house).offer(GUILD) for _ in range(3)]
    assert offers[0] == offers[1] == offers[2]
    (offer, *_), daily = offers, daily_of(house)
    assert (offer.day, offer.finished) == (daily.today, 0)
    assert await daily.table(GUILD, ADA.user_id) is None
    over = await played(house, ADA)
    assert await daily.table(GUILD, ADA.user_id) == over
    assert over.state is not None
    assert over.state.match.commitment == offer.commitment
    house.clock.now += DAY
    board = await daily.board(GUILD, offer.day, BO.user_id)
    assert board.seed is not None
    assert sha256(board.seed).hexdigest() == offer.commitment


async def test_the_boards_of_today_and_yesterday_show_the_commitment_to_the_next_hand(house: House) -> None:
    daily = daily_of(house)
    today = daily.today
    await played(house, ADA)
    tomorrow = (await daily.board(GUILD, today, ADA.user_id)).next_commitment
    now = (await daily.board(GUILD, day_before(today), CY.user_id)).next_commitment
    assert now == (await daily.offer(GUILD)).commitment != tomorrow
    house.clock.now += DAY
    assert (await daily_of(house).board(GUILD, today, CY.user_id)).next_commitment == tomorrow
    assert (await daily_of(house).offer(GUILD)).commitment == tomorrow
    house.clock.now += DAY
    assert (await daily.board(GUILD, today, CY.user_id)).next_commitment is None


async def test_everybody_is_dealt_by_the_commitment_of_the_server(house: House) -> None:
    offers = [await daily_of(house).offer(guild) for guild in (GUILD, GUILD + 1)]
    assert offers[0].commitment != offers[1].commitment
    for person in (ADA, BO):
        table = await begun(house, person)
        assert table.state is not None
        assert table.state.match.commitment == offers[0].commitment
        assert table.state.match.salt == offers[0].day


async def test_who_finishes_after_the_day_is_on_no_board(house: House) -> None:
    daily = daily_of(house)
    table, today = await begun(house), daily.today
    house.clock.now += DAY
    await house.play_out(table)
    assert [result.points for result in (await daily.board(GUILD, today, ADA.user_id)).results] == [None]
    assert (await begun(house)).id != table.id
    assert day_before(daily.today) == today == day_of(house.clock.now - DAY)


async def test_a_deletion_does_not_deal_the_same_hand_again(house: House) -> None:
    table = await begun(house)
    await Deletions(house.database, house.tables, house.clock.milliseconds).delete(ADA.user_id)
    with pytest.raises(DailyAlreadyDealt):
        await begun(house)
    assert (await begun(house, BO)).id != table.id
    house.clock.now += DAY
    assert (await begun(house)).row.daily == daily_of(house).today


async def test_marks_of_who_was_dealt_a_hand_are_forgotten_when_its_day_is_over(house: House) -> None:
    await begun(house)
    retention = Retention(house.database, house.tables)
    for days, left in ((0, 1), (1, 0)):
        house.clock.now += days * DAY
        await retention.forget(house.clock.now // 1000)
        async with house.database.read() as connection:
            marks = list(await connection.scalars(select(daily_marks.c.mark)))
        assert len(marks) == left
        assert str(ADA.user_id).encode() not in b"".join(marks)


async def test_the_fewest_points_win_then_the_most_of_the_others_and_who_hides_is_on_no_board(house: House) -> None:
    daily = daily_of(house)
    await played(house, ADA)
    badly = await begun(house, BO)
    while badly.row.status is Status.PLAYING:
        if badly.turn == 0 and badly.view_of(BO.user_id).may_pass:
            badly = await house.tables.act(badly.id, play.pass_turn, BO.user_id, badly.moment)
        else:
            badly = await house.act(badly)
    await played(house, DI)
    async with house.database.write() as connection:
        row = {column.name: None for column in users.c} | {
            "user_id": DI.user_id,
            "notifications": "mention",
            "zone": "UTC",
            "language": "",
            "text_cards": False,
            "greeted": True,
            "lesson": 0,
            "hidden": True,
        }
        await connection.execute(upsert(connection, users).values(row).on_conflict_do_nothing())
    results = (await daily.board(GUILD, daily.today, ADA.user_id)).results
    merits = [(result.points or 0, -(result.others or 0)) for result in results]
    assert merits == sorted(merits)
    assert {result.name for result in results} == {"Ada", "Bo"}
    assert merits[0] != merits[1]
