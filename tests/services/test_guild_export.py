"""The export of a guild: what its managers get, what is left out, and that it fits."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import update

from bot.services.guild_export import GuildExport, GuildExports
from bot.services.guild_settings import Guilds
from bot.services.history import verified
from bot.services.privacy import Privacy
from bot.storage.database import Database
from bot.storage.schema import tables
from bot.table.model import Place
from bot.table.refusals import ExportTooLarge
from tests.queries import asked
from tests.services.house import ADA, BO, CHANNEL, GUILD, House, asks

ROOM = 10 * 2**20
"""Bytes."""


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


@pytest.fixture
def exports(house: House) -> GuildExports:
    return GuildExports(house.database, house.exports)


def everywhere(_place: Place) -> bool:
    return True


def contents(export: GuildExport) -> tuple[dict[str, Any], dict[str, str]]:
    """The data of the guild, and the records by the names of their files."""
    with ZipFile(BytesIO(export.data)) as file:
        facts: dict[str, Any] = json.loads(file.read("server.json"))
        return facts, {name: file.read(name).decode() for name in file.namelist() if name.startswith("records/")}


async def played(house: House, number: int = 1) -> list[int]:
    return [(await house.play_out(await house.match(3, 0))).id for _ in range(number)]


async def test_it_holds_what_the_guild_has_set_and_played(house: House, exports: GuildExports) -> None:
    await Guilds(house.database, house.clock.milliseconds).set_language(GUILD, ADA.user_id, "de")
    (number,) = await played(house)
    export = await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM)
    facts, records = contents(export)
    assert facts["settings"][0]["language"] == "de"
    assert [change["what"] for change in facts["audit_log"]] == ["language"]
    (match,) = facts["matches"]
    assert (match["id"], match["channel_id"], match["hands"]) == (number, CHANNEL, 1)
    assert sorted(player["name"] for player in match["players"]) == ["Ada", "Bo", "Cy"]
    assert len(facts["leaderboard"]) == 3
    assert (export.records, export.missing) == (1, 0)
    assert list(records) == [f"records/table-{number}.jsonl"]


async def test_each_record_can_be_imported(house: House, exports: GuildExports) -> None:
    (number,) = await played(house)
    _, records = contents(await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM))
    assert verified(records[f"records/table-{number}.jsonl"]) == await house.record(number)


async def test_running_matches_daily_hands_and_secret_deals_are_left_out(house: House, exports: GuildExports) -> None:
    shown, daily, deals_secret = await played(house, 3)
    async with house.database.write() as connection:
        await connection.execute(update(tables).where(tables.c.id == daily).values(daily="2026-12-24"))
        await connection.execute(update(tables).where(tables.c.id == deals_secret).values(deals_secret=True))
    await house.match(3, 0)
    await house.table(2)
    facts, records = contents(await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM))
    assert [match["id"] for match in facts["matches"]] == [shown]
    assert list(records) == [f"records/table-{shown}.jsonl"]


async def test_channels_that_the_manager_cannot_see_are_left_out(house: House, exports: GuildExports) -> None:
    shown, hidden = await played(house, 2)
    async with house.database.write() as connection:
        await connection.execute(update(tables).where(tables.c.id == hidden).values(thread_id=77))
    export = await exports.export(asks(ADA.user_id, GUILD), lambda place: place.place_id == CHANNEL, ROOM)
    facts, records = contents(export)
    assert [match["id"] for match in facts["matches"]] == [shown]
    assert list(records) == [f"records/table-{shown}.jsonl"]
    assert export.missing == 0


async def test_hidden_members_are_on_no_leaderboard(house: House, exports: GuildExports) -> None:
    await played(house)
    privacy = Privacy(house.database, house.exports, house.clock.milliseconds)
    await privacy.hide(BO.user_id, hidden=True)
    facts, _ = contents(await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM))
    shown = {
        line["user_id"] for name in ("leaderboard", "leaderboard_with_ai", "ratings", "titles") for line in facts[name]
    }
    assert ADA.user_id in shown
    assert BO.user_id not in shown


async def test_nothing_of_other_guilds_is_in_it(house: House, exports: GuildExports) -> None:
    await played(house)
    facts, records = contents(await exports.export(asks(ADA.user_id, GUILD + 1), everywhere, ROOM))
    assert facts.pop("guild_id") == GUILD + 1
    assert set(map(str, facts.values())) == {"[]"}
    assert records == {}


async def test_the_newest_records_come_first_while_there_is_room(house: House, exports: GuildExports) -> None:
    await played(house, 5)
    whole = await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM)
    for room in range(len(whole.data) // 2, len(whole.data) + 1000, 500):
        export = await exports.export(asks(ADA.user_id, GUILD), everywhere, room)
        facts, records = contents(export)
        assert len(export.data) <= room
        assert len(facts["matches"]) == 5
        newest = [match["id"] for match in facts["matches"]][: export.records]
        assert list(records) == [f"records/table-{number}.jsonl" for number in newest]
        assert (export.records, export.missing) == (len(records), 5 - len(records))
    with pytest.raises(ExportTooLarge):
        await exports.export(asks(ADA.user_id, GUILD), everywhere, 500)


async def test_the_number_of_statements_grows_with_batches_only(
    house: House, exports: GuildExports, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(house)
    with asked(house.database) as few:
        await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM)
    await played(house, 4)
    with asked(house.database) as many:
        await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM)
    assert len(many) == len(few)
    monkeypatch.setattr("bot.services.guild_export.RECORDS_AT_ONCE", 2)
    with asked(house.database) as batches:
        await exports.export(asks(ADA.user_id, GUILD), everywhere, ROOM)
    assert len(batches) == len(many) + 2 * 2
