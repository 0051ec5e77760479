"""What tests of several layers share: real databases, one to each test."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copy
from uuid import uuid4

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from bot.analysis import rating
from bot.storage.database import Database
from tests.table_harness import TableHarness

settings.register_profile("any_speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_speed")  # on a busy machine a slow test is not a wrong one

POSTGRESQL = os.environ.get("TEST_DATABASE_URL")
"""A server on which a database may be created for each test: postgresql+asyncpg://user:password@host/database."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the schema and nothing in it, to be copied: quicker than migrating anew for each test."""
    file = tmp_path_factory.mktemp("migrated") / "gang.sqlite3"
    await _migrate(f"sqlite+aiosqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(migrated: Path, tmp_path: Path) -> str:
    """A database of its own, in a file, with its schema."""
    copy(migrated, tmp_path)
    return f"sqlite+aiosqlite:///{tmp_path / migrated.name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def any_url(request: pytest.FixtureRequest) -> str:
    """A database with its schema on each of the engines."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
async def postgresql_url(empty_postgresql_url: str) -> str:
    """A database of its own on the server that the environment names, with its schema."""
    await _migrate(empty_postgresql_url)
    return empty_postgresql_url


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """A file that is still to be made, without a schema."""
    return f"sqlite+aiosqlite:///{tmp_path / 'empty.sqlite3'}"


@pytest.fixture
async def empty_postgresql_url() -> AsyncIterator[str]:
    """The same on the server that the environment names."""
    if POSTGRESQL is None:
        pytest.skip("TEST_DATABASE_URL names no PostgreSQL server")
    server, name = make_url(POSTGRESQL), f"gang_{uuid4().hex}"
    await _command(server, f"CREATE DATABASE {name}")
    yield server.set(database=name).render_as_string(hide_password=False)
    await _command(server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest) -> str:
    """A database without a schema on each of the engines."""
    return str(request.getfixturevalue(f"empty_{request.param}_url"))


@pytest.fixture
async def empty_database(empty_url: str) -> AsyncIterator[Database]:
    """The same, opened."""
    async with opened(empty_url) as database:
        yield database


@pytest.fixture
async def any_database(any_url: str) -> AsyncIterator[Database]:
    """The same, opened."""
    async with opened(any_url) as database:
        yield database


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    """A database with its schema, in a file, opened."""
    async with opened(sqlite_url) as database:
        yield database


@pytest.fixture
def harness(database: Database) -> TableHarness:
    """Tables on an empty database."""
    return TableHarness(database)


@pytest.fixture
def any_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of one hand can be rated, so that tests are short."""
    monkeypatch.setattr(rating, "MIN_RATED_TARGET", 1)


@pytest.fixture
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no setting in the environment; gives the folder."""
    for name in (
        "DISCORD_TOKEN",
        "DISCORD_API_URL",
        "DATABASE_URL",
        "LOG_LEVEL",
        "ROBOT_SECONDS",
        "PICTURES",
        "LIMITS_SCALE",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """The database at an address, closed at the end of the block."""
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


async def _migrate(url: str) -> None:
    async with opened(url) as database:
        await database.upgrade()


async def _command(server: URL, statement: str) -> None:
    """Run what PostgreSQL allows in no transaction."""
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()
