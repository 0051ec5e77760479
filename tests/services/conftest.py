"""A database in which a club has played many matches."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from shutil import copy

import pytest
import pytest_asyncio
from sqlalchemy import func, insert, select

from bot.storage.database import Database
from bot.storage.schema import metadata, tables
from tests.conftest import opened
from tests.services.played import MATCHES, record


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def played_file(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all matches of a club, to be copied: quicker than playing them anew for each test."""
    file, rng = Path(copy(migrated, tmp_path_factory.mktemp("played"))), Random(8)
    database = Database(f"sqlite+aiosqlite:///{file}")
    for number in range(MATCHES):
        await record(database, number, rng)
    await database.close()
    return file


@pytest.fixture
async def played(played_file: Path, any_url: str, tmp_path: Path) -> AsyncIterator[Database]:
    """The matches of a club, on each of the engines."""
    if any_url.startswith("sqlite"):
        copy(played_file, tmp_path)
    else:
        await _copy_rows(f"sqlite+aiosqlite:///{played_file}", any_url)
    async with opened(any_url) as database:
        yield database


async def _copy_rows(source: str, target: str) -> None:
    """Copy every row of a database into an empty one on PostgreSQL; new tables get numbers after those."""
    async with opened(source) as old, opened(target) as new, old.read() as reader, new.write() as writer:
        for table in metadata.sorted_tables:
            if found := (await reader.execute(select(table))).mappings().all():
                await writer.execute(insert(table), [dict(row) for row in found])
        await writer.execute(select(func.setval("tables_id_seq", func.max(tables.c.id))))
