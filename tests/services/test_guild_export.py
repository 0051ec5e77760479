"""The export of a guild: what it contains, what it leaves out, and its size."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from bot.services.guild_export import GuildExport, GuildExports
from bot.services.guild_settings import Guilds
from bot.services.history import verify_record
from bot.services.privacy import Privacy
from bot.storage.schema import tables
from bot.table.model import Place
from bot.table.refusals import ExportTooLarge
from tests.table_harness import ADA, BO, CHANNEL, GUILD, TableHarness, requester
from tests.work_counters import selects

ROOM = 10 * 2**20
"""Bytes."""


@pytest.fixture
def exports(harness: TableHarness) -> GuildExports:
    return GuildExports(harness.database, harness.exports)


def see_all(_place: Place) -> bool:
    return True


def contents(export: GuildExport) -> tuple[dict[str, Any], dict[str, str]]:
    """The data of the guild, and the records by file name."""
    with ZipFile(BytesIO(export.data)) as file:
        facts: dict[str, Any] = json.loads(file.read("server.json"))
        return facts, {name: file.read(name).decode() for name in file.namelist() if name.startswith("records/")}


async def played(harness: TableHarness, number: int = 1) -> list[int]:
    return [(await harness.play_to_end(await harness.match(3, 0))).id for _ in range(number)]


async def test_an_export_has_the_settings_and_matches_of_the_guild(
    harness: TableHarness, exports: GuildExports
) -> None:
    await Guilds(harness.database, harness.clock.milliseconds).set(requester(ADA.user_id), language="de")
    (number,) = await played(harness)
    export = await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM)
    facts, records = contents(export)
    assert facts["settings"][0]["language"] == "de"
    assert [change["what"] for change in facts["audit_log"]] == ["language"]
    (match,) = facts["matches"]
    assert (match["id"], match["channel_id"], match["hands"]) == (number, CHANNEL, 1)
    assert sorted(player["name"] for player in match["players"]) == ["Ada", "Bo", "Cy"]
    assert len(facts["leaderboard"]) == 3
    assert (export.records, export.missing) == (1, 0)
    assert list(records) == [f"records/table-{number}.jsonl"]


async def test_exported_records_can_be_imported(harness: TableHarness, exports: GuildExports) -> None:
    (number,) = await played(harness)
    _, records = contents(await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM))
    assert verify_record(records[f"records/table-{number}.jsonl"]) == await harness.record(number)


async def test_running_and_solo_matches_and_secret_deals_are_left_out(
    harness: TableHarness, exports: GuildExports
) -> None:
    shown, private, deals_secret = await played(harness, 3)
    async with harness.database.write() as connection:
        await connection.execute(update(tables).where(tables.c.id == private).values(in_channel=False))
        await connection.execute(update(tables).where(tables.c.id == deals_secret).values(deals_secret=True))
    await harness.match(3, 0)
    await harness.table(2)
    facts, records = contents(await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM))
    assert [match["id"] for match in facts["matches"]] == [shown]
    assert list(records) == [f"records/table-{shown}.jsonl"]


async def test_channels_that_the_manager_cannot_see_are_left_out(harness: TableHarness, exports: GuildExports) -> None:
    shown, hidden = await played(harness, 2)
    async with harness.database.write() as connection:
        await connection.execute(update(tables).where(tables.c.id == hidden).values(thread_id=77))
    export = await exports.export(requester(ADA.user_id, GUILD), lambda place: place.place_id == CHANNEL, ROOM)
    facts, records = contents(export)
    assert [match["id"] for match in facts["matches"]] == [shown]
    assert list(records) == [f"records/table-{shown}.jsonl"]
    assert export.missing == 0


async def test_hidden_members_are_on_no_leaderboard(harness: TableHarness, exports: GuildExports) -> None:
    await played(harness)
    privacy = Privacy(harness.database, harness.exports, harness.clock.milliseconds)
    await privacy.hide(BO.user_id, hidden=True)
    facts, _ = contents(await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM))
    shown = {
        line["user_id"] for name in ("leaderboard", "leaderboard_with_ai", "ratings", "titles") for line in facts[name]
    }
    assert ADA.user_id in shown
    assert BO.user_id not in shown


async def test_nothing_of_other_guilds_is_in_it(harness: TableHarness, exports: GuildExports) -> None:
    await played(harness)
    facts, records = contents(await exports.export(requester(ADA.user_id, GUILD + 1), see_all, ROOM))
    assert facts.pop("guild_id") == GUILD + 1
    assert set(map(str, facts.values())) == {"[]"}
    assert records == {}


async def test_the_newest_records_come_first_while_there_is_room(harness: TableHarness, exports: GuildExports) -> None:
    await played(harness, 5)
    whole = await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM)
    for room in range(len(whole.data) // 2, len(whole.data) + 1000, 500):
        export = await exports.export(requester(ADA.user_id, GUILD), see_all, room)
        facts, records = contents(export)
        assert len(export.data) <= room
        assert len(facts["matches"]) == 5
        newest = [match["id"] for match in facts["matches"]][: export.records]
        assert list(records) == [f"records/table-{number}.jsonl" for number in newest]
        assert (export.records, export.missing) == (len(records), 5 - len(records))
        older = await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM, export.oldest)
        assert {*records, *contents(older)[1]} == {*contents(whole)[1]}
        assert older.records == (export.missing if records else 5)
    with pytest.raises(ExportTooLarge):
        await exports.export(requester(ADA.user_id, GUILD), see_all, 500)


async def test_the_number_of_statements_grows_with_batches_only(
    harness: TableHarness, exports: GuildExports, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(harness)
    with selects() as few:
        await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM)
    await played(harness, 4)
    with selects() as many:
        await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM)
    assert len(many) == len(few)
    monkeypatch.setattr("bot.services.guild_export.RECORDS_AT_ONCE", 2)
    with selects() as batches:
        await exports.export(requester(ADA.user_id, GUILD), see_all, ROOM)
    assert len(batches) == len(many) + 2 * 2
