"""The turn's clock in pauses, after undo, in quiet hours, and after the app was off."""

import pytest

from bot.services.user_settings import Users
from bot.storage import matches
from bot.table import absence
from bot.table.lobby import DEFAULT_TABLE_SETTINGS
from bot.table.model import ClockStage, Pace, TableSettings, TurnClock
from bot.table.refusals import IsPaused, OutdatedAction
from bot.table.snapshot import Table
from bot.table.timing import DAY, HOUR, PACE_TIMES
from tests.not_none import not_none
from tests.table.test_consent import LONG, UNDO, pause, resume, undo
from tests.table_harness import EVE, PEOPLE, START, TableHarness, player_to_act

USERS = [person.user_id for person in PEOPLE[:3]]
MIDNIGHT = START // DAY * DAY


def clock_of(table: Table) -> TurnClock:
    return not_none(table.row.clock)


def end_of(table: Table) -> int:
    return not_none(clock_of(table).due)


async def day_match(harness: TableHarness, settings: TableSettings = DEFAULT_TABLE_SETTINGS) -> Table:
    """A match of three with one day per turn, starting at midnight."""
    harness.clock.now = MIDNIGHT
    return await harness.match(3, 0, LONG, Pace.DAY, settings)


async def set_quiet_hours(harness: TableHarness, user: int, start: int, end: int) -> None:
    """Set a user's quiet hours, in hours of the day."""
    await Users(harness.database).set_quiet(user, (start * 60, end * 60))


async def test_a_restored_turn_has_only_the_time_it_had_left(harness: TableHarness) -> None:
    table = await day_match(harness, UNDO)
    user, clock, bank = player_to_act(table), clock_of(table), table.seats[0].bank
    left = end_of(table) - harness.clock.now
    banks = [seat.bank for seat in table.seats]
    for _ in range(6):
        harness.clock.now += 5 * HOUR
        left -= 5 * HOUR
        table = await harness.act(table)
        harness.clock.now += HOUR  # takes nothing from the time bank
        table = await undo(harness, table, user)
        assert end_of(table) == harness.clock.now + left
        assert [seat.bank for seat in table.seats] == banks
    assert clock_of(table).began == clock.began + 6 * HOUR
    harness.clock.now += 5 * HOUR
    seat = not_none(table.turn)
    assert (await harness.act(table)).seats[seat].bank == bank - 11 * HOUR + PACE_TIMES[Pace.DAY].refill


async def test_a_restored_turn_is_as_late_as_before(harness: TableHarness) -> None:
    table = await day_match(harness, UNDO)
    user = player_to_act(table)
    table = await harness.run_due_action(await harness.run_due_action(table))
    asked = clock_of(table)
    harness.clock.now += HOUR
    table = await harness.act(table)
    harness.clock.now += DAY
    table = await undo(harness, table, user)
    assert clock_of(table) == TurnClock(
        asked.began + DAY, end_of(table), ClockStage.ASKED, asked.remind, (asked.since or 0) + DAY
    )
    assert (await TableHarness(harness.database).tables.get(table.id)).row == table.row
    await harness.run_due_action(table)
    assert harness.clock.now == (asked.since or 0) + DAY + PACE_TIMES[Pace.DAY].answer


async def test_a_move_made_by_the_table_cannot_be_taken_back(harness: TableHarness) -> None:
    table = await day_match(harness, UNDO)
    user = player_to_act(table)
    for _ in range(3):
        table = await harness.run_due_action(table)
    assert table.view_of(user).may_take_back
    with pytest.raises(OutdatedAction):
        await undo(harness, table, user)


async def test_a_turn_continues_after_a_pause_and_ends_outside_quiet_hours(harness: TableHarness) -> None:
    table = await day_match(harness)
    user, due = player_to_act(table), end_of(table)
    table = await harness.run_due_action(table)
    table = await pause(harness, table, *USERS)
    harness.clock.now += 3 * HOUR
    await set_quiet_hours(harness, user, 1, 9)
    table = await resume(harness, table)
    assert due % DAY == 0
    assert (clock_of(table).stage, end_of(table)) == (
        ClockStage.RUNNING,
        due + 9 * HOUR + PACE_TIMES[Pace.DAY].reminder,
    )


async def test_a_reminded_turn_stays_reminded_in_a_pause(harness: TableHarness) -> None:
    table = await harness.run_due_action(await day_match(harness))
    due = end_of(table)
    table = await pause(harness, table, *USERS)
    harness.clock.now += 30 * HOUR
    table = await resume(harness, table)
    assert (clock_of(table).stage, end_of(table)) == (ClockStage.REMINDED, due + 30 * HOUR)


async def test_an_owner_who_returns_in_a_pause_gets_a_full_turn(harness: TableHarness) -> None:
    table = await day_match(harness)
    user = player_to_act(table)
    table = await harness.run_due_action(await harness.run_due_action(table))
    others = [other for other in USERS if other != user]
    table = await harness.tables.act(table.id, absence.answer, others[0], table.moment, absence.let_ai_play)
    table = await pause(harness, table, *others)
    harness.clock.now += 10 * DAY
    table = await harness.tables.act(table.id, absence.come_back, user)
    harness.clock.now += 10 * DAY
    table = await resume(harness, table)
    seat = not_none(table.turn)
    assert clock_of(table).began == harness.clock.now
    assert end_of(table) == harness.clock.now + PACE_TIMES[Pace.DAY].turn + table.seats[seat].bank


async def test_nobody_answers_about_a_late_player_in_a_pause(harness: TableHarness) -> None:
    table = await day_match(harness)
    others = [user for user in USERS if user != player_to_act(table)]
    table = await harness.run_due_action(await harness.run_due_action(table))
    table = await harness.tables.act(table.id, absence.answer, others[0], table.moment, absence.call_substitute)
    table = await pause(harness, table, *USERS)
    for outcome in (absence.wait, absence.call_substitute, absence.let_ai_play):
        with pytest.raises(IsPaused):
            await harness.tables.act(table.id, absence.answer, others[0], table.moment, outcome)
    with pytest.raises(IsPaused):
        await harness.tables.act(table.id, absence.sit_in, EVE, table.moment)


async def test_a_late_reminder_leaves_its_full_time_and_more_at_night(harness: TableHarness) -> None:
    for quiet, hours in (((2, 3), 4), ((15, 23), 23 - 12 + 4)):
        table = await day_match(harness)
        harness.clock.now += 5 * DAY + 12 * HOUR  # the app was off
        await set_quiet_hours(harness, player_to_act(table), *quiet)
        async with harness.database.read() as connection:
            due = await matches.deadline(connection, table.id)
        assert due is not None
        await harness.tables.due(due)
        table = await harness.tables.get(table.id)
        assert (clock_of(table).stage, end_of(table)) == (ClockStage.REMINDED, harness.clock.now + hours * HOUR)
