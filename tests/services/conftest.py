"""A house with tables, and a club that has played many matches."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from shutil import copy

import pytest
import pytest_asyncio

from bot.storage.database import Database
from tests.services.house import House
from tests.services.played import MATCHES, record


@pytest.fixture
def house(database: Database) -> House:
    """Tables on an empty database."""
    return House(database)


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
async def played(played_file: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """The matches of a club."""
    database = Database(f"sqlite+aiosqlite:///{copy(played_file, tmp_path)}")
    yield database
    await database.close()
