"""A house with tables."""

import pytest

from bot.storage.database import Database
from tests.services.house import House


@pytest.fixture
def house(database: Database) -> House:
    """Tables on an empty database."""
    return House(database)
