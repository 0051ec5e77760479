"""The app itself: which process serves which shard and until when, and the published commands."""

from typing import Final

from sqlalchemy import JSON, BigInteger, Boolean, Column, Integer, String, Table

from bot.storage.schema.parts import metadata

leases: Final = Table(
    "leases",
    metadata,
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("shard", Integer, primary_key=True, autoincrement=False),
    Column("holder", String(32), nullable=False),
    Column("host", String(200), nullable=False),
    Column("place", String(32), nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("waiting", BigInteger, nullable=False),
    Column("is_substitute", Boolean, nullable=False),
    Column("handled", JSON, nullable=False),
)
"""One row for each shard that has been served (see `Lease`). Restoring a backup doesn't change it."""

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
