"""A command that runs while a PostgreSQL server does."""

import subprocess
import sys
from pathlib import Path

import pytest

from playground.postgresql import NoServer, programs
from tests.end_to_end.app_process import ROOT

COMMAND = (sys.executable, "-m", "playground.postgresql")
SCRIPT = """
import asyncio, os, sys
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

async def ask():
    url = make_url(os.environ["TEST_DATABASE_URL"])
    async with create_async_engine(url).connect() as connection:
        print(url.query["host"], await connection.scalar(text("SELECT 6 * 7")))

asyncio.run(ask())
sys.exit(3)
"""


def test_a_command_runs_with_a_server_that_ends_with_it() -> None:
    try:
        programs()
    except NoServer as error:
        pytest.skip(str(error))
    ran = _run(sys.executable, "-c", SCRIPT)
    assert ran.returncode == 3, ran.stderr
    folder, answer = ran.stdout.split()
    assert answer == "42"
    assert not Path(folder).exists()


def test_without_a_command_it_says_how_to_use_it() -> None:
    ran = _run()
    assert (ran.returncode, ran.stderr) == (1, "usage: python -m playground.postgresql COMMAND…\n")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *command], check=False, cwd=ROOT, capture_output=True, text=True)
