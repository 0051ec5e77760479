"""Data is deleted automatically, exactly when PRIVACY.md says so."""

import re
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bot.analysis.practice import Source
from bot.engine import Options
from bot.engine.record import write
from bot.players.levels import Level
from bot.services.guild_settings import Guilds
from bot.services.history import IMPORT_SECONDS, History
from bot.services.practice import KEPT_SECONDS
from bot.services.retention import CHANGE_DAYS, DAY, GUILD_DAYS, HOUR, LOBBY_DAYS, Retention
from bot.storage import audit_log, guild_settings, retention
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.table import consent, lobby, play
from bot.table.guild import AuditEntry, GuildSettings
from bot.table.refusals import ImportExpired, NoSuchTable
from tests.services.test_practice import practices
from tests.table_harness import ADA, GUILD, ONE_HAND, START, TableHarness, requester

PRIVACY = (Path(__file__).parents[2] / "PRIVACY.md").read_text(encoding="utf-8")
NOW = START // 1000


@pytest.fixture
def guilds(harness: TableHarness) -> Guilds:
    return Guilds(harness.database, harness.clock.milliseconds)


def service(harness: TableHarness) -> Retention:
    """The service checks when it's created, and then once an hour."""
    return Retention(harness.database, harness.tables)


async def row_counts(database: Database) -> dict[str, int]:
    """The number of rows in each table of the database that has any."""
    async with database.read() as connection:
        found = {
            table.name: await connection.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
        }
    return {name: rows for name, rows in found.items() if rows}


