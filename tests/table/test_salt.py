"""The salt of the deals: the first message and the cuts, which aren't known when the seed is drawn."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.analysis import fairness
from bot.engine import Options
from bot.engine.shuffle import deal
from bot.table import lobby, play
from bot.table.lobby import NewTable, TableSetup
from bot.table.model import Pace, Seat, Status
from bot.table.play import change_lobby
from bot.table.refusals import HasStarted, NotPostedYet, NotSeated, TableIsFull
from bot.table.salt import CUTS, Salt
from bot.table.snapshot import Table
from tests.table_harness import ADA, BO, CHANNEL, CY, EVE, FIRST_MESSAGE, GUILD, ONE_HAND, OPENER, TableHarness

EXAMPLE = "1300000000000000000-17-0-ai-44"
"""From docs/record.md."""


async def cut(harness: TableHarness, table: Table, user_id: int, number: int | None) -> Table:
    return await harness.tables.act(table.id, change_lobby, lobby.cut, user_id, number)


def recorded_salt(table: Table) -> str:
    assert table.state is not None
    return table.state.match.salt


async def test_the_salt_is_the_first_message_and_the_cuts_by_seat(harness: TableHarness) -> None:
    table = await harness.table(people=3, ai_players=0, size=4)
    seats = (*table.row.seats[:2], Seat("Jade", ai_level="simple"), table.row.seats[2])
    row = replace(table.row, seats=seats, first_message_id=1_300_000_000_000_000_000)
    row = lobby.cut(lobby.cut(row, ADA.user_id, 17), CY.user_id, 44)
    assert str(Salt.of(row)) == EXAMPLE


@given(st.integers(10**17, 2**63 - 1), st.lists(st.none() | st.integers(0, 63), min_size=3, max_size=4))
def test_a_written_salt_can_be_parsed(message_id: int, cuts: list[int | None]) -> None:
    salt = Salt(message_id, tuple(cuts))
    assert Salt.parse(str(salt), len(cuts)) == salt


@pytest.mark.parametrize(
    "text", ["9004-9002-9003-ai", "2026-11-22", "", "x-1-2-3", "1-64-0-0-0", "1-1-2-3", "٣-1-2-3-4"]
)
def test_other_salts_are_not_parsed(text: str) -> None:
    assert Salt.parse(text, 4) is None


@given(st.binary(min_size=32, max_size=32), st.integers(0, 3), st.sampled_from([*CUTS]))
def test_each_cut_of_each_seat_changes_the_deal(seed: bytes, seat: int, number: int) -> None:
    without = Salt(FIRST_MESSAGE, (0, 0, 0, 0))
    with_it = Salt(FIRST_MESSAGE, tuple(number if seat == other else 0 for other in range(4)))
    hands = [
        deal(seed, str(salt), 1, seats=4, dealer=0, direction=1, options=Options()).hands for salt in (without, with_it)
    ]
    assert hands[0] != hands[1]


async def test_two_tables_with_one_seed_and_different_cuts_deal_differently(harness: TableHarness) -> None:
    other = TableHarness(harness.database)  # draws the same seed
    tables = [await each.table(people=2, ai_players=2) for each in (harness, other)]
    assert tables[0].row.commitment == tables[1].row.commitment
    states = []
    for number, table in zip((17, 18), tables, strict=True):
        await harness.tables.act(table.id, lambda t: play.Change(replace(t.row, first_message_id=FIRST_MESSAGE)))
        await cut(harness, table, BO.user_id, number)
        states.append((await harness.tables.start(table.id, ADA.user_id)).state)
    assert states[0] is not None
    assert states[1] is not None
    assert states[0].hands != states[1].hands


async def test_cuts_are_optional_can_be_changed_and_go_into_the_record(harness: TableHarness) -> None:
    table = await harness.table(people=3, ai_players=1)
    await cut(harness, table, BO.user_id, 5)
    table = await cut(harness, table, BO.user_id, 63)
    assert [seat.cut for seat in table.seats] == [None, 63, None, None]
    assert await harness.tables.get(table.id) == await TableHarness(harness.database).tables.get(table.id)
    table = await harness.tables.start(table.id, ADA.user_id)
    assert recorded_salt(table) == f"{FIRST_MESSAGE + table.id}-0-63-0-ai"
    over = await harness.play_to_end(table)
    assert fairness.check(await harness.record(over.id)).is_fair


async def test_a_cut_can_be_taken_back(harness: TableHarness) -> None:
    table = await harness.table(people=3)
    await cut(harness, table, BO.user_id, 5)
    table = await cut(harness, table, BO.user_id, None)
    assert [seat.cut for seat in table.seats] == [None, None, None]


async def test_a_leaving_player_takes_the_cut_along(harness: TableHarness) -> None:
    table = await harness.table(people=3)
    await cut(harness, table, BO.user_id, 5)
    await cut(harness, table, CY.user_id, 6)
    await harness.tables.act(table.id, change_lobby, lobby.leave, BO.user_id)
    table = await harness.tables.act(table.id, play.join, BO)
    assert [(seat.name, seat.cut) for seat in table.seats] == [("Ada", None), ("Cy", 6), ("Bo", None)]


async def test_only_the_players_of_a_lobby_cut(harness: TableHarness) -> None:
    table = await harness.table(people=1, ai_players=2)
    with pytest.raises(NotSeated):
        await cut(harness, table, EVE.user_id, 5)
    full = await harness.table(people=3)
    with pytest.raises(TableIsFull):
        await cut(harness, full, EVE.user_id, 5)
    await harness.tables.start(table.id, ADA.user_id)
    with pytest.raises(HasStarted):
        await cut(harness, table, ADA.user_id, 5)


async def test_no_match_begins_before_its_message_is_posted(harness: TableHarness) -> None:
    new = NewTable(GUILD, CHANNEL, ADA, TableSetup(3, "days-of-wonder", ONE_HAND, Pace.NONE))
    table = await harness.tables.create(new, OPENER)
    for _ in range(2):
        await harness.tables.act(table.id, change_lobby, lobby.add_ai, ADA.user_id)
    with pytest.raises(NotPostedYet):
        await harness.tables.start(table.id, ADA.user_id)
    await harness.posted(table)
    assert (await harness.tables.start(table.id, ADA.user_id)).row.status is Status.PLAYING


async def test_the_first_message_stays_the_first(harness: TableHarness) -> None:
    table = await harness.table(people=1, ai_players=2)
    table = await harness.tables.act(table.id, play.record_first_message, 99)
    assert table.row.first_message_id == FIRST_MESSAGE + table.id
