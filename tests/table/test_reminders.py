"""Reminders at tables without a time limit."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.services.user_settings import Users
from bot.storage import matches
from bot.table import absence, consent
from bot.table.model import ClockStage, DeadlineKind, Pace, Status
from bot.table.snapshot import Table
from bot.table.timing import DAY, HOUR, MATCH_TIMEOUT, Downtime
from tests.not_none import not_none
from tests.table.test_absence import LONG, answered, others
from tests.table_harness import START, TableHarness, player_to_act, stage_of, user_to_act

MIDNIGHT = START // DAY * DAY


async def match_without_limit(harness: TableHarness) -> Table:
    """A match of three people that starts at midnight."""
    harness.clock.now = MIDNIGHT
    return await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.NONE)


async def kind_due(harness: TableHarness, table: Table) -> DeadlineKind:
    async with harness.database.read() as connection:
        return not_none(await matches.deadline(connection, table.id)).kind


def hours_passed(harness: TableHarness) -> int:
    return (harness.clock.now - MIDNIGHT) // HOUR


async def test_the_player_to_act_is_reminded_five_times_and_the_others_are_told_once(harness: TableHarness) -> None:
    table = await match_without_limit(harness)
    seen = []
    while await kind_due(harness, table) is DeadlineKind.REMIND:
        table = await harness.run_due_action(table)
        seen.append((hours_passed(harness), stage_of(table)))
    assert seen == [
        (24, ClockStage.REMINDED),
        (72, ClockStage.REMINDED),
        (120, ClockStage.ASKED),
        (168, ClockStage.WAITING),
        (216, ClockStage.WAITING),
    ]
    assert (await TableHarness(harness.database).tables.get(table.id)).row.clock == table.row.clock
    assert await kind_due(harness, table) is DeadlineKind.CLOSE
    await harness.run_due_action(table)
    assert harness.clock.now == MIDNIGHT + MATCH_TIMEOUT


async def test_an_answer_of_the_others_ends_the_question_but_not_the_reminders(harness: TableHarness) -> None:
    table = await match_without_limit(harness)
    for _ in range(3):
        table = await harness.run_due_action(table)
    table = await answered(harness, table, absence.wait)
    table = await harness.run_due_action(table)
    assert (hours_passed(harness), stage_of(table)) == (168, ClockStage.WAITING)
    table = await answered(harness, table, absence.let_ai_play)
    assert table.row.clock is None


async def test_nobody_is_reminded_while_a_substitute_is_called(harness: TableHarness) -> None:
    table = await match_without_limit(harness)
    for _ in range(3):
        table = await harness.run_due_action(table)
    table = await answered(harness, table, absence.call_substitute)
    assert await kind_due(harness, table) is DeadlineKind.CLOSE


async def test_a_table_that_was_asked_after_a_nudge_is_not_asked_again(harness: TableHarness) -> None:
    table = await harness.run_due_action(await match_without_limit(harness))
    table = await harness.tables.act(table.id, consent.nudge, others(table)[0], harness.clock.now)
    assert stage_of(table) is ClockStage.ASKED
    for _ in range(4):
        table = await harness.run_due_action(table)
        assert stage_of(table) is ClockStage.WAITING
    assert await kind_due(harness, table) is DeadlineKind.CLOSE


async def test_a_move_starts_the_reminders_again(harness: TableHarness) -> None:
    table = await harness.run_due_action(await match_without_limit(harness))
    table = await harness.act(table)
    clock = not_none(table.row.clock)
    assert (clock.stage, clock.reminders, clock.remind) == (ClockStage.RUNNING, 0, harness.clock.now + DAY)


async def test_a_reminder_waits_for_the_end_of_quiet_hours_and_holidays(harness: TableHarness) -> None:
    table = await match_without_limit(harness)
    users, player = Users(harness.database), player_to_act(table)
    await users.set_quiet(player, (23 * 60, 8 * 60))
    table = await harness.run_due_action(table)
    assert (hours_passed(harness), stage_of(table)) == (24, ClockStage.RUNNING)
    table = await harness.run_due_action(table)
    assert (hours_passed(harness), stage_of(table)) == (32, ClockStage.REMINDED)
    today = datetime.fromtimestamp(harness.clock.now / 1000, UTC).date()
    await users.set_away(player, (today, today + timedelta(days=9)), harness.clock.now)
    table = await harness.run_due_action(table)
    assert (hours_passed(harness), not_none(table.row.clock).reminders) == (80, 1)
    table = await harness.run_due_action(table)
    assert (hours_passed(harness), not_none(table.row.clock).reminders) == (11 * 24 + 8, 2)


async def go_on_holidays(harness: TableHarness, player: int, days: int) -> None:
    """Set holidays that begin today."""
    today = datetime.fromtimestamp(harness.clock.now / 1000, UTC).date()
    await Users(harness.database).set_away(player, (today, today + timedelta(days=days - 1)), harness.clock.now)


@pytest.mark.parametrize(("people", "reminders"), [(3, 0), (3, 5), (1, 0)], ids=["at once", "reminded", "alone"])
async def test_no_match_ends_in_long_holidays(harness: TableHarness, people: int, reminders: int) -> None:
    table = await harness.match(people, 3 - people, LONG, Pace.NONE)
    while user_to_act(table) is None:
        table = await harness.run_due_action(table)
    for _ in range(reminders):
        table = await harness.run_due_action(table)
    began, player = harness.clock.now, player_to_act(table)
    await go_on_holidays(harness, player, 45)
    while harness.clock.now < began + 44 * DAY:
        assert table.row.status is Status.PLAYING
        table = await harness.run_due_action(table)
    while table.row.status is Status.PLAYING:
        table = await harness.run_due_action(table)
    assert table.row.ended == "deserted"
    assert harness.clock.now >= began + (44 + 30) * DAY


async def test_time_while_the_app_was_off_moves_a_reminder(harness: TableHarness) -> None:
    tables = [await match_without_limit(harness)]
    tables += [await harness.match(people=3, ai_players=0, options=LONG, pace=Pace.NONE) for _ in range(3)]
    harness.last_downtime = lambda _: Downtime(MIDNIGHT + 10 * HOUR, MIDNIGHT + 40 * HOUR)
    harness.clock.now = MIDNIGHT + 40 * HOUR
    for table in tables:
        async with harness.database.read() as connection:
            due = not_none(await matches.deadline(connection, table.id))
        await harness.tables.due(due)
        after = await harness.tables.get(table.id)
        assert (stage_of(after), not_none(after.row.clock).remind) == (ClockStage.RUNNING, MIDNIGHT + 54 * HOUR)


async def test_a_pause_moves_a_reminder(harness: TableHarness) -> None:
    table = await match_without_limit(harness)
    for user in [player_to_act(table), *others(table)]:
        table = await harness.tables.act(table.id, consent.agree_to_pause, user)
    harness.clock.now += 5 * DAY
    table = await harness.tables.act(table.id, consent.resume, player_to_act(table))
    await harness.run_due_action(table)
    assert hours_passed(harness) == 6 * 24
