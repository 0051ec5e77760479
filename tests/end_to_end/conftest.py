from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.end_to_end.room import Room, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with open_room(tmp_path) as room:
        yield room