def test_the_periods_match_the_privacy_page() -> None:
    assert re.findall(r"Nothing is deleted for (\d+) days", PRIVACY) == [str(GUILD_DAYS)]
    assert re.findall(r"(\d+) days after it was opened", PRIVACY) == [str(LOBBY_DAYS)]
    assert re.findall(r"(\d+) days; the user's id", PRIVACY) == [str(CHANGE_DAYS)]
    assert re.findall(r"(\d+) days after it was imported", PRIVACY) == [str(IMPORT_SECONDS // DAY)]
    assert re.findall(r"(\d+) days after it was begun", PRIVACY) == [str(KEPT_SECONDS // DAY)]


async def test_a_guild_is_deleted_completely_some_days_after_removing_the_app(
    harness: TableHarness, guilds: Guilds
) -> None:
    await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    running = await harness.match(3, 0, ONE_HAND)
    await guilds.begin_season(requester(ADA.user_id), "Spring")
    await guilds.record_leave(GUILD)
    before = await row_counts(harness.database)
    await service(harness).delete_expired(NOW + GUILD_DAYS * DAY)
    assert await row_counts(harness.database) == before
    await service(harness).delete_expired(NOW + GUILD_DAYS * DAY + 1)
    assert await row_counts(harness.database) == {}
    for ask in (harness.tables.get, harness.tables.displays.get):
        with pytest.raises(NoSuchTable):
            await ask(running.id)


async def test_a_guild_that_adds_the_app_again_keeps_its_data(harness: TableHarness, guilds: Guilds) -> None:
    await harness.match(3, 0, ONE_HAND)
    await guilds.record_join(GUILD)
    before = await row_counts(harness.database)
    await guilds.record_leave(GUILD)
    await guilds.record_join(GUILD)
    await service(harness).delete_expired(NOW + 2 * GUILD_DAYS * DAY)
    assert await row_counts(harness.database) == before


@pytest.mark.parametrize("is_told", [True, False], ids=["at once", "when the app connects again"])
async def test_a_guild_that_adds_the_app_after_its_data_was_deleted_begins_again(
    harness: TableHarness, guilds: Guilds, *, is_told: bool
) -> None:
    await guilds.record_join(GUILD)
    await guilds.set(requester(ADA.user_id), language="de", channels=(5,))
    assert (await guilds.get(GUILD)).language == "de"
    await guilds.record_leave(GUILD)
    await service(harness).delete_expired(NOW + GUILD_DAYS * DAY + 1)
    await (guilds.record_join(GUILD) if is_told else guilds.sync_guilds({GUILD}))
    assert await guilds.get(GUILD) == GuildSettings()


async def test_the_period_of_a_missing_guild_begins_when_its_absence_is_noticed(
    harness: TableHarness, guilds: Guilds
) -> None:
    await harness.match(3, 0, ONE_HAND)
    await guilds.sync_guilds({GUILD, 71})
    harness.clock.now += DAY * 1000
    await guilds.sync_guilds({71})
    harness.clock.now += DAY * 1000
    await guilds.sync_guilds({71})
    await service(harness).delete_expired(NOW + GUILD_DAYS * DAY + DAY)
    assert (await row_counts(harness.database))["guilds"] == 2
    await service(harness).delete_expired(NOW + GUILD_DAYS * DAY + DAY + 1)
    assert await row_counts(harness.database) == {"guilds": 1}


async def test_only_old_lobbies_without_a_match_are_deleted(harness: TableHarness) -> None:
    waiting, closed = await harness.table(2, size=3), await harness.table(1)
    await harness.tables.act(closed.id, play.change_lobby, lobby.leave, ADA.user_id)
    match = await harness.match(1, 2)
    await harness.tables.act(match.id, consent.close, ADA.user_id, may_manage=True)
    late = NOW + LOBBY_DAYS * DAY + 1
    await service(harness).delete_expired(late - 1)
    assert (await row_counts(harness.database))["tables"] == 3
    await service(harness).delete_expired(late)
    assert await harness.tables.open.numbers(GUILD) == [waiting.id]
    assert (await harness.tables.get(match.id)).row.ended == "closed"
    with pytest.raises(NoSuchTable):
        await harness.tables.get(closed.id)


async def test_imports_are_deleted_after_their_period(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(1, 2))
    text = write(await harness.record(table.id))
    history = History(harness.database, harness.background, harness.clock.milliseconds)
    match = await history.import_record(requester(ADA.user_id), text.encode())
    await service(harness).delete_expired(NOW + IMPORT_SECONDS)
    assert "imports" in await row_counts(harness.database)
    harness.clock.now += (IMPORT_SECONDS + 1) * 1000
    with pytest.raises(ImportExpired):
        await history.get_import(requester(ADA.user_id), match.number)
    await service(harness).delete_expired(NOW + IMPORT_SECONDS + 1)
    assert "imports" not in await row_counts(harness.database)


async def test_practice_hands_are_deleted_after_their_period(harness: TableHarness) -> None:
    practice = await practices(harness).deal(
        requester(ADA.user_id), Source.NEW, "days-of-wonder", Options(), 4, Level.SIMPLE
    )
    begun = practice.number // 1000
    await service(harness).delete_expired(begun + KEPT_SECONDS)
    assert "practices" in await row_counts(harness.database)
    await service(harness).delete_expired(begun + KEPT_SECONDS + 1)
    assert "practices" not in await row_counts(harness.database)


async def test_audit_entries_are_deleted_after_their_period(harness: TableHarness) -> None:
    async with harness.database.write() as connection:
        await audit_log.add(connection, GUILD, AuditEntry(NOW, ADA.user_id, "language", "", "de"))
    looking = service(harness)
    await looking.delete_expired(NOW + CHANGE_DAYS * DAY)
    assert "audit_log" in await row_counts(harness.database)
    await looking.delete_expired(NOW + CHANGE_DAYS * DAY + 1)  # an hour has not passed
    assert "audit_log" in await row_counts(harness.database)
    await looking.delete_expired(NOW + CHANGE_DAYS * DAY + HOUR)
    assert "audit_log" not in await row_counts(harness.database)


async def test_the_rows_of_a_guild_are_deleted_in_batches(
    harness: TableHarness, guilds: Guilds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "ROWS_PER_BATCH", 2)
    await guilds.record_locale(GUILD, "de", "en")
    async with harness.database.write() as connection:
        for at in range(5):
            await audit_log.add(connection, GUILD, AuditEntry(at, None, "size", "3", "4"))
        await guild_settings.set_presence(connection, {GUILD: 1})

    async def left() -> int:
        async with harness.database.read() as connection:
            return (await audit_log.page(connection, GUILD, 0, 1))[0]

    counts: list[int] = []
    while (await left()) or not counts:
        counts.append(await left())
        async with harness.database.write() as connection:
            assert await retention.delete_guild(connection, GUILD, 2, 20) == []
    assert counts == [5, 3, 1]
    async with harness.database.write() as connection:
        assert await retention.delete_guild(connection, GUILD, 2, 20) is None
