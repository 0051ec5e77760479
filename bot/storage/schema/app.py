"""The app itself: when it was last on, and the published commands."""

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, String, Table

from bot.storage.schema.parts import metadata

served_shards: Final = Table(
    "served_shards",
    metadata,
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("served_at", BigInteger, nullable=False),
)
"""When the guilds of each shard were last served (UTC milliseconds)."""

published_commands: Final = Table(
    "published_commands",
    metadata,
    Column("application_id", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
)
"""A row for each application that has used this database."""
