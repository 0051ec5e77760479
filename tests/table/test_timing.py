"""Deadlines, the real clock, and seeds."""

import time

import pytest

from bot.engine import Options
from bot.services.clock import milliseconds, new_seed
from bot.table import consent, play, standing_orders
from bot.table.ai_pause import ai_pause
from bot.table.model import Deadline, DeadlineKind, Pace, Seat, TurnClock
from bot.table.snapshot import Table
from bot.table.timing import LAST_CARD_DELAY, LOBBY_TIMEOUT, MATCH_TIMEOUT, PACE_TIMES, Timing, charge_bank, start_clock
from bot.table.user import UserSettings
from tests.not_none import not_none
from tests.table_harness import TableHarness, choice, user_to_act

NOW = 1_000_000
TIMING = Timing(ai_delay=2000)


@pytest.mark.parametrize(("pace", "minutes"), [(Pace.LIVE, 2), (Pace.QUICK, 60), (Pace.DAY, 1440), (Pace.SLOW, 4320)])
async def test_a_turn_lasts_as_long_as_the_pace_and_the_time_bank(
    harness: TableHarness, pace: Pace, minutes: int
) -> None:
    table = await harness.match(people=3, ai_players=0, pace=pace)
    assert table.row.clock == TurnClock(harness.clock.now, harness.clock.now + 2 * minutes * 60_000)
    reminder = not_none(TIMING.next(table, NOW))
    assert reminder.kind is DeadlineKind.REMIND
    assert harness.clock.now < reminder.due_at < harness.clock.now + 2 * minutes * 60_000


async def test_a_match_against_ai_players_alone_waits_without_reminders_until_it_is_closed(
    harness: TableHarness,
) -> None:
    table = await harness.match(people=1, ai_players=2, pace=Pace.NONE)
    while user_to_act(table) is None:
        table = await harness.act(table)
    assert table.row.clock == TurnClock(harness.clock.now)
    assert TIMING.next(table, NOW) == Deadline(table.id, DeadlineKind.CLOSE, harness.clock.now + MATCH_TIMEOUT)


@pytest.mark.parametrize(
    ("took", "left"), [(0, 120), (60, 120), (119, 120), (150, 100), (239, 11), (240, 10), (500, 10)]
)
async def test_time_beyond_the_pace_comes_from_the_bank_which_refills_slowly(
    harness: TableHarness, took: int, left: int
) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.LIVE)
    seat = not_none(table.turn)
    harness.clock.now += took * 1000
    after = await harness.act(table)
    assert after.seats[seat].bank == left * 1000


async def test_a_moved_deadline_costs_no_time() -> None:
    seat = Seat("Ada", 101, bank=120_000)
    over_night = TurnClock(0, 240_000 + 36_000_000)
    assert charge_bank(seat, over_night, Pace.LIVE, 36_100_000).bank == 120_000
    assert charge_bank(seat, over_night, Pace.LIVE, 36_240_000).bank == 10_000


SLEEPS = UserSettings(quiet=(0, 8 * 60))
"""From midnight to eight, UTC."""
HOUR = 3_600_000


@pytest.mark.parametrize(
    ("began", "remind", "due"),
    [
        (13, 33, 37),  # during the day, nothing moves
        (2, 32, 36),  # an end at two at night moves to four hours after the quiet hours
        (10, 32, 34),  # a reminder at six in the morning moves to eight
    ],
)
def test_reminders_and_ends_avoid_quiet_hours(began: int, remind: int, due: int) -> None:
    clock = start_clock(Pace.DAY, 0, began * HOUR, SLEEPS)
    assert clock.due == due * HOUR
    assert (clock.remind or clock.due - PACE_TIMES[Pace.DAY].reminder) == remind * HOUR


def test_a_long_turn_ends_however_little_of_the_day_is_free() -> None:
    for hour in range(48):
        clock = start_clock(Pace.SLOW, 0, hour * HOUR, UserSettings(quiet=(18 * 60, 10 * 60)))
        assert clock.due is not None
        assert hour + 72 <= clock.due / HOUR <= hour + 72 + 48
        assert not_none(clock.remind) <= clock.due


