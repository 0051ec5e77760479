"""Time while the app was off doesn't count against people."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from bot.presentation.channel.notices import current_notice
from bot.presentation.text.i18n import words_in
from bot.services.deadlines import OUTAGE_SECONDS, SAVE_SECONDS, Downtimes
from bot.services.guild_settings import Guilds
from bot.storage.database import Database
from bot.storage.downtimes import last_served, record_served
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter, shard_of
from bot.table import absence, consent
from bot.table.errors import StorageError
from bot.table.model import ClockStage, Deadline, DeadlineKind, Pace, TableSettings, TimeoutPolicy
from bot.table.snapshot import Table
from bot.table.timing import DAY, HOUR, LEAST_BEFORE_CLOSING, MAX_REMINDERS, PACE_TIMES, SECOND, Downtime
from bot.table.user import UserSettings
from tests.not_none import not_none
from tests.services.test_deadlines import due_now, running
from tests.table_harness import GUILD, TableHarness, stage_of, user_to_act

OFF = 30 * HOUR
MINUTE = 60 * SECOND


async def stops_before(harness: TableHarness, left: int) -> Deadline:
    """Let the app stop when this is left until the deadline of the one table, and start again after `OFF`."""
    (due,) = await due_now(harness)
    harness.clock.now = due.due_at - left
    await harness.database.commit(record_served, ALL_GUILDS, harness.clock.now)
    harness.clock.now += OFF
    return due


async def reminded(harness: TableHarness, pace: Pace = Pace.DAY) -> Table:
    table = await harness.run_due_action(await harness.match(people=3, ai_players=0, pace=pace))
    assert stage_of(table) is ClockStage.REMINDED
    return table


async def moved(harness: TableHarness) -> tuple[Table, Deadline]:
    """The table and its deadline after the start."""
    published = len(harness.updates)
    async with running(harness):
        await harness.until(lambda: len(harness.updates) > published)
    (due,) = await due_now(harness)
    return harness.updates[-1], due


async def test_a_turn_that_ended_while_the_app_was_off_has_as_much_time_as_before(harness: TableHarness) -> None:
    table = await reminded(harness)
    before = await stops_before(harness, 3 * HOUR + 55 * MINUTE)
    call = current_notice(table, words_in("en"))
    table, due = await moved(harness)
    # A reminded player keeps at least the time between a reminder and the end of the turn.
    assert (due.kind, due.due_at) == (DeadlineKind.TURN, harness.clock.now + PACE_TIMES[Pace.DAY].reminder)
    assert table.row.clock is not None
    assert (stage_of(table), table.row.clock.due) == (ClockStage.REMINDED, due.due_at)
    assert due.due_at - before.due_at == table.row.clock.off >= OFF
    after = not_none(current_notice(table, words_in("en")))
    assert call is not None
    assert after.nonce == call.nonce  # nobody is called again
    assert after.is_editable  # but the message shows the new end


async def test_holidays_set_after_the_app_was_off_keep_what_the_clock_knows_of_that_time(harness: TableHarness) -> None:
    await reminded(harness)
    await stops_before(harness, HOUR)
    table, _ = await moved(harness)
    before = not_none(table.row.clock)
    assert before.off
    today = datetime.fromtimestamp(harness.clock.now / 1000, UTC).date()
    holidays = UserSettings(away=(today, today + timedelta(days=3)))
    user = not_none(user_to_act(table))
    after = not_none((await harness.tables.act(table.id, absence.observe_quiet_hours, user, holidays)).row.clock)
    assert not_none(after.due) > not_none(before.due)
    assert after == replace(before, due=after.due, remind=after.remind, stage=ClockStage.RUNNING)


async def test_a_reminder_that_was_due_while_the_app_was_off_comes_later_by_that_time(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.DAY)
    call = current_notice(table, words_in("en"))
    before = await stops_before(harness, 2 * HOUR)
    after, due = await moved(harness)
    assert due == Deadline(table.id, DeadlineKind.REMIND, before.due_at + OFF)
    notice = not_none(current_notice(after, words_in("en")))
    assert call is not None
    assert notice.nonce == call.nonce


@pytest.mark.parametrize("pace", list(PACE_TIMES))
async def test_the_table_has_time_to_answer_after_the_app_was_off(harness: TableHarness, pace: Pace) -> None:
    table = await harness.run_due_action(await reminded(harness, pace))
    assert stage_of(table) is ClockStage.ASKED
    await stops_before(harness, SECOND)
    table, due = await moved(harness)
    assert (due.kind, due.due_at) == (DeadlineKind.ANSWER, harness.clock.now + PACE_TIMES[pace].reminder)
    assert stage_of(table) is ClockStage.ASKED


async def test_lobbies_and_matches_stay_open_after_the_app_was_off(harness: TableHarness) -> None:
    match = await harness.match(people=3, ai_players=0, pace=Pace.NONE)
    for _ in range(MAX_REMINDERS):
        match = await harness.run_due_action(match)
    tables = [await harness.table(people=2), match]
    paused = await harness.match(people=2, ai_players=1, pace=Pace.DAY)
    for person in harness.people[:2]:
        paused = await harness.tables.act(paused.id, consent.agree_to_pause, person.user_id)
    due = {deadline.table_id: deadline.due_at for deadline in await due_now(harness)}
    harness.clock.now = min(due.values()) - HOUR
    await harness.database.commit(record_served, ALL_GUILDS, harness.clock.now)
    harness.clock.now = max(due.values()) + HOUR
    published = len(harness.updates)
    async with running(harness):
        await harness.until(lambda: len(harness.updates) == published + 3)
    for deadline in await due_now(harness):
        table = await harness.tables.get(deadline.table_id)
        assert table.row.status.is_open
        assert deadline.kind is DeadlineKind.CLOSE
        assert deadline.due_at >= harness.clock.now + LEAST_BEFORE_CLOSING
    assert {table.id for table in tables} < due.keys()


@pytest.mark.parametrize(("off", "still_open"), [(60 * HOUR, True), (MINUTE, False)])
async def test_a_lobby_whose_end_comes_soon_after_a_long_downtime_stays_open(
    harness: TableHarness, off: int, still_open: bool
) -> None:
    await harness.table(people=2)
    (due,) = await due_now(harness)
    start = due.due_at - HOUR
    harness.last_downtime = lambda _: Downtime(start - off, start)
    harness.clock.now = due.due_at
    await harness.tables.due(due)
    assert (await harness.tables.get(due.table_id)).row.status.is_open is still_open


async def test_a_pause_and_time_while_the_app_was_off_both_move_the_end_of_a_turn(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=1, pace=Pace.DAY)
    while user_to_act(table) is None:
        table = await harness.act(table)
    for person in harness.people[:2]:
        table = await harness.tables.act(table.id, consent.agree_to_pause, person.user_id)
    begun = harness.clock.now
    await stops_before(harness, HOUR)
    await moved(harness)
    harness.clock.now += HOUR
    after = await harness.tables.act(table.id, consent.resume, harness.people[0].user_id)
    assert not_none(after.row.clock).due == (not_none(table.row.clock).due or 0) + harness.clock.now - begun


async def test_a_nudge_asks_the_table_only_after_a_day_in_which_the_app_was_on(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    other = next(person.user_id for person in harness.people[:3] if person.user_id != user_to_act(table))
    begun = harness.clock.now
    harness.last_downtime = lambda _: Downtime(begun + HOUR, begun + HOUR + OFF)
    for later, stage in ((2 * HOUR + OFF, ClockStage.RUNNING), (DAY + OFF, ClockStage.ASKED)):
        harness.clock.now = begun + later
        off = harness.tables.time_off(table)
        table = await harness.tables.act(table.id, consent.nudge, other, harness.clock.now, off)
        assert stage_of(table) is stage


@pytest.mark.parametrize("moves", [True, False], ids=["before its deadline is looked at", "after it was moved"])
async def test_a_turn_with_a_downtime_costs_no_time_bank_and_no_thinking_time(
    harness: TableHarness, *, moves: bool
) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.DAY)
    seat, begun = not_none(table.turn), harness.clock.now
    bank = table.seats[seat].bank
    harness.clock.now += HOUR
    await harness.database.commit(record_served, ALL_GUILDS, harness.clock.now)
    harness.clock.now += 2 * OFF
    if moves:
        harness.last_downtime = lambda _: Downtime(begun + HOUR, harness.clock.now)
    else:
        table, _ = await moved(harness)
    after = await harness.act(table)
    assert after.seats[seat].bank == bank
    assert (await harness.record(table.id))[-1].paused == 2 * OFF // 1000


async def test_a_second_downtime_in_a_turn_counts_as_well(harness: TableHarness) -> None:
    table = await reminded(harness)
    seat = not_none(table.turn)
    await stops_before(harness, 4 * HOUR)
    _, due = await moved(harness)
    await harness.database.commit(record_served, ALL_GUILDS, harness.clock.now)
    off = OFF + due.due_at - 10 * MINUTE - harness.clock.now
    start = harness.clock.now = due.due_at - 10 * MINUTE
    async with running(harness) as service:
        while service.downtimes.last(GUILD) is None:
            await harness.clock.wait_until_read()
        published, harness.clock.now = len(harness.updates), due.due_at
        service.rearm()
        await harness.until(partial(_has_more_updates, harness, published))
    (due,) = await due_now(harness)
    assert (due.kind, due.due_at) == (DeadlineKind.TURN, start + PACE_TIMES[Pace.DAY].reminder)
    after = await harness.act(harness.updates[-1])
    assert (await harness.record(table.id))[-1].paused * 1000 == off
    assert after.seats[seat].bank == due.due_at - harness.clock.now + PACE_TIMES[Pace.DAY].refill


async def test_a_downtime_during_a_pause_counts_once(harness: TableHarness) -> None:
    table = await reminded(harness)
    seats = [person.user_id for person in harness.people[:3]]
    for user_id in seats:
        table = await harness.tables.act(table.id, consent.agree_to_pause, user_id)
    harness.clock.now += HOUR
    begun, harness.clock.now = harness.clock.now, harness.clock.now + OFF
    harness.last_downtime = lambda _: Downtime(begun, begun + OFF)
    table = await harness.tables.act(table.id, consent.resume, seats[0])
    assert harness.tables.time_off(table) == 0


def _has_more_updates(harness: TableHarness, than: int) -> bool:
    return len(harness.updates) > than


async def test_a_turn_that_ends_soon_after_the_start_gets_lost_time_back_once(harness: TableHarness) -> None:
    await reminded(harness)
    (due,) = await due_now(harness)
    await harness.database.commit(record_served, ALL_GUILDS, harness.clock.now)
    start = harness.clock.now = due.due_at - 10 * MINUTE
    async with running(harness) as service:
        while service.downtimes.last(GUILD) is None:
            await harness.clock.wait_until_read()
        for stage, due_at in ((ClockStage.REMINDED, start + PACE_TIMES[Pace.DAY].reminder), (ClockStage.ASKED, None)):
            published = len(harness.updates)
            harness.clock.now = due.due_at
            service.rearm()
            await harness.until(partial(_has_more_updates, harness, published))
            (due,) = await due_now(harness)
            assert stage_of(harness.updates[-1]) is stage
            assert due_at in (None, due.due_at)


async def test_without_a_known_last_time_a_turn_still_has_the_time_after_a_reminder(harness: TableHarness) -> None:
    await reminded(harness)
    (due,) = await due_now(harness)
    harness.clock.now = due.due_at + DAY
    _, after = await moved(harness)
    assert after.due_at == harness.clock.now + PACE_TIMES[Pace.DAY].reminder


class Clocks:
    """Clocks that only a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> int:
        return 1_700_000_000_000 + round(self.seconds * 1000)

    def downtimes(self, database: Database) -> Downtimes:
        return Downtimes(database, self.now, lambda: self.seconds)


