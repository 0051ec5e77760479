"""Databases on both engines."""

import pytest

from bot.storage.database import Database


@pytest.fixture
def database(any_database: Database) -> Database:
    """An empty database with the schema, on SQLite and PostgreSQL."""
    return any_database
