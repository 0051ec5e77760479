"""A database in which a club has played many matches."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from shutil import copy

import pytest
import pytest_asyncio
from sqlalchemy import func, insert, make_url, select

from bot.storage import database as database_module
from bot.storage.database import Database
from bot.storage.schema import metadata, tables
from tests.conftest import opened, postgresql_database
from tests.simulated_matches import MATCHES, record


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for other writers as long as a slow machine needs."""
    monkeypatch.setattr(database_module, "BUSY_SECONDS", 60)


@pytest.fixture
def database(any_database: Database) -> Database:
    """An empty database with the schema, on SQLite and PostgreSQL."""
    return any_database


@pytest_asyncio.fixture(scope="session")
async def played_file(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all matches of the club, to copy."""
    file, rng = Path(copy(migrated, tmp_path_factory.mktemp("played"))), Random(8)
    async with opened(f"sqlite+aiosqlite:///{file}") as database:
        for number in range(MATCHES):
            await record(database, number, rng)
    return file


@pytest_asyncio.fixture(scope="session")
async def played_template(played_file: Path, postgresql_template: str) -> AsyncIterator[str]:
    """The name of a PostgreSQL database with all matches of the club, to copy."""
    async with postgresql_database(postgresql_template) as url:
        await _copy_rows(f"sqlite+aiosqlite:///{played_file}", url)
        yield str(make_url(url).database)


@pytest.fixture
def played_sqlite_url(played_file: Path, tmp_path: Path) -> str:
    """The URL of a SQLite database with all matches of the club."""
    return f"sqlite+aiosqlite:///{copy(played_file, tmp_path)}"


@pytest.fixture
async def played_postgresql_url(played_template: str) -> AsyncIterator[str]:
    """The URL of a PostgreSQL database with all matches of the club."""
    async with postgresql_database(played_template) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def played_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database with all matches of the club, on SQLite and PostgreSQL."""
    return str(request.getfixturevalue(f"played_{request.param}_url"))


@pytest.fixture
async def played(played_url: str) -> AsyncIterator[Database]:
    """The matches of the club, on SQLite and PostgreSQL."""
    async with opened(played_url) as database:
        yield database


async def _copy_rows(source: str, target: str) -> None:
    """Copy every row of a database into an empty one on PostgreSQL, and set its sequence of table ids."""
    async with opened(source) as old, opened(target) as new, old.read() as reader, new.write() as writer:
        for table in metadata.sorted_tables:
            if found := (await reader.execute(select(table))).mappings().all():
                await writer.execute(insert(table), [dict(row) for row in found])
        await writer.execute(select(func.setval("tables_id_seq", func.max(tables.c.id))))
