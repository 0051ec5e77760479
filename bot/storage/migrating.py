"""Creates the schema, and migrates an older one with Alembic. Only imported for that: Alembic takes 11 MB of memory."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import Connection, func, select, text
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.storage.schema import metadata
from bot.table.errors import StorageError

LOCK: Final = 0x6A4_6034
"""The key of PostgreSQL's advisory lock for migrations; any number that other apps don't use."""


def migrate(connection: Connection) -> None:
    """Create the schema in a new database, or apply the migrations that an older one lacks.

    Raises `StorageError` for a schema that none of them made: that of a newer version, or from before 1.0.0.
    """
    if connection.dialect.name == "postgresql":  # several processes may start at once
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    stored = MigrationContext.configure(connection).get_current_revision()
    if stored is None:
        _create_schema(connection)
        command.stamp(config, "head")
        return
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise StorageError(
            f"this version doesn't know its schema {stored}, which is of a newer version or from before 1.0.0: start "
            "that version, or give this one an empty database"
        ) from error


def _create_schema(connection: Connection) -> None:
    """Create all tables and indexes.

    The conditions of partial indexes are written for SQLite (see `partial_index`). They come last: if two
    indexes fit a query, SQLite takes the newer one.
    """
    for sql_table in metadata.sorted_tables:
        connection.execute(CreateTable(sql_table))
        conditions = {index: index.dialect_options["sqlite"]["where"] for index in sql_table.indexes}
        for index in sorted(conditions, key=lambda each: (conditions[each] is not None, each.name)):
            index.dialect_options[connection.dialect.name]["where"] = conditions[index]
            connection.execute(CreateIndex(index))
