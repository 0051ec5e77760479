"""The image: linted, and its contents run, without a Docker engine."""

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.compose_files import DOCKERFILE_COPIES

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def test_the_dockerfile_is_without_complaints() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    linted = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout


def link_packages(requirements: str, site: Path) -> None:
    """Link the required packages from this environment, where they were installed with the same hashes."""
    for line in re.findall(r"^[^#\s].*==.*$", requirements, re.MULTILINE):
        required = Requirement(line.rstrip("\\ "))
        if required.marker is None or required.marker.evaluate():
            found = distribution(required.name)
            assert required.specifier.contains(found.version)
            for name in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
                if not (site / name).exists():
                    (site / name).symlink_to(str(found.locate_file(name)))


def test_the_image_contains_everything_it_needs(tmp_path: Path) -> None:
    site, app = tmp_path / "site", tmp_path / "app"
    site.mkdir()
    (install,) = re.findall(r"/venv/bin/pip (install .*)$", DOCKERFILE, re.MULTILINE)
    *_, hashed, _, file = install.split()
    assert hashed == "--require-hashes"
    link_packages((ROOT / file).read_text(), site)
    for copied in DOCKERFILE_COPIES:
        shutil.copytree(ROOT / copied, app / copied, ignore=shutil.ignore_patterns("__pycache__"))
    python = (sys.executable, "-S", "-m", "bot")
    clean = {"PATH": os.environ["PATH"], "PYTHONPATH": str(site)}

    simulated = subprocess.run([*python, "simulate"], cwd=app, env=clean, check=False)
    served = subprocess.run(python, cwd=app, env=clean, capture_output=True, text=True, check=False)

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
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["$PYTHON"] * 3
