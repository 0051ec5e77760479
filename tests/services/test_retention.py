"""What is forgotten by itself, when PRIVACY.md says so and not before."""

import re
from json import dumps
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from bot.engine.record import to_fields, write
from bot.services.guild_settings import Guilds
from bot.services.history import KEPT, History
from bot.services.retention import CHANGE_DAYS, DAY, GUILD_DAYS, HOUR, LOBBY_DAYS, Retention
from bot.storage import audit_log, erasure, guild_settings
from bot.storage.database import Database
from bot.storage.schema import events, metadata, packed_logs
from bot.table import consent, lobby, play
from bot.table.guild import AuditEntry
from bot.table.model import ChannelDisplay
from bot.table.refusals import ImportExpired, NoSuchTable
from tests.services.house import ADA, GUILD, QUICK, START, House, asks

PRIVACY = (Path(__file__).parents[2] / "PRIVACY.md").read_text(encoding="utf-8")
NOW = START // 1000


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


@pytest.fixture
def guilds(house: House) -> Guilds:
    return Guilds(house.database, house.clock.milliseconds)


def retention(house: House) -> Retention:
    """It looks when it is made, and then once an hour."""
    return Retention(house.database, house.tables)


async def kept(database: Database) -> dict[str, int]:
    """How many rows there are, of each table of the database that has any."""
    async with database.read() as connection:
        found = {
            table.name: await connection.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
        }
    return {name: rows for name, rows in found.items() if rows}