async def look(downtimes: Downtimes, database: Database, served: GuildFilter) -> None:
    await downtimes.save()
    async with database.read() as connection:
        await downtimes.look(connection, served)


def guild_of(shard: int, count: int) -> int:
    return next(guild for guild in range(1 << 22, 1 << 30, 1 << 22) if shard_of(guild, count) == shard)


async def test_each_shard_has_its_own_downtime(database: Database) -> None:
    clocks = Clocks()
    first, second = clocks.downtimes(database), clocks.downtimes(database)
    for _ in range(10):
        await look(first, database, GuildFilter(2, frozenset({0})))
        await look(second, database, GuildFilter(2, frozenset({1})))
        clocks.seconds += SAVE_SECONDS
    stopped, other = clocks.now() - round(SAVE_SECONDS * 1000), guild_of(1, 2)
    for _ in range(10):
        await look(second, database, GuildFilter(2, frozenset({1})))
        clocks.seconds += SAVE_SECONDS
    await look(second, database, GuildFilter(2, frozenset({0, 1})))
    assert second.last(guild_of(0, 2)) == Downtime(stopped, clocks.now())
    assert second.last(other) == Downtime(Clocks().now(), Clocks().now())


async def test_another_number_of_shards_is_served_as_long_as_one_of_its_guilds_was(database: Database) -> None:
    clocks = Clocks()
    await database.commit(record_served, GuildFilter(2, frozenset({0, 1})), clocks.now())
    await database.commit(record_served, GuildFilter(2, frozenset({1})), clocks.now() + 5)
    clocks.seconds += 60
    downtimes = clocks.downtimes(database)
    await look(downtimes, database, GuildFilter(4, frozenset({0, 3})))
    assert downtimes.last(guild_of(0, 4)) == Downtime(Clocks().now(), clocks.now())
    assert downtimes.last(guild_of(3, 4)) == Downtime(Clocks().now() + 5, clocks.now())


