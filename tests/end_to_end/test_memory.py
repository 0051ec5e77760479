"""Large libraries that the app's own process doesn't load."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.app_harness import play_until, running_app
from tests.end_to_end.app_process import ROOT

HEAVY = ("PIL", "matplotlib", "numpy", "numba", "llvmlite")
"""Libraries for pictures and the stronger AI players, which run in processes of their own."""


def test_the_app_imports_nothing_that_only_some_hosts_or_starts_need() -> None:
    optional = {"sentry_sdk", "aiohttp.web", "sqlalchemy.dialects.postgresql"}
    tools = {"alembic", "babel.messages.extract", "playground", "pytest"}
    unwanted = {*HEAVY, *optional, *tools}
    code = f"import sys, bot.__main__, bot.app; print(sorted({unwanted!r} & sys.modules.keys()))"
    ran = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stdout == "[]\n"


def libraries(pid: int) -> str:
    """The files that a process has mapped into its memory."""
    return Path(f"/proc/{pid}/maps").read_text()


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux")
async def test_the_app_loads_no_library_for_pictures_or_strong_players(tmp_path: Path) -> None:
    async with running_app(tmp_path, PICTURES="true", AI_WORKER="true") as harness:
        players = await harness.begin_match(2, ai_players=2, target=1000)
        await play_until(harness, players, lambda: sum(player.moves for player in players) > 4)
        assert harness.app is not None
        loaded = libraries(harness.app.pid)
        assert "sqlite3" in loaded
        assert [name for name in HEAVY if f"/{name}" in loaded] == []
