from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.end_to_end.app_harness import AppHarness, running_app


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path) as harness:
        yield harness
