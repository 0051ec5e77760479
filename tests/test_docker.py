"""The image: linted, and built step by step in a clean environment, without a Docker engine."""

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_dockerfile_is_without_complaints() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    linted = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder on a disk: code can't run from a memory file system that is mounted with noexec."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def test_the_image_contains_everything_it_needs(folder: Path) -> None:
    environment, app = folder / "venv", folder / "app"
    app.mkdir()
    venv.create(environment)
    (install,) = re.findall(r"/venv/bin/pip (install .*)$", DOCKERFILE, re.MULTILINE)
    pip = (sys.executable, "-m", "pip", "--python", environment)
    subprocess.run([*pip, *install.split(), "--quiet", "--no-compile"], cwd=ROOT, check=True)
    for source, target in re.findall(r"^COPY (bot|cogs) (\w+)$", DOCKERFILE, re.MULTILINE):
        shutil.copytree(ROOT / source, app / target)
    python = environment / "bin/python"
    clean = {"PATH": os.environ["PATH"]}

    simulated = subprocess.run([python, "-m", "bot", "simulate"], cwd=app, env=clean, check=False)
    served = subprocess.run([python, "-m", "bot"], cwd=app, env=clean, capture_output=True, text=True, check=False)

    assert simulated.returncode == 0
    assert served.returncode == 2
    assert "DISCORD_TOKEN is missing" in served.stderr


def test_the_image_runs_as_an_ordinary_user_and_keeps_its_data_in_a_volume() -> None:
    assert re.search(r"^USER 10001$", DOCKERFILE, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", DOCKERFILE, re.MULTILINE)
    assert "NUMBA_CACHE_DIR=/data/" in DOCKERFILE  # machine code is kept there, as the code can't be written
    assert "HEALTHCHECK" in DOCKERFILE


def test_the_image_can_draw_names_in_hebrew_and_arabic() -> None:
    assert "libfribidi0" in DOCKERFILE


def test_the_base_image_is_named_by_its_digest() -> None:
    assert re.search(r"^ARG PYTHON=python:3\.11-slim-\w+@sha256:[0-9a-f]{64}$", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["$PYTHON", "$PYTHON"]
