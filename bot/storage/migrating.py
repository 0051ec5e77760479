"""Migrates the schema with Alembic. Only imported for that: Alembic takes 11 MB of memory."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, func, select, text

from bot.table.errors import StorageError


def migrate(connection: Connection, folder: Path, lock: int) -> None:
    """Apply all migrations in a folder that are missing. On PostgreSQL, it waits for the number `lock`.

    Raises `StorageError` for a schema that none of them made: that of a newer version, or from before 1.0.0.
    """
    if connection.dialect.name == "postgresql":  # several processes may start at once
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(select(func.pg_advisory_xact_lock(lock)))
    config = Config()
    config.set_main_option("script_location", str(folder))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        found = connection.scalar(text("SELECT version_num FROM alembic_version"))
        raise StorageError(
            f"this version doesn't know its schema {found}, which is of a newer version or from before 1.0.0: start "
            "that version, or give this one an empty database"
        ) from error