@pytest.mark.parametrize("pace", Pace)
async def test_ai_players_take_the_same_time_at_any_pace(harness: TableHarness, pace: Pace) -> None:
    table = await play_until_an_ai_acts(harness, await harness.match(people=1, ai_players=3, pace=pace))
    due = not_none(TIMING.next(table, NOW))
    assert (due.kind, due.due_at) == (DeadlineKind.AI, NOW + usual_pause(table))


def usual_pause(table: Table) -> int:
    """The pause before an AI player moves, in milliseconds."""
    public = not_none(table.public)
    return round(2000 * ai_pause(public, f"{table.id} {table.moment}"))


async def play_until_an_ai_acts(harness: TableHarness, table: Table) -> Table:
    while user_to_act(table) is not None:
        table = await harness.act(table)
    return table


async def test_ai_players_wait_longer_while_a_player_can_declare_the_last_card(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=1, options=Options(target=1000))
    table, owing = await harness.play_until_last_card_is_forgotten(table)
    while user_to_act(table) is not None:  # until an AI player is next
        table, owing = await harness.play_until_last_card_is_forgotten(
            await harness.tables.act(table.id, play.declare, owing)
        )
    patient = TIMING.next(table, NOW)
    after = await harness.tables.act(table.id, play.declare, owing)
    declared = not_none(TIMING.next(after, NOW))
    assert patient is not None
    assert (patient.due_at, declared.due_at) == (NOW + 2000 * LAST_CARD_DELAY, NOW + usual_pause(after))


async def test_standing_orders_wait_longer_while_a_player_can_declare_the_last_card(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=Options(target=1000))
    table, owing = await harness.play_until_last_card_is_forgotten(table)
    user, order = not_none(user_to_act(table)), standing_orders.PASS
    cycle = standing_orders.cycle_of(not_none(table.public))
    table = await harness.tables.act(table.id, consent.give_orders, user, order, harness.clock.now, cycle)
    patient = not_none(TIMING.next(table, NOW))
    after = await harness.tables.act(table.id, play.declare, owing)
    assert patient.kind is DeadlineKind.ORDERS
    assert patient.due_at - harness.clock.now == 2000 * LAST_CARD_DELAY
    assert not_none(TIMING.next(after, NOW)).due_at - harness.clock.now == standing_orders.DELAY


async def test_lobbies_close_eventually_and_finished_matches_have_no_deadline(harness: TableHarness) -> None:
    lobby, match = await harness.table(people=3), await harness.match(people=3, ai_players=0, pace=Pace.LIVE)
    closed = await harness.tables.act(match.id, consent.close, match.row.host_id, may_manage=True)
    over = await harness.play_to_end(await harness.match(people=3, ai_players=0, pace=Pace.LIVE))
    assert TIMING.next(lobby, NOW) == Deadline(lobby.id, DeadlineKind.CLOSE, NOW + LOBBY_TIMEOUT)
    assert [TIMING.next(table, NOW) for table in (closed, over)] == [None, None]


async def test_a_table_knows_when_a_turn_ends(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, pace=Pace.QUICK)
    harness.clock.now += 5000
    after = await harness.do(table, choice(table))
    assert after.row.clock == TurnClock(harness.clock.now, harness.clock.now + 7_200_000)
    assert (await TableHarness(harness.database).tables.get(table.id)).row.clock == after.row.clock


def test_the_real_clock_tells_utc_in_milliseconds() -> None:
    before = int(time.time() * 1000)
    assert before <= milliseconds() <= int(time.time() * 1000) + 1


def test_seeds_have_32_bytes_and_differ() -> None:
    secrets = {new_seed() for _ in range(50)}
    assert len(secrets) == 50
    assert {len(secret) for secret in secrets} == {32}
