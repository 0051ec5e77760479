"""How many tables a host and a guild may have open at once, and how many people a table may invite."""

import asyncio
from dataclasses import replace

import pytest

from bot.services import actions, consent, lobby
from bot.services.daily import Daily
from bot.services.limits import GUILD_TABLES, HOST_TABLES, INVITED
from bot.services.lobby import NewTable, Person, Wishes
from bot.services.refusals import GuildIsFull, TooManyInvited, TooManyTables
from bot.services.servers import Servers
from bot.services.table import Table
from bot.storage.database import Database
from bot.storage.rows import Pace
from tests.services.house import ADA, BO, CHANNEL, GUILD, QUICK, House, SeededEntropy

MOD = 500
GAME = Wishes(3, "days-of-wonder", QUICK, Pace.NONE)


async def opened(house: House, host: Person = ADA, guild_id: int = GUILD) -> Table:
    return await house.tables.make(NewTable(guild_id, CHANNEL, host, GAME))


async def limit(house: House, name: str, number: int) -> None:
    await Servers(house.database, house.clock.milliseconds).set_limit(GUILD, MOD, name, number)


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
    over = await house.play_out(await house.match(people=2, robots=1))
    other = await opened(house)
    with pytest.raises(TooManyTables):
        await house.tables.rematch(over.id, ADA)
    await opened(house, BO)
    with pytest.raises(TooManyTables):
        await house.tables.duplicate(other.id, CHANNEL, BO)
    assert (await house.tables.get(other.id)).row.twin_id is None


async def test_the_hand_of_the_day_takes_no_room(house: House) -> None:
    await limit(house, HOST_TABLES.setting, 1)
    daily = Daily(house.database, house.tables, SeededEntropy(1))
    await daily.deal(GUILD, CHANNEL, ADA, daily.today)
    await opened(house)
    await daily.deal(GUILD, CHANNEL, BO, daily.today)


async def test_a_table_invites_so_many_people(house: House) -> None:
    table = await opened(house)
    guests = tuple(range(1000, 1000 + INVITED.number))
    table = await house.tables.act(table.id, actions.in_lobby, lobby.invited, ADA.user_id, guests)
    again = await house.tables.act(table.id, actions.in_lobby, lobby.invited, ADA.user_id, guests[:3])
    assert again.row.invited == guests
    with pytest.raises(TooManyInvited):
        await house.tables.act(table.id, actions.in_lobby, lobby.invited, ADA.user_id, (999,))


async def test_an_invitation_calls_only_who_is_not_called_already(house: House) -> None:
    row = replace((await opened(house)).row, awaited=(7,))
    assert lobby.newly_awaited(row, (ADA.user_id, 7, 8, 8, 9)) == (8, 9)


async def test_each_change_of_a_limit_is_noted(house: House) -> None:
    servers = Servers(house.database, house.clock.milliseconds)
    await servers.set_limit(GUILD, MOD, HOST_TABLES.setting, 10)
    server = await servers.set_limit(GUILD, MOD, "invitations", 3)
    assert server.limits == {"host_tables": 10, "invitations": 3}
    assert await servers.get(GUILD) == server
    _, noted = await servers.changes(GUILD, 0)
    assert [(each.what, each.before, each.after) for each in noted] == [
        ("invitations", "10", "3"),
        ("host_tables", "5", "10"),
    ]
