"""Guilds: their settings and seasons."""

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, String, Table, Text

from bot.storage.schema.parts import metadata

guilds: Final = Table(
    "guilds",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(10), nullable=False),
    Column("language", String(10), nullable=False),
    Column("celebrations", String(10), nullable=False),
    Column("text_cards", Boolean, nullable=False),
    Column("channels", JSON, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("defaults", JSON, nullable=False),
    Column("limits", JSON, nullable=False),
    Column("post_every", String(10), nullable=False),
    Column("post_channel_id", BigInteger),
    Column("post_at", Integer),
    Column("left_at", Integer),
)
"""The settings of guilds. `locale` is Discord's or that of the first host, `language` the chosen one or empty. In
`channels` and by `roles`, tables can be opened (empty: no limit). `limits` holds changed limits by name (see
`table.limits`). `post_…` says when and where the leaderboard is posted. `left_at` is when the app left the guild. Times
are in UTC seconds."""

audit_log: Final = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("at", Integer, nullable=False),
    Column("user_id", BigInteger),
    Column("what", String(20), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Index("ix_audit_log_guild_id", "guild_id", "id"),
)
"""The changes to guild settings, in UTC seconds."""

seasons: Final = Table(
    "seasons",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("began_at", Integer, nullable=False),
    Column("ended_at", Integer),
    Column("channel_id", BigInteger),
)
"""The seasons of guilds, in UTC seconds. At most one of a guild is running. `channel_id` is where a podium is to be
posted."""
