"""The units for systemd: verified by its own tool, and for the facts that matter."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from bot.commands import STOP_TIMEOUT

ROOT = Path(__file__).parent.parent
UNITS = sorted([*ROOT.glob("deploy/*.service"), *ROOT.glob("deploy/*.timer")])
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
MAX_EXPOSURE = 20
"""The limit for what `systemd-analyze security` computes, from 0 (nothing is exposed) to 100."""


def settings(unit: Path) -> dict[str, list[str]]:
    """The settings of a unit. Some appear several times."""
    found = defaultdict(list)
    for line in unit.read_text().splitlines():
        name, is_setting, value = line.partition("=")
        if is_setting and not line.startswith("#"):
            found[name].append(value)
    return dict(found)


@pytest.fixture
def analyze() -> str:
    """The path of systemd's tool."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd is not installed")
    return found


@pytest.fixture
def installed(tmp_path: Path) -> list[Path]:
    """The units, with this checkout in the place of /opt/gang-of-four."""
    for unit in UNITS:
        text = unit.read_text().replace("/opt/gang-of-four/.venv/bin/python", "/bin/sh")
        (tmp_path / unit.name).write_text(text.replace("/opt/gang-of-four", str(ROOT)))
    return [tmp_path / unit.name for unit in UNITS]


def test_systemd_accepts_the_units(analyze: str, installed: list[Path]) -> None:
    command = [analyze, "verify", "--man=no", "--generators=no", *map(str, installed)]
    verified = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: str(unit.stem))
def test_services_are_closed_off(analyze: str, unit: Path) -> None:
    command = (analyze, "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", "--no-pager", unit)
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unrecognized option" in rated.stderr:
        pytest.skip("systemd is older than version 250")
    assert rated.returncode == 0, rated.stdout


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: str(unit.stem))
def test_services_are_limited_and_belong_to_their_own_user(unit: Path) -> None:
    service = settings(unit)
    assert service["User"] == ["gang-of-four"]
    assert service["NoNewPrivileges"] == ["yes"]
    assert service["ProtectSystem"] == ["strict"]
    assert service["MemoryMax"][0].endswith(("M", "G"))
    assert int(service["TasksMax"][0]) > 0


def test_the_service_restarts_after_failures_and_has_time_to_end() -> None:
    service = settings(ROOT / "deploy/gang-of-four.service")
    assert service["Restart"] == ["on-failure"]
    assert service["StartLimitIntervalSec"] == ["0"]
    assert int(service["TimeoutStopSec"][0]) > STOP_TIMEOUT + 3


def test_the_nightly_backup_copies_the_database(sqlite_url: str, tmp_path: Path) -> None:
    service = settings(ROOT / "deploy/gang-of-four-backup.service")
    assert service["StateDirectory"][0].split() == ["gang-of-four", "gang-of-four/backups"]
    (tmp_path / "backups").mkdir()
    (command,) = service["ExecStart"]
    command = command.replace("%%", "%").replace("/var/lib/gang-of-four", str(tmp_path))
    command = command.replace(".venv/bin/python", sys.executable)
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": sqlite_url}
    subprocess.run(command, shell=True, cwd=ROOT, env=environment, check=True)
    (backup,) = (tmp_path / "backups").iterdir()
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT count(*) FROM matches").fetchone() == (0,)