async def test_an_outage_of_the_database_is_a_downtime(database: Database) -> None:
    clocks = Clocks()
    downtimes = clocks.downtimes(database)
    await look(downtimes, database, ALL_GUILDS)
    clocks.seconds += SAVE_SECONDS
    await look(downtimes, database, ALL_GUILDS)
    saved = clocks.now()
    clocks.seconds += OUTAGE_SECONDS
    await look(downtimes, database, ALL_GUILDS)
    assert downtimes.last(GUILD) == Downtime(saved, clocks.now())


async def test_a_time_in_which_nothing_can_be_stored_is_a_downtime(any_url: str) -> None:
    refusing = asyncio.Event()

    def require_no_refusal() -> None:
        if refusing.is_set():
            raise StorageError

    database, clocks = Database(any_url, require_ownership=require_no_refusal), Clocks()
    downtimes = clocks.downtimes(database)
    await look(downtimes, database, ALL_GUILDS)
    clocks.seconds += SAVE_SECONDS
    await look(downtimes, database, ALL_GUILDS)
    saved = clocks.now()
    refusing.set()
    for _ in range(20):
        clocks.seconds += OUTAGE_SECONDS / 4
        with pytest.raises(StorageError):
            await look(downtimes, database, ALL_GUILDS)
    refusing.clear()
    await look(downtimes, database, ALL_GUILDS)
    assert downtimes.last(GUILD) == Downtime(saved, clocks.now())
    await database.close()


