from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.disasters.steered import SteeredRoom, steered_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[SteeredRoom]:
    async with steered_room(tmp_path) as room:
        yield room
