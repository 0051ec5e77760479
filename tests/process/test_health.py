"""Health reports: healthy and unhealthy processes, and the protection of their files."""

import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.process import health
from bot.process.health import NEVER, STALE_AFTER, Health, HealthFile
from bot.process.ownership import Status

URL = "sqlite+aiosqlite:///data/gang.sqlite3"
NOW = 10_000.0
SERVING = Status.SERVING
LONG_AGO = NOW - STALE_AFTER - 1


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files, and a stopped clock."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(time, "monotonic", lambda: NOW)
    return tmp_path


@pytest.fixture
def file() -> Iterator[HealthFile]:
    file = HealthFile(URL, "one")
    yield file
    file.close()


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (Health(SERVING, NOW, NOW, NOW), None),
        (Health(SERVING, NOW - STALE_AFTER, NOW - STALE_AFTER, NOW - STALE_AFTER), None),
        (Health(SERVING, LONG_AGO, NOW, NOW), "event loop"),
        (Health(SERVING, NOW, LONG_AGO, NOW), "Discord has not acknowledged a heartbeat for 91 seconds"),
        (Health(SERVING, NOW, NEVER, NOW), "on every shard yet"),
        (Health(SERVING, NOW, NOW, LONG_AGO), "written to the database"),
        (Health(SERVING, NOW, NOW, NEVER), "written to the database"),
        (Health(Status.LOST, NOW, NOW, NOW), "The database doesn't answer"),
        (Health(Status.WAITING, NOW, NEVER, NEVER), None),
        (Health(Status.WAITING, LONG_AGO, NEVER, NEVER), "event loop"),
    ],
)
def test_a_process_is_healthy_if_loop_discord_and_database_are(
    file: HealthFile, written: Health, problem: str | None
) -> None:
    file.write(Health(SERVING, NOW, NOW, NOW))
    file.write(written)
    found = health.problem(URL)
    assert found == problem if problem is None else problem in (found or "")
    assert health.is_waiting(URL) == (written.status is Status.WAITING)


def test_without_a_process_nothing_is_healthy() -> None:
    assert "No process" in (health.problem(URL) or "")


def test_one_bad_process_is_not_hidden_by_a_good_one(file: HealthFile) -> None:
    other = HealthFile(URL, "two")
    other.write(Health(SERVING, NOW, LONG_AGO, NOW))
    file.write(Health(SERVING, NOW, NOW, NOW))
    assert "Discord" in (health.problem(URL) or "")
    other.close()
    assert health.problem(URL) is None


def test_another_bot_on_the_same_machine_is_ignored(file: HealthFile) -> None:
    other = HealthFile("sqlite+aiosqlite:///other/gang.sqlite3", "two")
    other.write(Health(SERVING, NOW, NOW, NOW))
    assert "No process" in (health.problem(URL) or "")
    other.close()


def test_the_file_of_a_process_that_was_killed_is_removed(temporary: Path) -> None:
    program = (
        "import os, signal, sys, tempfile; from bot.process.health import *; tempfile.tempdir = sys.argv[1];"
        f"HealthFile({URL!r}, 'dead').write(Health(Status.SERVING, {NOW}, {NOW}, {NOW}));"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, str(temporary)], check=False)
    assert list(temporary.rglob("*-dead"))
    assert "No process" in (health.problem(URL) or "")
    assert not list(temporary.rglob("*-dead"))


def test_a_removed_file_is_created_again(file: HealthFile, temporary: Path) -> None:
    file.write(Health(SERVING, NOW, NOW, NOW))
    next(temporary.rglob("*-one")).unlink()
    file.write(Health(SERVING, NOW, NOW, NOW))
    assert health.problem(URL) is None


def test_the_files_are_private_and_contain_no_secret(temporary: Path) -> None:
    before = os.umask(0)
    file = HealthFile("postgresql+asyncpg://user:password@host/gang", "one")
    file.write(Health(SERVING, NOW, NOW, NOW))
    os.umask(before)
    (folder,) = temporary.iterdir()
    (path,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not {"password", "user", "host"} & set(path.name.split("-"))
    file.close()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("attack", ["link", "open folder", "file"])
def test_a_folder_prepared_by_another_user_is_not_used(
    file: HealthFile, temporary: Path, tmp_path_factory: pytest.TempPathFactory, attack: str
) -> None:
    folder, elsewhere = temporary / f"gang-of-four-{os.getuid()}", tmp_path_factory.mktemp("elsewhere")
    if attack == "link":
        folder.symlink_to(elsewhere)
    elif attack == "file":
        folder.touch(0o600)
    else:
        folder.mkdir()
        folder.chmod(0o777)
    with pytest.raises(PermissionError, match="not a private folder"):
        file.write(Health(SERVING, NOW, NOW, NOW))
    assert "can't be read" in (health.problem(URL) or "")
    assert list(elsewhere.iterdir()) == []


def test_a_relative_path_means_the_same_database_as_its_absolute_one(file: HealthFile) -> None:
    file.write(Health(SERVING, NOW, NOW, NOW))
    assert health.problem(f"sqlite+aiosqlite:///{Path('data/gang.sqlite3').resolve()}") is None
