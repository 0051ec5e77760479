from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.disasters.crash_harness import CrashHarness, crashable_app


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[CrashHarness]:
    async with crashable_app(tmp_path) as harness:
        yield harness
