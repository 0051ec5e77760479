"""The app itself: its processes and published commands."""

from typing import Final

from sqlalchemy import BigInteger, Column, String, Table

from bot.storage.schema.parts import metadata

instances: Final = Table(
    "instances",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("host", String(200), nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("shared_since", BigInteger),
)
"""One row for each process (see `Instance`). Restoring a backup doesn't change it."""

published_commands: Final = Table(
    "published_commands",
    metadata,
    Column("application_id", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", String(64), nullable=False),
)
"""A row for each application that has used this database."""