def test_the_days_are_those_of_the_page() -> None:
    assert re.findall(r"forgotten for (\d+) days", PRIVACY) == [str(GUILD_DAYS)]
    assert re.findall(r"(\d+) days after it was opened", PRIVACY) == [str(LOBBY_DAYS)]
    assert re.findall(r"(\d+) days; the id goes with the person", PRIVACY) == [str(CHANGE_DAYS)]
    assert re.findall(r"(\d+) days after it was imported", PRIVACY) == [str(KEPT // DAY)]


async def test_a_server_that_left_is_forgotten_whole_after_its_days(house: House, guilds: Guilds) -> None:
    await house.play_out(await house.match(3, 0, QUICK))
    running = await house.match(3, 0, QUICK)
    await guilds.begin_season(GUILD, ADA.user_id, "Spring")
    await guilds.record_leave(GUILD)
    before = await kept(house.database)
    await retention(house).forget(NOW + GUILD_DAYS * DAY)
    assert await kept(house.database) == before
    await retention(house).forget(NOW + GUILD_DAYS * DAY + 1)
    assert await kept(house.database) == {}
    for ask in (house.tables.get, house.tables.displays.get):
        with pytest.raises(NoSuchTable):
            await ask(running.id)


async def test_a_server_that_is_entered_again_keeps_everything(house: House, guilds: Guilds) -> None:
    await house.match(3, 0, QUICK)
    await guilds.record_join(GUILD)
    before = await kept(house.database)
    await guilds.record_leave(GUILD)
    await guilds.record_join(GUILD)
    await retention(house).forget(NOW + 2 * GUILD_DAYS * DAY)
    assert await kept(house.database) == before


async def test_of_servers_that_are_not_there_it_counts_from_when_that_was_noticed(house: House, guilds: Guilds) -> None:
    await house.match(3, 0, QUICK)
    await guilds.sync_guilds({GUILD, 71})
    house.clock.now += DAY * 1000
    await guilds.sync_guilds({71})
    house.clock.now += DAY * 1000
    await guilds.sync_guilds({71})
    await retention(house).forget(NOW + GUILD_DAYS * DAY + DAY)
    assert (await kept(house.database))["guilds"] == 2
    await retention(house).forget(NOW + GUILD_DAYS * DAY + DAY + 1)
    assert await kept(house.database) == {"guilds": 1}


async def test_only_old_lobbies_without_a_match_are_forgotten(house: House) -> None:
    waiting, closed = await house.table(2, size=3), await house.table(1)
    await house.tables.act(closed.id, play.in_lobby, lobby.left, ADA.user_id)
    match = await house.match(1, 2)
    await house.tables.act(match.id, consent.close, ADA.user_id, may_manage=True)
    late = NOW + LOBBY_DAYS * DAY + 1
    await retention(house).forget(late)
    assert (await kept(house.database))["tables"] == 3  # its channel does not know yet that it is closed
    await house.tables.displays.save(closed.id, ChannelDisplay(1, revision=9))
    await retention(house).forget(late - 1)
    assert (await kept(house.database))["tables"] == 3
    await retention(house).forget(late)
    assert await house.tables.open.numbers(GUILD) == [waiting.id]
    assert (await house.tables.get(match.id)).row.ended == "closed"
    with pytest.raises(NoSuchTable):
        await house.tables.get(closed.id)


async def test_imports_are_kept_for_their_days(house: House) -> None:
    table = await house.play_out(await house.match(1, 2))
    text = write(await house.record(table.id))
    history = History(house.database, house.background, house.clock.milliseconds)
    match = await history.bring(asks(ADA.user_id), text.encode())
    await retention(house).forget(NOW + KEPT)
    assert "imports" in await kept(house.database)
    house.clock.now += (KEPT + 1) * 1000
    with pytest.raises(ImportExpired):
        await history.brought(asks(ADA.user_id), match.number)
    await retention(house).forget(NOW + KEPT + 1)
    assert "imports" not in await kept(house.database)


async def test_logs_of_matches_that_ended_before_are_packed(house: House) -> None:
    table, running = await house.play_out(await house.match(1, 2)), await house.match(1, 2)
    lines = await house.record(table.id)
    rows = [{"table_id": table.id, "seq": seq, "line": dumps(to_fields(line))} for seq, line in enumerate(lines)]
    async with house.database.write() as connection:
        await connection.execute(packed_logs.delete())
        await connection.execute(insert(events), rows)
    keeper = retention(house)
    await keeper.pack_logs(NOW)
    await keeper.pack_logs(NOW)
    assert (await kept(house.database))["packed_logs"] == 1
    assert await house.record(table.id) == lines
    async with house.database.read() as connection:
        assert set(await connection.scalars(select(events.c.table_id))) == {running.id}


async def test_changes_are_kept_for_their_days(house: House) -> None:
    async with house.database.write() as connection:
        await audit_log.add(connection, GUILD, AuditEntry(NOW, ADA.user_id, "language", "", "de"))
    looking = retention(house)
    await looking.forget(NOW + CHANGE_DAYS * DAY)
    assert "audit_log" in await kept(house.database)
    await looking.forget(NOW + CHANGE_DAYS * DAY + 1)  # an hour has not passed
    assert "audit_log" in await kept(house.database)
    await looking.forget(NOW + CHANGE_DAYS * DAY + HOUR)
    assert "audit_log" not in await kept(house.database)


async def test_the_rows_of_a_server_go_in_batches(
    house: House, guilds: Guilds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "ROWS", 2)
    await guilds.record_locale(GUILD, "de")
    async with house.database.write() as connection:
        for at in range(5):
            await audit_log.add(connection, GUILD, AuditEntry(at, None, "size", "3", "4"))
        await guild_settings.set_presence(connection, {GUILD: 1})

    async def left() -> int:
        async with house.database.read() as connection:
            return (await audit_log.page(connection, GUILD, 0, 1))[0]

    counts: list[int] = []
    while (await left()) or not counts:
        counts.append(await left())
        async with house.database.write() as connection:
            assert await erasure.forget_guild(connection, GUILD, 2, 20) == []
    assert counts == [5, 3, 1]
    async with house.database.write() as connection:
        assert await erasure.forget_guild(connection, GUILD, 2, 20) is None