async def test_shards_that_come_one_by_one_are_stored(database: Database) -> None:
    clocks, shards = Clocks(), 30
    downtimes = clocks.downtimes(database)
    for shard in range(shards):
        await look(downtimes, database, GuildFilter(shards, frozenset(range(shard + 1))))
        clocks.seconds += SAVE_SECONDS / 4
    async with database.read() as connection:
        stored = await last_served(connection, GuildFilter(shards, frozenset({0, shards // 2})))
    assert all(clocks.now() - at <= 2 * SAVE_SECONDS * 1000 for at in stored.values())
    assert len(stored) == 2


async def test_no_time_passes_while_the_app_is_removed_from_a_guild(harness: TableHarness) -> None:
    async with running(harness) as service:
        guilds = Guilds(harness.database, harness.clock.milliseconds, service.downtimes.end_absence)
        await guilds.record_join(GUILD)
        table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE, settings=TableSettings(TimeoutPolicy.MOVE))
        (due,) = await due_now(harness)
        harness.clock.now = due.due_at - SECOND
        await guilds.record_leave(GUILD)
        assert await due_now(harness) == []
        harness.clock.now += OFF
        service.rearm()
        await harness.clock.wait_until_read()
        assert harness.updates[-1].moment == table.moment
        await guilds.record_join(GUILD)
        published = len(harness.updates)
        service.rearm()
        await harness.until(lambda: len(harness.updates) > published)
        (due,) = await due_now(harness)
        assert due.due_at >= harness.clock.now
        assert (harness.updates[-1].moment, stage_of(harness.updates[-1])) == (table.moment, stage_of(table))
