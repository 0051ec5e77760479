"""The clock of a turn through pauses, moves that are taken back, quiet hours, and times when the app was off."""

import pytest

from bot.services.user_settings import Users
from bot.storage import deadlines
from bot.table import absence
from bot.table.lobby import DEFAULT_TABLE_SETTINGS
from bot.table.model import ClockStage, Pace, TableSettings, TurnClock
from bot.table.refusals import IsPaused, OutdatedAction
from bot.table.snapshot import Table
from bot.table.timing import DAY, HOUR, TERMS
from tests.services.house import EVE, PEOPLE, START, House, person_to_act
from tests.services.test_consent import LONG, UNDO, pause, resume, undo

USERS = [person.user_id for person in PEOPLE[:3]]
MIDNIGHT = START // DAY * DAY


def clock_of(table: Table) -> TurnClock:
    assert table.row.clock is not None
    return table.row.clock


def end_of(table: Table) -> int:
    due = clock_of(table).due
    assert due is not None
    return due


def mover(table: Table) -> int:
    user = person_to_act(table)
    assert user is not None
    return user


async def day_match(house: House, settings: TableSettings = DEFAULT_TABLE_SETTINGS) -> Table:
    """A match of three with a day a turn, which begins at midnight."""
    house.clock.now = MIDNIGHT
    return await house.match(3, 0, LONG, Pace.DAY, settings)


async def sleeps(house: House, user: int, start: int, end: int) -> None:
    """Somebody has quiet hours from one hour of the day until another."""
    await Users(house.database).set_quiet(user, (start * 60, end * 60))


async def test_a_turn_that_is_taken_back_has_no_more_time_than_it_had(house: House) -> None:
    table = await day_match(house, UNDO)
    user, clock, bank = mover(table), clock_of(table), table.seats[0].bank
    left = end_of(table) - house.clock.now
    banks = [seat.bank for seat in table.seats]
    for _ in range(6):
        house.clock.now += 5 * HOUR
        left -= 5 * HOUR
        table = await house.act(table)
        house.clock.now += HOUR  # of which nobody has to give account
        table = await undo(house, table, user)
        assert end_of(table) == house.clock.now + left
        assert [seat.bank for seat in table.seats] == banks
    assert clock_of(table).began == clock.began + 6 * HOUR
    house.clock.now += 5 * HOUR
    seat = table.turn
    assert seat is not None
    assert (await house.act(table)).seats[seat].bank == bank - 11 * HOUR + TERMS[Pace.DAY].refill


async def test_a_turn_that_is_taken_back_is_as_late_as_it_was(house: House) -> None:
    table = await day_match(house, UNDO)
    user = mover(table)
    table = await house.fall_due(await house.fall_due(table))
    asked = clock_of(table)
    house.clock.now += HOUR
    table = await house.act(table)
    house.clock.now += DAY
    table = await undo(house, table, user)
    assert clock_of(table) == TurnClock(
        asked.began + DAY, end_of(table), ClockStage.ASKED, asked.remind, (asked.since or 0) + DAY
    )
    assert (await House(house.database).tables.get(table.id)).row == table.row
    await house.fall_due(table)
    assert house.clock.now == (asked.since or 0) + DAY + TERMS[Pace.DAY].answer


async def test_what_the_table_has_done_for_somebody_is_not_taken_back(house: House) -> None:
    table = await day_match(house, UNDO)
    user = mover(table)
    for _ in range(3):
        table = await house.fall_due(table)
    assert table.view_of(user).may_take_back
    with pytest.raises(OutdatedAction):
        await undo(house, table, user)


async def test_a_turn_goes_on_after_a_pause_and_ends_when_people_are_awake(house: House) -> None:
    table = await day_match(house)
    user, due = mover(table), end_of(table)
    table = await house.fall_due(table)
    table = await pause(house, table, *USERS)
    house.clock.now += 3 * HOUR
    await sleeps(house, user, 1, 9)
    table = await resume(house, table)
    assert due % DAY == 0
    assert (clock_of(table).stage, end_of(table)) == (ClockStage.RUNNING, due + 9 * HOUR + TERMS[Pace.DAY].reminder)


async def test_a_turn_that_was_reminded_of_stays_so_in_a_pause(house: House) -> None:
    table = await house.fall_due(await day_match(house))
    due = end_of(table)
    table = await pause(house, table, *USERS)
    house.clock.now += 30 * HOUR
    table = await resume(house, table)
    assert (clock_of(table).stage, end_of(table)) == (ClockStage.REMINDED, due + 30 * HOUR)


async def test_who_comes_back_in_a_pause_has_a_whole_turn_after_it(house: House) -> None:
    table = await day_match(house)
    user = mover(table)
    table = await house.fall_due(await house.fall_due(table))
    others = [other for other in USERS if other != user]
    table = await house.tables.act(table.id, absence.answer, others[0], table.moment, absence.let_ai_play)
    table = await pause(house, table, *others)
    house.clock.now += 10 * DAY
    table = await house.tables.act(table.id, absence.come_back, user)
    house.clock.now += 10 * DAY
    table = await resume(house, table)
    seat = table.turn
    assert seat is not None
    assert clock_of(table).began == house.clock.now
    assert end_of(table) == house.clock.now + TERMS[Pace.DAY].turn + table.seats[seat].bank


async def test_nobody_answers_for_somebody_late_in_a_pause(house: House) -> None:
    table = await day_match(house)
    others = [user for user in USERS if user != mover(table)]
    table = await house.fall_due(await house.fall_due(table))
    table = await house.tables.act(table.id, absence.answer, others[0], table.moment, absence.call)
    table = await pause(house, table, *USERS)
    for outcome in (absence.wait, absence.call, absence.let_ai_play):
        with pytest.raises(IsPaused):
            await house.tables.act(table.id, absence.answer, others[0], table.moment, outcome)
    with pytest.raises(IsPaused):
        await house.tables.act(table.id, absence.sit_in, EVE, table.moment)


async def test_a_reminder_that_comes_late_leaves_its_term_and_more_in_the_night(house: House) -> None:
    for quiet, hours in (((2, 3), 4), ((15, 23), 23 - 12 + 4)):
        table = await day_match(house)
        house.clock.now += 5 * DAY + 12 * HOUR  # the app was off
        await sleeps(house, mover(table), *quiet)
        async with house.database.read() as connection:
            due = await deadlines.of(connection, table.id)
        assert due is not None
        await house.tables.due(due)
        table = await house.tables.get(table.id)
        assert (clock_of(table).stage, end_of(table)) == (ClockStage.REMINDED, house.clock.now + hours * HOUR)
