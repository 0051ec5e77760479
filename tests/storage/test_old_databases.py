"""Databases of all earlier revisions can be migrated, keep their data, and work."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copy
from typing import Any, Final, TypeAlias

import pytest
import pytest_asyncio
from sqlalchemy import Connection, Integer, MetaData, Table, func, insert, select

from bot.analysis.history import HistoryFilter
from bot.engine import Options
from bot.services import recount
from bot.services.archive import check_deals
from bot.services.daily import Daily
from bot.services.guild_settings import Guilds
from bot.services.history import History
from bot.services.profile import Profiles
from bot.services.user_settings import Users
from bot.storage import deadlines, logs
from bot.storage.database import Database
from bot.storage.schema import match_players, metadata
from bot.table import consent, play
from bot.table.model import ClockStage, DeadlineKind, Pace, Status
from tests.conftest import opened
from tests.storage.test_migrations import FROZEN, upgrade
from tests.table_harness import ADA, BO, CHANNEL, CY, EVE, GUILD, START, TableHarness, requester, seeds

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
"""By table."""

FORMER: Final[Mapping[str, Mapping[str, Any]]] = {
    "tables": {"notice_moment": -1},
    "seats": {"join_id": "1300000000000000001"},
    "guilds": {"celebrates": False},
}
"""Columns that no longer exist, with a value."""
RECORD: Final = Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl"
"""The records that users have imported."""
RENAMED_TABLES: Final = {"sitters": "substitutes", "people": "users", "changes": "audit_log", "deeds": "title_stats"}
RENAMED: Final = {
    "by_robot": "absent",
    "robot": "ai_level",
    "sitter_id": "substitute_id",
    "sitter_name": "substitute_name",
    "customs": "settings",
    "sent_away": "removed",
    "twin_id": "duplicate_of",
    "sealed": "deals_secret",
    "shown_revision": "displayed_revision",
    "shown_version": "display_version",
    "told_hand": "announced_hand",
    "told_gangs": "announced_gangs",
    "told_titles": "announced_titles",
    "told_twin": "announced_duplicate",
    "telling": "notifications",
}
"""The current name of a table or column by its former one."""
NEARLY_OVER: Final = 3
"""Cards in each hand of the running match, so the tests of all revisions only play its end."""
LOBBY, RUNNING, UNLIMITED, FINISHED, CONCEDED, DAILY, ENDED = range(1, 8)
"""The numbers of the tables."""


async def current_rows(database: Database) -> Rows:
    """A lobby, running, finished and ended matches, a hand of the day, and settings of a guild and its members."""
    harness = TableHarness(database)
    await _tables(harness)
    await _settings(harness)
    async with database.read() as connection:
        found = {
            table.name: [dict(row) for row in (await connection.execute(select(table))).mappings()]
            for table in metadata.sorted_tables
        }
    for row in found["tables"]:
        row["message_id"] = row["first_message_id"]
    return found


async def _tables(harness: TableHarness) -> None:
    await harness.table(people=2, ai_players=1)
    running = await harness.match(3, 0, pace=Pace.DAY)
    while running.state is not None and min(map(len, running.state.hands)) > NEARLY_OVER:
        running = await harness.act(running)
    await harness.act(await harness.match(3, 0, pace=Pace.NONE))
    await harness.play_to_end(await harness.match(3, 0))
    conceded = await harness.match(2, 1)
    await harness.play_to_end(await harness.tables.act(conceded.id, play.concede, BO.user_id))
    daily = Daily(harness.database, harness.tables, seeds(2))
    await harness.play_to_end(await daily.deal(GUILD, CHANNEL, ADA, daily.today))
    ended = await harness.match(3, 0, Options(target=50))
    await harness.tables.act(ended.id, consent.close, ADA.user_id, may_manage=True)


async def _settings(harness: TableHarness) -> None:
    guilds, members = Guilds(harness.database, harness.clock.milliseconds), Users(harness.database)
    await guilds.record_locale(GUILD, "de", "en")
    await guilds.set_default(GUILD, ADA.user_id, target=50)
    await guilds.begin_season(GUILD, ADA.user_id, "Spring")
    await members.set_zone(ADA.user_id, "Europe/Berlin")
    await members.set_quiet(ADA.user_id, (1320, 420))
    await History(harness.database, harness.background, harness.clock.milliseconds).import_record(
        requester(EVE.user_id), RECORD.read_bytes()
    )


def insert_old(connection: Connection, rows: Rows) -> None:
    """Store the rows in a database of an earlier revision that has their tables and columns."""
    old = MetaData()
    old.reflect(connection)
    has_dailies = "daily" in old.tables["tables"].c
    dailies = set() if has_dailies else {row["id"] for row in rows["tables"] if row["daily"] is not None}
    if "packed_logs" not in old.tables:
        rows = {**rows, "events": [*rows["events"], *_unpacked(rows["packed_logs"])]}
    if "turn_due" not in old.tables["tables"].c:
        rows = {**rows, "deadlines": _deadlines(rows["tables"])}
    if "scores" not in old.tables or "squares" not in old.tables["scores"].c:
        not_conceded = [{**row, "conceded": row["conceded"] and row["table_id"] != ENDED} for row in rows["seats"]]
        rows = {**rows, "seats": not_conceded}
    for table in old.sorted_tables:
        present = rows.get(RENAMED_TABLES.get(table.name, table.name), ())
        kept = [row for row in present if _number(table, row) not in dailies]
        if kept:
            connection.execute(insert(table), [_old(table, row) for row in kept])
            _set_sequences(connection, table)


def _unpacked(packed: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The logs of finished matches, one row for each line."""
    return [
        {"table_id": row["table_id"], "seq": seq, "line": line}
        for row in packed
        for seq, line in enumerate(logs.unpack(row["lines"]))
    ]


