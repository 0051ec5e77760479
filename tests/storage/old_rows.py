"""Rows as an earlier version of the app stored them: what the app stores today, by the columns there were then."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Integer, MetaData, Table, func, insert, select

from bot.services.daily import Daily
from bot.services.guild_settings import Guilds
from bot.services.history import History
from bot.services.user_settings import Users
from bot.storage import logs
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.table import play
from bot.table.model import Pace
from tests.table_harness import ADA, BO, CHANNEL, EVE, GUILD, SeededEntropy, TableHarness, requester

Rows: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
"""By table."""

FORMER: Final[Mapping[str, Mapping[str, Any]]] = {
    "tables": {"notice_moment": -1},
    "seats": {"join_id": "1300000000000000001"},
}
"""Columns that there are no longer, with a value."""
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
"""The present name of a table or column by its former one."""
LOBBY, RUNNING, UNLIMITED, FINISHED, CONCEDED, DAILY = range(1, 7)
"""The numbers of the tables."""


async def rows_of_today(database: Database) -> Rows:
    """A lobby, two running and two finished matches, a hand of the day, and settings of a guild and its members."""
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
    await harness.act(await harness.act(running))
    await harness.act(await harness.match(3, 0, pace=Pace.NONE))
    await harness.play_to_end(await harness.match(3, 0))
    conceded = await harness.match(2, 1)
    await harness.play_to_end(await harness.tables.act(conceded.id, play.concede, BO.user_id))
    daily = Daily(harness.database, harness.tables, SeededEntropy(2))
    await harness.play_to_end(await daily.deal(GUILD, CHANNEL, ADA, daily.today))


async def _settings(harness: TableHarness) -> None:
    guilds, members = Guilds(harness.database, harness.clock.milliseconds), Users(harness.database)
    await guilds.record_locale(GUILD, "de")
    await guilds.set_default(GUILD, ADA.user_id, target=50)
    await guilds.begin_season(GUILD, ADA.user_id, "Spring")
    await members.set_zone(ADA.user_id, "Europe/Berlin")
    await members.set_quiet(ADA.user_id, (1320, 420))
    await History(harness.database, harness.background, harness.clock.milliseconds).import_record(
        requester(EVE.user_id), RECORD.read_bytes()
    )


def insert_old(connection: Connection, rows: Rows) -> None:
    """Store the rows in a database of an earlier revision, as far as it has their tables and columns."""
    old = MetaData()
    old.reflect(connection)
    has_dailies = "daily" in old.tables["tables"].c
    dailies = set() if has_dailies else {row["id"] for row in rows["tables"] if row["daily"] is not None}
    if "packed_logs" not in old.tables:
        rows = {**rows, "events": [*rows["events"], *_unpacked(rows["packed_logs"])]}
    if "turn_due" not in old.tables["tables"].c:
        rows = {**rows, "deadlines": _deadlines(rows["tables"])}
    for table in old.sorted_tables:
        present = rows.get(RENAMED_TABLES.get(table.name, table.name), ())
        kept = [row for row in present if _number(table, row) not in dailies]
        if kept:
            connection.execute(insert(table), [_old(table, row) for row in kept])
            _count_on(connection, table)


def _unpacked(packed: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The logs of finished matches, a row for each line."""
    return [
        {"table_id": row["table_id"], "seq": seq, "line": line}
        for row in packed
        for seq, line in enumerate(logs.unpack(row["lines"]))
    ]


def _deadlines(tables: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The ends of turns, which were all that was due before turns had a clock."""
    due = {row["id"]: row["turn_due"] for row in tables if row["turn_due"] is not None}
    return [{"table_id": number, "kind": "turn", "due_at": at} for number, at in due.items()]


def _number(table: Table, row: Mapping[str, Any]) -> Any:  # noqa: ANN401  # as the row has it
    """The number of the table to which a row belongs, if it belongs to one."""
    return row.get("id" if table.name == "tables" else "table_id")


def _old(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    known = {**FORMER.get(table.name, {}), **row}
    values = {column.name: known[RENAMED.get(column.name, column.name)] for column in table.c}
    if "customs" in values:
        values["customs"] = {"late" if key == "on_timeout" else key: value for key, value in values["customs"].items()}
    return values


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL count on from the numbers that the rows have."""
    if connection.dialect.name == "postgresql" and "id" in table.c and isinstance(table.c.id.type, Integer):
        sequence = connection.scalar(select(func.pg_get_serial_sequence(table.name, "id")))
        if sequence is not None:
            connection.execute(select(func.setval(sequence, select(func.max(table.c.id)).scalar_subquery())))
