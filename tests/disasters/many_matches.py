"""A database with any number of running matches: one that was played, and its copies."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.table.model import Pace
from tests.conftest import opened
from tests.table_harness import TableHarness

MOVES: Final = 3
IN_A_LONG_TIME: Final = 4_000_000_000_000
"""UTC milliseconds, in the year 2096: no turn's time is up."""
DISPLAYED: Final = "UPDATE tables SET displayed_revision = revision, message_id = 1, notice_id = -1, notice = ?"
COPYING: Final = """
WITH RECURSIVE copies (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM copies WHERE n < {number})
INSERT INTO {table} ({columns}) SELECT {values} FROM copies, {table}
"""
COPIED: Final = {
    **dict.fromkeys(("id", "table_id", "message_id"), "n"),
    **dict.fromkeys(("guild_id", "channel_id"), "n / 20"),
    "notice": "n || substr(notice, 2)",
    "notice_id": "-n",
    "due_at": "due_at + n",
}
"""The values of a copy that differ, by column."""


async def fill(file: Path, number: int) -> None:
    """Make a database with running matches whose channels are up to date."""
    async with opened(f"sqlite+aiosqlite:///{file}") as database:
        await database.upgrade()
        harness = TableHarness(database)
        table = await harness.match(people=4, ai_players=0, pace=Pace.SLOW)
        for _ in range(MOVES):
            table = await harness.act(table)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute(DISPLAYED, (f"1.{table.length}.00",))
        connection.execute("UPDATE deadlines SET due_at = ?", (IN_A_LONG_TIME,))
        for name in ("tables", "seats", "events", "deadlines"):
            columns = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
            values = ", ".join(COPIED.get(column, f'"{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            connection.execute(COPYING.format(number=number, table=name, columns=names, values=values))