def _deadlines(tables: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The ends of turns. Before turns had clocks, these were the only deadlines."""
    due = {row["id"]: row["turn_due"] for row in tables if row["turn_due"] is not None}
    return [{"table_id": number, "kind": "turn", "due_at": at} for number, at in due.items()]


def _number(table: Table, row: Mapping[str, Any]) -> Any:  # noqa: ANN401  # as the row has it
    """The number of the table that a row belongs to, if any."""
    return row.get("id" if table.name == "tables" else "table_id")


def _old(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    known = {**FORMER.get(table.name, {}), **row}
    values = {column.name: known[RENAMED.get(column.name, column.name)] for column in table.c}
    if "customs" in values:
        values["customs"] = {"late" if key == "on_timeout" else key: value for key, value in values["customs"].items()}
    return values


def _set_sequences(connection: Connection, table: Table) -> None:
    """Set PostgreSQL's sequences to the numbers of the rows."""
    if connection.dialect.name == "postgresql" and "id" in table.c and isinstance(table.c.id.type, Integer):
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
        if sequence is not None:
            connection.execute(select(func.setval(sequence, select(func.max(table.c.id)).scalar_subquery())))


REVISIONS = [name[:4] for name in FROZEN]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def rows(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """A database with every kind of row that the app stores today, used for all revisions."""
    file = copy(migrated, tmp_path_factory.mktemp("rows"))
    async with opened(f"sqlite+aiosqlite:///{file}") as database:
        return await current_rows(database)


@pytest.mark.parametrize("revision", REVISIONS)
async def test_a_database_of_every_revision_works(empty_database: Database, rows: Rows, revision: str) -> None:
    async with empty_database.write() as connection:
        await connection.run_sync(upgrade, revision)
        await connection.run_sync(insert_old, rows)
    await empty_database.upgrade()
    harness = TableHarness(empty_database)
    await check_results(harness, revision)
    await check_settings(harness, revision)
    await check_closing(harness)
    await check_lobby(harness)
    await check_matches(harness)
    await check_recount(harness, revision)


async def check_lobby(harness: TableHarness) -> None:
    """The lobby can be loaded and started, and a move can be made."""
    table = await harness.tables.get(LOBBY)
    assert [seat.name for seat in table.seats][:2] == ["Ada", "Bo"]
    table = await harness.act(await harness.tables.start(LOBBY, ADA.user_id))
    assert table.row.status is Status.PLAYING


async def check_matches(harness: TableHarness) -> None:
    """Running matches can be loaded, due actions carried out, and moves made, in one match to the end."""
    table = await harness.tables.get(RUNNING)
    assert table.row.clock is not None
    assert table.row.clock.due is not None
    table = await harness.run_due_action(table)
    assert table.row.clock is not None
    assert table.row.clock.stage is not ClockStage.RUNNING
    table = await harness.play_to_end(table)
    assert table.row.status is Status.OVER
    assert check_deals(await harness.archive.match(RUNNING, requester(ADA.user_id))).is_fair
    unlimited = await harness.tables.get(UNLIMITED)
    assert (await harness.act(unlimited)).length > unlimited.length


async def check_closing(harness: TableHarness) -> None:
    """A lobby and a match without a pace have a closing deadline."""
    async with harness.database.read() as connection:
        for number in (LOBBY, UNLIMITED):
            due = await deadlines.load(connection, number)
            assert due is not None
            assert due.kind is DeadlineKind.CLOSE


async def check_results(harness: TableHarness, revision: str) -> None:
    """Finished matches open in the archive, and leaderboards and profiles show them."""
    for number in (FINISHED, CONCEDED):
        match = await harness.archive.match(number, requester(ADA.user_id))
        assert match.is_over
        assert check_deals(match).is_fair
    finished, _ = await History(harness.database, harness.background, harness.clock.milliseconds).page(
        HistoryFilter(GUILD), 0
    )
    assert {match.number for match in finished} >= {FINISHED, CONCEDED}
    standings = {line.user_id: line.matches for line in await harness.standings()}
    assert standings == {ADA.user_id: 3, BO.user_id: 3, CY.user_id: 2}
    if revision >= "0009":
        day = await harness.tables.get(DAILY)
        assert day.row.daily is not None
    profile = await Profiles(harness.database).get(GUILD, ADA.user_id, ADA.user_id)
    assert profile is not None


async def check_settings(harness: TableHarness, revision: str) -> None:
    """Settings of that time are kept; others have their defaults."""
    settings = await Users(harness.database).get(ADA.user_id)
    assert (settings.zone == "Europe/Berlin") is (revision >= "0002")
    server = await Guilds(harness.database, harness.clock.milliseconds).get(GUILD)
    assert (server.defaults.target == 50) is (revision >= "0010")


async def check_recount(harness: TableHarness, revision: str) -> None:
    """A recount finds all matches in the logs, and managers who had ended theirs still lose them."""
    report = await recount.recount(harness.database, GUILD, START // 1000, lambda *_: None)
    assert report.matches == 4
    standings = {line.user_id: line.matches for line in await harness.standings()}
    assert standings == {ADA.user_id: 4, BO.user_id: 4, CY.user_id: 3}
    places = select(match_players.c.place).where(match_players.c.table_id == ENDED).order_by(match_players.c.seat)
    async with harness.database.read() as connection:
        found = list(await connection.scalars(places))
    assert found == ([3, 1, 1] if revision >= "0002" else [1, 1, 1])  # the first had no absent owners
