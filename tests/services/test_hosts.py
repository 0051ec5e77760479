"""The limits on open tables of a host and a guild, and on invitations."""

import asyncio
from dataclasses import replace

import pytest

from bot.services.daily import Daily
from bot.services.guild_settings import Guilds
from bot.services.hosts import NO_HOST
from bot.storage.database import Database
from bot.table import consent, lobby, play
from bot.table.limits import GUILD_TABLES, HOST_TABLES, INVITED
from bot.table.lobby import NewTable, Person, TableSetup
from bot.table.model import Pace, Status
from bot.table.refusals import GuildIsFull, TooManyInvited, TooManyTables
from bot.table.snapshot import Table
from tests.table_harness import ADA, BO, CHANNEL, CY, GUILD, ONE_HAND, OPENER, TableHarness, requester, seeds

MOD = 500
GAME = TableSetup(3, "days-of-wonder", ONE_HAND, Pace.NONE)


async def open_table(harness: TableHarness, host: Person = ADA, guild_id: int = GUILD) -> Table:
    return await harness.tables.create(NewTable(guild_id, CHANNEL, host, GAME), OPENER)


async def limit(harness: TableHarness, name: str, number: int) -> None:
    await Guilds(harness.database, harness.clock.milliseconds).set_limit(requester(MOD), name, number)


async def test_the_open_tables_of_a_host_are_limited(harness: TableHarness) -> None:
    tables = [await open_table(harness) for _ in range(HOST_TABLES.number)]
    with pytest.raises(TooManyTables) as refused:
        await open_table(harness)
    assert refused.value.limit == HOST_TABLES.number
    await open_table(harness, BO)
    await open_table(harness, guild_id=GUILD + 1)
    await harness.tables.act(tables[0].id, consent.close, ADA.user_id, may_manage=False)
    await open_table(harness)


async def test_a_lowered_limit_is_not_said_to_be_the_number_of_open_tables(harness: TableHarness) -> None:
    for _ in range(3):
        await open_table(harness)
    await limit(harness, HOST_TABLES.setting, 1)
    with pytest.raises(TooManyTables) as refused:
        await open_table(harness)
    assert refused.value.limit == 3
    await limit(harness, GUILD_TABLES.setting, 2)
    with pytest.raises(GuildIsFull) as full:
        await open_table(harness, BO)
    assert full.value.limit == 3


async def test_the_open_tables_of_a_guild_are_limited(harness: TableHarness) -> None:
    await limit(harness, GUILD_TABLES.setting, 2)
    await open_table(harness)
    await open_table(harness, BO)
    with pytest.raises(GuildIsFull) as refused:
        await open_table(harness)
    assert refused.value.limit == 2
    await open_table(harness, guild_id=GUILD + 1)


async def test_managers_can_allow_more(harness: TableHarness) -> None:
    await limit(harness, HOST_TABLES.setting, 25)
    for _ in range(25):
        await open_table(harness)
    with pytest.raises(TooManyTables):
        await open_table(harness)


async def test_two_presses_at_once_cannot_exceed_the_limit(any_database: Database) -> None:
    processes = [TableHarness(any_database, seed=seed) for seed in range(2)]
    done = await asyncio.gather(
        *(open_table(processes[number % 2]) for number in range(2 * HOST_TABLES.number)), return_exceptions=True
    )
    assert [type(one) for one in done].count(Table) == HOST_TABLES.number
    assert all(isinstance(one, Table | TooManyTables) for one in done)


async def test_a_rematch_and_a_duplicate_need_room_as_well(harness: TableHarness) -> None:
    await limit(harness, HOST_TABLES.setting, 1)
    over = await harness.play_to_end(await harness.match(people=2, ai_players=1))
    other = await open_table(harness)
    with pytest.raises(TooManyTables):
        await harness.tables.rematch(over.id, ADA, OPENER)
    await open_table(harness, BO)
    with pytest.raises(TooManyTables):
        await harness.tables.duplicate(other.id, CHANNEL, BO, OPENER)
    assert (await harness.tables.get(other.id)).row.duplicate_of is None


