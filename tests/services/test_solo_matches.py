"""A match that no channel shows: one for each user, outside of the limits for tables."""

import asyncio
from dataclasses import replace

import pytest

from bot.services.deletions import Deletions
from bot.services.guild_settings import Guilds
from bot.storage import matches
from bot.storage.database import Database
from bot.table import consent, play
from bot.table.limits import GUILD_TABLES
from bot.table.lobby import NewTable, Person, TableSetup
from bot.table.model import Deadline, DeadlineKind, Pace, Status
from bot.table.refusals import GuildIsFull, NoOpenTable, OutdatedAction
from bot.table.snapshot import Table
from bot.table.timing import MATCH_TIMEOUT
from tests.table_harness import ADA, BO, CHANNEL, GUILD, ONE_HAND, OPENER, TableHarness, requester

SOLO = NewTable(
    GUILD, CHANNEL, ADA, TableSetup(4, "days-of-wonder", ONE_HAND, Pace.NONE), with_ai=True, in_channel=False
)


async def begin(harness: TableHarness, person: Person = ADA) -> Table:
    return await harness.tables.create(replace(SOLO, host=person), OPENER)


async def fill_guild(harness: TableHarness) -> None:
    """Leave no room for a table in the guild's channels."""
    await Guilds(harness.database, harness.clock.milliseconds).set_limit(requester(1), GUILD_TABLES.setting, 1)
    await harness.table(people=1)


async def test_it_starts_when_it_is_stored(harness: TableHarness) -> None:
    table = await begin(harness)
    assert (table.row.status, len(table.view_of(ADA.user_id).hand)) == (Status.PLAYING, 16)
    assert await harness.tables.displays.outdated() == []
    assert harness.updates == [table]


async def test_two_presses_at_once_begin_one_match(any_database: Database) -> None:
    processes = [TableHarness(any_database, seed=seed) for seed in range(2)]
    tables = await asyncio.gather(*(begin(processes[number % 2]) for number in range(4)))
    assert {table.id for table in tables} == {tables[0].id}
    assert (await begin(processes[0], BO)).id != tables[0].id


async def test_it_waits_for_its_player_without_a_reminder(harness: TableHarness) -> None:
    table = await begin(harness)
    while table.user_to_act is None:
        table = await harness.act(table)
    async with harness.database.read() as connection:
        deadline = await matches.deadline(connection, table.id)
    assert deadline == Deadline(table.id, DeadlineKind.CLOSE, harness.clock.now + MATCH_TIMEOUT)
    harness.clock.now += MATCH_TIMEOUT
    await harness.tables.due(deadline)
    assert (await harness.tables.get(table.id)).row.ended == "deserted"
    assert await harness.tables.displays.outdated() == []


async def test_a_rematch_is_solo_and_starts_at_once(harness: TableHarness) -> None:
    first = await harness.play_to_end(await begin(harness))
    again = await harness.tables.rematch(first.id, ADA, OPENER)
    assert (again.row.status, again.row.in_channel) == (Status.PLAYING, False)
    assert [seat.name for seat in again.seats] == [seat.name for seat in first.seats]
    assert await harness.tables.rematch(first.id, ADA, OPENER) == again


async def test_it_needs_no_room_in_the_guild_until_it_is_shown(harness: TableHarness) -> None:
    await fill_guild(harness)
    table = await begin(harness)
    with pytest.raises(GuildIsFull):
        await harness.tables.act(table.id, play.show_in_channel, ADA.user_id, OPENER)
    assert not (await harness.tables.get(table.id)).row.in_channel


async def test_it_is_shown_once_without_its_past(harness: TableHarness) -> None:
    options = replace(ONE_HAND, target=1000)
    table = await harness.tables.create(replace(SOLO, setup=replace(SOLO.setup, options=options)), OPENER)
    while table.hands_over < 2:
        table = await harness.act(table)
    shown = await harness.tables.act(table.id, play.show_in_channel, ADA.user_id, OPENER)
    assert await harness.tables.displays.outdated() == [table.id]
    display = await harness.tables.displays.get(table.id)
    assert (display.announced_hand, display.announced_gangs) == (shown.hands_over, shown.gangs)
    with pytest.raises(OutdatedAction):
        await harness.tables.act(table.id, play.show_in_channel, ADA.user_id, OPENER)


async def test_it_ends_with_the_data_of_its_player(harness: TableHarness) -> None:
    table = await begin(harness)
    assert await Deletions(harness.database, harness.tables, harness.clock.milliseconds).delete(ADA.user_id)
    assert (await harness.tables.get(table.id)).row.status is Status.CLOSED
    assert await harness.tables.displays.outdated() == []


async def test_only_its_player_finds_it(harness: TableHarness) -> None:
    table = await begin(harness)
    found = harness.tables.open
    assert (await found.nearest(GUILD, ADA.user_id, CHANNEL)).id == table.id
    assert [each.table.id for each in await found.waiting_for(GUILD, ADA.user_id)] in ([], [table.id])
    with pytest.raises(NoOpenTable):
        await found.nearest(GUILD, BO.user_id, CHANNEL)
    for person in (ADA, BO):
        assert (await found.page(GUILD, person.user_id, {CHANNEL}, 0)).every == 0
    assert await found.ai_names(GUILD, CHANNEL) == set()
    await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=False)
    assert await found.solo_match(GUILD, ADA.user_id) is None
