"""How many tables a host and a guild may have open at once, and how many people a table may invite."""

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
from tests.services.house import ADA, BO, CHANNEL, CY, GUILD, QUICK, House, SeededEntropy

MOD = 500
GAME = TableSetup(3, "days-of-wonder", QUICK, Pace.NONE)


async def opened(house: House, host: Person = ADA, guild_id: int = GUILD) -> Table:
    return await house.tables.create(NewTable(guild_id, CHANNEL, host, GAME))


async def limit(house: House, name: str, number: int) -> None:
    await Guilds(house.database, house.clock.milliseconds).set_limit(GUILD, MOD, name, number)


async def test_a_host_has_so_many_open_tables_in_a_guild(house: House) -> None:
    tables = [await opened(house) for _ in range(HOST_TABLES.number)]
    with pytest.raises(TooManyTables) as refused:
        await opened(house)
    assert refused.value.most == HOST_TABLES.number
    await opened(house, BO)
    await opened(house, guild_id=GUILD + 1)
    await house.tables.act(tables[0].id, consent.close, ADA.user_id, may_manage=False)
    await opened(house)


async def test_a_guild_has_so_many_open_tables(house: House) -> None:
    await limit(house, GUILD_TABLES.setting, 2)
    await opened(house)
    await opened(house, BO)
    with pytest.raises(GuildIsFull) as refused:
        await opened(house)
    assert refused.value.most == 2
    await opened(house, guild_id=GUILD + 1)


async def test_managers_can_allow_more(house: House) -> None:
    await limit(house, HOST_TABLES.setting, 25)
    for _ in range(25):
        await opened(house)
    with pytest.raises(TooManyTables):
        await opened(house)


async def test_two_presses_at_once_cannot_exceed_it(any_database: Database) -> None:
    processes = [House(any_database, seed=seed) for seed in range(2)]
    done = await asyncio.gather(
        *(opened(processes[number % 2]) for number in range(2 * HOST_TABLES.number)), return_exceptions=True
    )
    assert [type(one) for one in done].count(Table) == HOST_TABLES.number
    assert all(isinstance(one, Table | TooManyTables) for one in done)


async def test_a_rematch_and_a_duplicate_need_room_as_well(house: House) -> None:
    await limit(house, HOST_TABLES.setting, 1)
    over = await house.play_out(await house.match(people=2, ai_players=1))
    other = await opened(house)
    with pytest.raises(TooManyTables):
        await house.tables.rematch(over.id, ADA)
    await opened(house, BO)
    with pytest.raises(TooManyTables):
        await house.tables.duplicate(other.id, CHANNEL, BO)
    assert (await house.tables.get(other.id)).row.duplicate_of is None


async def handed_over(house: House, *people: Person) -> Table:
    """A table that Ada opened and left, after others joined."""
    table = await opened(house)
    for person in people:
        table = await house.tables.act(table.id, play.join, person)
    return await house.tables.act(table.id, play.in_lobby, lobby.left, ADA.user_id)


async def test_the_host_role_passes_to_the_first_player_with_room(any_database: Database) -> None:
    house = House(any_database)
    await limit(house, HOST_TABLES.setting, 2)
    hosts = [(await handed_over(house, BO, CY)).row for _ in range(5)]
    assert [row.host_id for row in hosts[:4]] == [BO.user_id, BO.user_id, CY.user_id, CY.user_id]
    assert (hosts[4].status, hosts[4].ended) == (Status.CLOSED, NO_HOST)
    with pytest.raises(TooManyTables):
        await opened(house, BO)
    assert (await opened(house)).row.host_id == ADA.user_id


async def test_a_running_match_goes_on_with_the_player_who_hosts_the_fewest(house: House) -> None:
    match = await house.match(people=3, ai_players=0)
    for person in (BO, BO, CY):
        await opened(house, person)
    await limit(house, HOST_TABLES.setting, 1)
    match = await house.tables.act(match.id, play.concede, ADA.user_id)
    assert (match.row.status, match.row.host_id) == (Status.PLAYING, CY.user_id)


async def test_who_takes_the_host_role_of_a_rematch_needs_room(house: House) -> None:
    over = await house.play_out(await house.match(people=3, ai_players=0))
    public = over.public()
    assert public is not None
    assert public.ranking is not None
    last = next(seat for seat in public.ranking[-1])
    loser = next(person for person in (ADA, BO, CY) if person.user_id == over.seats[last].user_id)
    other = next(person for person in (ADA, BO, CY) if person is not loser)
    await limit(house, HOST_TABLES.setting, 1)
    rematch = await house.tables.rematch(over.id, other)
    await opened(house, loser)
    with pytest.raises(TooManyTables):
        await house.tables.rematch(over.id, loser, options_first=True)
    assert (await house.tables.get(rematch.id)).row.host_id == other.user_id


async def test_the_hand_of_the_day_takes_no_room(house: House) -> None:
    await limit(house, HOST_TABLES.setting, 1)
    daily = Daily(house.database, house.tables, SeededEntropy(1))
    await daily.deal(GUILD, CHANNEL, ADA, daily.today)
    await opened(house)
    await daily.deal(GUILD, CHANNEL, BO, daily.today)


async def test_a_table_invites_so_many_people(house: House) -> None:
    table = await opened(house)
    guests = tuple(range(1000, 1000 + INVITED.number))
    table = await house.tables.act(table.id, play.in_lobby, lobby.invited, ADA.user_id, guests)
    again = await house.tables.act(table.id, play.in_lobby, lobby.invited, ADA.user_id, guests[:3])
    assert again.row.invited == guests
    with pytest.raises(TooManyInvited):
        await house.tables.act(table.id, play.in_lobby, lobby.invited, ADA.user_id, (999,))


async def test_an_invitation_calls_only_who_is_not_called_already(house: House) -> None:
    row = replace((await opened(house)).row, awaited=(7,))
    assert lobby.newly_awaited(row, (ADA.user_id, 7, 8, 8, 9)) == (8, 9)


async def test_each_change_of_a_limit_is_noted(house: House) -> None:
    guilds = Guilds(house.database, house.clock.milliseconds)
    await guilds.set_limit(GUILD, MOD, HOST_TABLES.setting, 10)
    server = await guilds.set_limit(GUILD, MOD, "invitations", 3)
    assert server.limits == {"host_tables": 10, "invitations": 3}
    assert await guilds.get(GUILD) == server
    _, noted = await guilds.changes(GUILD, 0)
    assert [(each.what, each.before, each.after) for each in noted] == [
        ("invitations", "10", "3"),
        ("host_tables", "5", "10"),
    ]