async def left_by_host(harness: TableHarness, *people: Person) -> Table:
    """A table that Ada opened and left after others had joined."""
    table = await open_table(harness)
    for person in people:
        table = await harness.tables.act(table.id, play.join, person)
    return await harness.tables.act(table.id, play.change_lobby, lobby.leave, ADA.user_id)


async def test_the_host_role_passes_to_the_first_player_with_room(any_database: Database) -> None:
    harness = TableHarness(any_database)
    await limit(harness, HOST_TABLES.setting, 2)
    hosts = [(await left_by_host(harness, BO, CY)).row for _ in range(5)]
    assert [row.host_id for row in hosts[:4]] == [BO.user_id, BO.user_id, CY.user_id, CY.user_id]
    assert (hosts[4].status, hosts[4].ended) == (Status.CLOSED, NO_HOST)
    with pytest.raises(TooManyTables):
        await open_table(harness, BO)
    assert (await open_table(harness)).row.host_id == ADA.user_id


async def test_a_running_match_goes_on_with_the_player_who_hosts_the_fewest(harness: TableHarness) -> None:
    match = await harness.match(people=3, ai_players=0)
    for person in (BO, BO, CY):
        await open_table(harness, person)
    await limit(harness, HOST_TABLES.setting, 1)
    match = await harness.tables.act(match.id, play.concede, ADA.user_id)
    assert (match.row.status, match.row.host_id) == (Status.PLAYING, CY.user_id)


async def test_the_new_host_of_a_rematch_needs_room(harness: TableHarness) -> None:
    over = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    public = over.public
    assert public is not None
    assert public.ranking is not None
    last = next(seat for seat in public.ranking[-1])
    loser = next(person for person in (ADA, BO, CY) if person.user_id == over.seats[last].user_id)
    other = next(person for person in (ADA, BO, CY) if person is not loser)
    await limit(harness, HOST_TABLES.setting, 1)
    rematch = await harness.tables.rematch(over.id, other, OPENER)
    await open_table(harness, loser)
    with pytest.raises(TooManyTables):
        await harness.tables.rematch(over.id, loser, OPENER, options_first=True)
    assert (await harness.tables.get(rematch.id)).row.host_id == other.user_id


async def test_the_hand_of_the_day_takes_no_room(harness: TableHarness) -> None:
    await limit(harness, HOST_TABLES.setting, 1)
    daily = Daily(harness.database, harness.tables, seeds(1))
    await daily.deal(GUILD, CHANNEL, ADA, daily.today)
    await open_table(harness)
    await daily.deal(GUILD, CHANNEL, BO, daily.today)


async def test_the_invitations_of_a_table_are_limited(harness: TableHarness) -> None:
    table = await open_table(harness)
    guests = tuple(range(1000, 1000 + INVITED))
    table = await harness.tables.act(table.id, play.change_lobby, lobby.invite, ADA.user_id, guests)
    again = await harness.tables.act(table.id, play.change_lobby, lobby.invite, ADA.user_id, guests[:3])
    assert again.row.invited == guests
    with pytest.raises(TooManyInvited):
        await harness.tables.act(table.id, play.change_lobby, lobby.invite, ADA.user_id, (999,))


async def test_an_invitation_notifies_only_newly_invited_users(harness: TableHarness) -> None:
    row = replace((await open_table(harness)).row, awaited=(7,))
    assert lobby.newly_invited(row, (ADA.user_id, 7, 8, 8, 9)) == (8, 9)


async def test_each_change_of_a_limit_is_in_the_audit_log(harness: TableHarness) -> None:
    guilds = Guilds(harness.database, harness.clock.milliseconds)
    await guilds.set_limit(requester(MOD), HOST_TABLES.setting, 10)
    await guilds.set_limit(requester(MOD), "invitations", 3)
    server = await guilds.get(GUILD)
    assert server.limits == {"host_tables": 10, "invitations": 3}
    assert await guilds.get(GUILD) == server
    _, entries = await guilds.changes(GUILD, 0)
    assert [(each.what, each.before, each.after) for each in entries] == [
        ("invitations", "10", "3"),
        ("host_tables", "5", "10"),
    ]
