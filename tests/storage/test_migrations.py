"""A new database gets the schema of the code, and the migrations change one of version 1.0.0 into the same."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text

from bot.storage import guild_settings
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.table.errors import StorageError
from bot.table.guild import GuildSettings
from tests.conftest import opened

RELEASED: Final = Path(__file__).with_name("schema_0001.sql")
"""The schema that version 1.0.0 creates in SQLite. It never changes."""


def differences(connection: Connection) -> list[object]:
    """The differences between the stored schema and the code's."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def statements(connection: Connection) -> dict[str, list[str]]:
    """The parts of the statements that create SQLite's tables and indexes, by name, in any order and without defaults.

    `differences` doesn't compare all of them. A migration adds a column at the end, with a default for the old rows.
    """
    query = "SELECT name, sql FROM sqlite_master WHERE tbl_name <> 'alembic_version' AND sql IS NOT NULL"
    return {name: parts(sql) for name, sql in connection.execute(text(query))}


def parts(statement: str) -> list[str]:
    """The columns and conditions of a statement, sorted."""
    inner = statement.partition("(")[2].removesuffix(")")
    found = re.split(r",\s+(?![^(]*\))", inner)
    return sorted(
        [statement.partition("(")[0].strip(), *(re.sub(r" DEFAULT '[^']*'", "", each.strip()) for each in found)]
    )


async def test_a_new_database_has_the_schema(any_database: Database) -> None:
    async with any_database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_partial_indexes_have_their_conditions_in_both_databases(any_database: Database) -> None:
    async with any_database.read() as connection:
        query = "SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_tables_outdated'"
        if connection.dialect.name == "sqlite":
            query = "SELECT sql FROM sqlite_master WHERE name = 'ix_tables_outdated'"
        assert "displayed_revision < revision" in await connection.scalar(text(query))


async def test_the_migrations_lead_from_the_released_schema_to_the_latest(tmp_path: Path) -> None:
    file = tmp_path / "gang.sqlite3"
    with closing(sqlite3.connect(file)) as released:
        released.executescript(RELEASED.read_text())
    async with opened(f"sqlite+aiosqlite:///{file}") as database:
        await database.upgrade()
        async with database.read() as connection:
            assert await connection.run_sync(differences) == []
            found = await connection.run_sync(statements)
    engine = create_engine("sqlite://")
    with engine.connect() as wanted:
        metadata.create_all(wanted)
        assert found == statements(wanted)
    engine.dispose()


async def test_a_schema_that_differs_would_be_noticed(empty_database: Database) -> None:
    await empty_database.upgrade()
    async with empty_database.write() as connection:
        await connection.execute(text("ALTER TABLE guilds ADD COLUMN forgotten INTEGER"))
    async with empty_database.read() as connection:
        assert len(await connection.run_sync(differences)) == 1


async def test_upgrading_again_changes_nothing(any_database: Database) -> None:
    async with any_database.write() as connection:
        await guild_settings.save(connection, 7, GuildSettings("de"))
    await any_database.upgrade()
    async with any_database.read() as connection:
        assert await guild_settings.load(connection, 7) == GuildSettings("de")
        assert await connection.run_sync(differences) == []


@pytest.mark.parametrize("version", ["0041", "9999"], ids=["before 1.0.0", "newer"])
async def test_a_database_of_an_unknown_version_is_refused_unchanged(empty_database: Database, version: str) -> None:
    await empty_database.upgrade()
    async with empty_database.write() as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
    with pytest.raises(StorageError, match=f"schema {version}.*empty database"):
        await empty_database.upgrade()
    async with empty_database.read() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == version
