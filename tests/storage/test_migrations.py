"""The migrations create the schema. They are frozen: a changed one wouldn't reach the databases that exist."""

import ast
import re
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text

from bot.storage import guild_settings
from bot.storage.database import MIGRATIONS, Database
from bot.storage.schema import metadata
from bot.table.errors import StorageError
from bot.table.guild import GuildSettings

FROZEN: Final = {"0001_schema.py": "485dc53103e9aa54"}
"""The first 16 digits of the SHA-256 of each migration's code. A released one never changes."""


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


def digest(migration: Path) -> str:
    """The first digits of the SHA-256 of a migration's code, without docstrings and comments."""
    tree = ast.parse(migration.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    return sha256(ast.unparse(tree).encode()).hexdigest()[:16]


def test_no_migration_has_changed() -> None:
    assert {file.name: digest(file) for file in MIGRATIONS.glob("versions/*.py")} == FROZEN


async def test_the_migrations_lead_exactly_to_the_schema(any_database: Database) -> None:
    async with any_database.read() as connection:
        assert await connection.run_sync(differences) == []


async def test_sqlite_has_the_same_statements_as_the_schema(sqlite_database: Database) -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as wanted:
        metadata.create_all(wanted)
        async with sqlite_database.read() as connection:
            assert await connection.run_sync(statements) == statements(wanted)
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
async def test_a_database_of_an_unknown_version_is_refused_unchanged(any_database: Database, version: str) -> None:
    async with any_database.write() as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
    with pytest.raises(StorageError, match=f"schema {version}.*empty database"):
        await any_database.upgrade()
    async with any_database.write() as connection:
        kept = await connection.execute(text("UPDATE alembic_version SET version_num = '0001' RETURNING version_num"))
        assert len(kept.all()) == 1
