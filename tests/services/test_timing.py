"""When something happens by itself, and the real clock and entropy."""

import time

import pytest

from bot.engine import Options
from bot.services.entropy import SystemClock, SystemEntropy
from bot.services.table import Table
from bot.services.timing import PATIENCE, Timing
from bot.storage.deadlines import Kind
from bot.storage.rows import Pace
from tests.services.house import House, choice, person_to_act

NOW = 1_000_000
TIMING = Timing(robot=2000)


@pytest.mark.parametrize(
    ("pace", "seconds"),
    [(Pace.LIVE, 120), (Pace.QUICK, 3600), (Pace.DAY, 86_400), (Pace.SLOW, 259_200), (Pace.NONE, None)],
)
async def test_how_long_people_may_take_is_the_pace_of_the_table(house: House, pace: Pace, seconds: int | None) -> None:
    table = await house.match(people=3, robots=0, pace=pace)
    due = TIMING.next(table, NOW)
    if seconds is None:
        assert due is None
    else:
        assert due is not None
        assert (due.table_id, due.kind, due.due_at) == (table.id, Kind.TURN, NOW + seconds * 1000)


@pytest.mark.parametrize("pace", Pace)
async def test_robots_take_their_own_time_whatever_the_pace(house: House, pace: Pace) -> None:
    table = await until_a_robot_acts(house, await house.match(people=1, robots=3, pace=pace))
    due = TIMING.next(table, NOW)
    assert due is not None
    assert (due.kind, due.due_at) == (Kind.ROBOT, NOW + 2000)


async def until_a_robot_acts(house: House, table: Table) -> Table:
    while person_to_act(table) is not None:
        table = await house.act(table)
    return table


async def test_a_robot_is_patient_while_a_person_may_still_say_last_card(house: House) -> None:
    table = await house.match(people=2, robots=1, options=Options(target=1000))
    table, owing = await house.to_the_last_card(table)
    while person_to_act(table) is not None:  # until it is a robot that comes next
        table, owing = await house.to_the_last_card(await house.tables.declare(table.id, owing))
    patient = TIMING.next(table, NOW)
    declared = TIMING.next(await house.tables.declare(table.id, owing), NOW)
    assert patient is not None
    assert declared is not None
    assert (patient.due_at, declared.due_at) == (NOW + 2000 * PATIENCE, NOW + 2000)


async def test_nothing_is_due_in_the_lobby_nor_when_it_is_over(house: House) -> None:
    lobby, match = await house.table(people=3), await house.match(people=3, robots=0, pace=Pace.LIVE)
    closed = await house.tables.close(match.id, match.row.host_id, may_manage=False)
    over = await house.play_out(await house.match(people=3, robots=0, pace=Pace.LIVE))
    assert [TIMING.next(table, NOW) for table in (lobby, closed, over)] == [None, None, None]


async def test_a_table_knows_until_when_a_turn_lasts(house: House) -> None:
    table = await house.match(people=3, robots=0, pace=Pace.QUICK)
    house.clock.now += 5000
    after = await house.do(table, choice(table))
    assert after.row.due_at == house.clock.now + 3_600_000
    assert (await House(house.database).tables.get(table.id)).row.due_at == after.row.due_at


def test_the_real_clock_tells_utc_in_milliseconds() -> None:
    before = int(time.time() * 1000)
    assert before <= SystemClock().milliseconds() <= int(time.time() * 1000) + 1


def test_real_secrets_are_32_bytes_and_never_the_same() -> None:
    secrets = {SystemEntropy().seed() for _ in range(50)}
    assert len(secrets) == 50
    assert {len(secret) for secret in secrets} == {32}
