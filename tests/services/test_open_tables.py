"""Lists of open tables, and the table that a user means: which data they load."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.services import tables
from bot.storage import matches
from bot.storage.database import Database
from bot.table.lobby import NewTable, TableSetup
from bot.table.model import Pace, Status
from bot.table.refusals import NoOpenTable
from bot.table.snapshot import Table
from tests.table_harness import ADA, CHANNEL, EVE, GUILD, ONE_HAND, OPENER, TableHarness, choice, user_to_act
from tests.work_counters import selects


async def open_tables(harness: TableHarness, number: int) -> None:
    """Lobbies of different hosts, each in a channel of its own."""
    for each in range(number):
        host = type(ADA)(1000 + each, f"Host {each}")
        await harness.tables.create(
            NewTable(GUILD, 200 + each, host, TableSetup(3, "days-of-wonder", ONE_HAND, Pace.NONE)), OPENER
        )


def restarted(harness: TableHarness) -> TableHarness:
    """The app after a restart, with nothing in memory."""
    return TableHarness(harness.database)


async def statements(harness: TableHarness, ask: Callable[[TableHarness], Any]) -> int:
    """The number of statements after a restart."""
    afresh = restarted(harness)
    with selects() as found:
        await ask(afresh)
    return len([statement for statement, _ in found])


def list_tables(user_id: int) -> Callable[[TableHarness], Any]:
    async def ask(harness: TableHarness) -> None:
        places = await harness.tables.open.places(GUILD)
        page = await harness.tables.open.page(GUILD, user_id, {place.place_id for place in places}, 0)
        assert page.tables

    return ask


async def test_lists_take_as_many_statements_for_twenty_one_tables_as_for_one(harness: TableHarness) -> None:
    await harness.match(people=3, ai_players=0)

    async def turns(afresh: TableHarness) -> None:
        await afresh.tables.open.waiting_for(GUILD, ADA.user_id)

    before = [await statements(harness, ask) for ask in (list_tables(ADA.user_id), turns)]
    await open_tables(harness, 17)
    for _ in range(3):
        await harness.match(people=3, ai_players=0)
    assert [await statements(harness, ask) for ask in (list_tables(ADA.user_id), turns)] == before
    beyond = await harness.tables.open.page(GUILD, ADA.user_id, {CHANNEL}, 9)
    assert beyond.tables
    assert beyond.is_last
    assert before == [4, 4]


async def test_no_list_reads_a_log(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    for _ in range(5):
        afresh = restarted(harness)
        with selects() as found:
            (listed,) = (await afresh.tables.open.page(GUILD, ADA.user_id, {CHANNEL}, 0)).tables
            await afresh.tables.open.waiting_for(GUILD, ADA.user_id)
        assert not [statement for statement, _ in found if "events" in statement]
        assert listed.table.turn == table.turn
        assert listed.table.row == table.row
        table = await harness.act(table)


async def test_showing_a_hand_loads_no_other_table(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_TABLES", 50)
    harness = TableHarness(database)
    mine = await harness.match(people=3, ai_players=0)
    await harness.allow_tables()
    await open_tables(harness, 51)
    for loaded in (1, 0):
        with selects() as found:
            assert (await harness.tables.open.nearest(GUILD, ADA.user_id, CHANNEL)).id == mine.id
        assert len([statement for statement, _ in found if "FROM tables" in statement]) == 1 + loaded


async def test_nearest_prefers_a_table_waiting_for_the_user(harness: TableHarness) -> None:
    one, other = [await harness.match(people=3, ai_players=0) for _ in range(2)]
    acting = user_to_act(one)
    assert acting is not None
    while user_to_act(other) == acting:
        other = await harness.do(other, choice(other))
    assert (await harness.tables.open.nearest(GUILD, acting, CHANNEL)).id == one.id


async def test_nearest_is_refused_without_open_tables(harness: TableHarness) -> None:
    await harness.table(people=2)
    with pytest.raises(NoOpenTable):
        await harness.tables.open.nearest(GUILD, EVE.user_id, CHANNEL + 1)


async def test_the_stored_turn_is_that_of_the_log(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=1)
    while table.row.status is Status.PLAYING:
        async with harness.database.read() as connection:
            row = await matches.load(connection, table.id)
        assert row is not None
        assert row.turn == Table(row, table.state).turn
        table = await harness.act(table)
    assert table.row.turn is None
