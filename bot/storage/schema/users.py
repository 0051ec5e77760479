"""Users: their settings, imported records and deletions."""

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, Integer, String, Table, Text

from bot.storage.schema.parts import metadata

users: Final = Table(
    "users",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("notifications", String(10), nullable=False),
    Column("zone", String(40), nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("away_from", String(10)),
    Column("away_until", String(10)),
    Column("language", String(10), nullable=False),
    Column("text_cards", Boolean, nullable=False),
    Column("by_color", Boolean, nullable=False),
    Column("greeted", Boolean, nullable=False),
    Column("lesson", Integer, nullable=False),
    Column("hidden", Boolean, nullable=False),
    Column("puzzle_day", String(10)),
    Column("puzzle_streak", Integer),
    Column("puzzle_best", Integer),
    Column("logged_out_at", BigInteger),
)
"""The settings of users: notifications, time zone (empty: not chosen), quiet hours (minutes of the day), holidays
(first and last day, `2026-12-24`), language (empty: Discord's), cards as text, and hands sorted by color. `greeted`:
the user was welcomed. `lesson`: the number of completed tutorial lessons. `hidden`: leaderboards don't show the user.
`puzzle_…`: the last day whose puzzle the user has answered, the streak up to it, and the longest one (see
`PuzzleProgress`). `logged_out_at`: when the user last logged out of the page (UTC milliseconds)."""

table_alerts: Final = Table(
    "table_alerts",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
)
"""A row for each user who wants it, by guild."""

imports: Final = Table(
    "imports",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", BigInteger, nullable=False, index=True, unique=True),
    Column("record", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("deal", String(64), nullable=False, index=True),
    sqlite_autoincrement=True,
)
"""The last record that each user imported (`at`: UTC seconds). `deal` (see `history.deal_of`) identifies the match."""

practices: Final = Table(
    "practices",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("begun_at", BigInteger, nullable=False, index=True),
    Column("source", String(10), nullable=False),
    Column("match_number", Integer, nullable=False),
    Column("level", String(10), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("begins", Integer, nullable=False),
    Column("log", Text, nullable=False),
)
"""The last practice hand of each user (`begun_at`: UTC milliseconds; see `analysis.practice`). The user plays on after
the first `begins` lines of the log."""

deletions: Final = Table(
    "deletions",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("started_at", Integer, nullable=False),
    Column("guilds", JSON, nullable=False),
)
"""Unfinished deletions of users, and the guilds that rate them. User 0: the database file must be cleaned."""
