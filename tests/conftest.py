"""Fixtures of several layers: a real database for each test."""

import fcntl
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path
from shutil import copy, disk_usage
from uuid import uuid4

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser
from sqlalchemy import URL, make_url, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.players.strongest import warm_up
from bot.process.settings import Settings
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.table import model
from tests.browser import CHROMIUM, chromium
from tests.table_harness import TableHarness

settings.register_profile("any_speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_speed")  # a slow machine isn't a failure

ROOM = 2 * 2**30
"""Bytes of memory that must be free for temporary files."""
POSTGRESQL = os.environ.get("TEST_DATABASE_URL")
"""A server on which a database may be created for each test: postgresql+asyncpg://user:password@host/database."""
SPEC = Path(os.environ["DISCORD_OPENAPI"]) if "DISCORD_OPENAPI" in os.environ else None
"""A copy of Discord's OpenAPI description, against which tests of the playground and the app validate requests."""


def pytest_configure() -> None:
    """Put temporary files into memory if it has room, since SQLite syncs each transaction to the disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and disk_usage(memory).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than there are cores, because tests often wait for sockets."""
    return (os.cpu_count() or 1) + 2


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line how many tests were skipped, and what each group of them needs."""
    skipped = terminalreporter.stats.get("skipped", [])
    needs = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if needs:
        terminalreporter.write_line("Skipped: " + ", ".join(f"{count} ({need})" for need, count in needs.most_common()))


@pytest_asyncio.fixture(scope="session")
async def chromium_process() -> AsyncIterator[Browser]:
    """A browser without a window, for all tests of a process."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def browser(chromium_process: Browser) -> AsyncIterator[Browser]:
    """A browser that closes the pages of a test after it."""
    yield chromium_process
    for context in chromium_process.contexts:
        await context.close()


@pytest.fixture(scope="session")
def machine_code(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The strongest player's machine code. It takes a minute to compile, so one process does it for all."""
    with (tmp_path_factory.getbasetemp().parent / "compiling").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        warm_up()


@pytest_asyncio.fixture(scope="session")
async def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite file with the schema, to copy: faster than migrating for each test."""
    file = tmp_path_factory.mktemp("migrated") / "gang.sqlite3"
    await _migrate(f"sqlite+aiosqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(migrated: Path, tmp_path: Path) -> str:
    """The URL of an empty SQLite database with the schema."""
    copy(migrated, tmp_path)
    return f"sqlite+aiosqlite:///{tmp_path / migrated.name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def any_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database with the schema, on SQLite and PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest_asyncio.fixture(scope="session")
async def postgresql_template() -> AsyncIterator[str]:
    """The name of an empty database with the schema on the server, to copy."""
    async with postgresql_database() as url:
        await _migrate(url)
        yield str(make_url(url).database)


@pytest_asyncio.fixture(scope="session")
async def postgresql_shared(postgresql_template: str) -> AsyncIterator[AsyncEngine]:
    """A database that tests use one after the other: emptying it is faster than a copy for each."""
    async with postgresql_database(postgresql_template) as url:
        engine = create_async_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
        yield engine
        await engine.dispose()


@pytest.fixture
async def postgresql_url(postgresql_shared: AsyncEngine) -> AsyncIterator[str]:
    """The URL of an empty database with the schema on the server that `TEST_DATABASE_URL` names."""
    yield postgresql_shared.url.render_as_string(hide_password=False)
    await _empty(postgresql_shared)


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that doesn't exist yet."""
    return f"sqlite+aiosqlite:///{tmp_path / 'empty.sqlite3'}"


@pytest.fixture
async def empty_postgresql_url() -> AsyncIterator[str]:
    """The URL of a database without a schema on the server that `TEST_DATABASE_URL` names."""
    async with postgresql_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database without a schema, on SQLite and PostgreSQL."""
    return str(request.getfixturevalue(f"empty_{request.param}_url"))


@pytest.fixture
async def empty_database(empty_url: str) -> AsyncIterator[Database]:
    """A database without a schema, on SQLite and PostgreSQL."""
    async with opened(empty_url) as database:
        yield database


@pytest.fixture
async def any_database(any_url: str) -> AsyncIterator[Database]:
    """An empty database with the schema, on SQLite and PostgreSQL."""
    async with opened(any_url) as database:
        yield database


@pytest.fixture
async def sqlite_database(sqlite_url: str) -> AsyncIterator[Database]:
    """An empty SQLite database with the schema."""
    async with opened(sqlite_url) as database:
        yield database


@pytest.fixture
def database(sqlite_database: Database) -> Database:
    """An empty database with the schema: SQLite, except in tests of storage and services, which use both engines."""
    return sqlite_database


@pytest.fixture
def harness(database: Database) -> TableHarness:
    """The table services on an empty database."""
    return TableHarness(database)


@pytest.fixture
def any_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate matches of any target, so that tests can be short."""
    monkeypatch.setattr(model, "MIN_RATED_TARGET", 1)


@pytest.fixture
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder without settings in the environment. Returns the folder."""
    for field in fields(Settings):
        monkeypatch.delenv(field.name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """The database at a URL, closed after the block."""
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def postgresql_database(template: str = "template1") -> AsyncIterator[str]:
    """Create a copy of a database for the block. Yields its URL; skips the test if there's no server."""
    if POSTGRESQL is None:
        pytest.skip("no PostgreSQL: set TEST_DATABASE_URL")
    server, name = make_url(POSTGRESQL), f"gang_{uuid4().hex}"
    await _command(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    yield server.set(database=name).render_as_string(hide_password=False)
    await _command(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _migrate(url: str) -> None:
    async with opened(url) as database:
        await database.upgrade()


async def _empty(engine: AsyncEngine) -> None:
    """Delete all rows of a database on PostgreSQL, and end its other connections, which may wait for something."""
    own = "datname = current_database() AND pid <> pg_backend_pid()"
    statements = [f"DELETE FROM {table.name};" for table in reversed(metadata.sorted_tables)]
    statements += [
        f"PERFORM setval(pg_get_serial_sequence('{table.name}', '{column.name}'), 1, false);"
        for table in metadata.sorted_tables
        if (column := table.autoincrement_column) is not None
    ]
    async with engine.connect() as connection:
        await connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {own}"))
        await connection.execute(text(f"DO $$ BEGIN {' '.join(statements)} END $$"))


async def _command(server: URL, statement: str) -> None:
    """Run a statement that PostgreSQL allows only outside transactions."""
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()
