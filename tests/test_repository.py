"""The committed files name no machine, and the README matches the code."""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from bot.presentation.text.permissions import CHANNEL_PERMISSIONS, THREAD_PERMISSIONS

ROOT: Final = Path(__file__).parent.parent
README: Final = ROOT / "README.md"
EVERYWHERE: Final = {Path(name) for name in ("/", "/app", "/home", "/opt", "/root", "/src", "/srv", "/tmp", "/usr")}
"""Folders that every machine has, or every image of a container."""
BESIDE: Final = f"{'shared'}/"
"""A folder next to the checkout, in which only CI looks for Discord's API specification."""


@cache
def committed() -> dict[str, str]:
    """All committed text files by name."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    ran = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip("this is not a git checkout")
    texts = {}
    for name in filter(None, ran.stdout.split("\0")):
        file = ROOT / name
        if file.is_file() and b"\0" not in (content := file.read_bytes()):
            texts[name] = content.decode("utf-8")
    assert texts
    return texts


def holding(text: str) -> list[str]:
    """The committed files that contain a text."""
    return [name for name, content in committed().items() if text in content]


def places() -> set[Path]:
    """The folders of this checkout and its user."""
    return {ROOT, ROOT.parent, Path.home()} - EVERYWHERE


@pytest.mark.parametrize("place", sorted(places()), ids=lambda place: f"{len(place.parts) - 1} folders deep")
def test_no_file_names_a_place_on_this_machine(place: Path) -> None:
    assert not holding(f"{place}/")


def test_no_file_names_the_package_index_of_this_machine() -> None:
    indexes = [value for name, value in os.environ.items() if name.endswith("INDEX_URL")]
    hosts = {urlsplit(url).hostname for url in indexes} - {None, "pypi.org"}
    assert not {name for host in hosts for name in holding(str(host))}


def test_lock_files_carry_no_addresses() -> None:
    locks = {name: text for name, text in committed().items() if re.search(r"requirements.*\.(in|txt)$", name)}
    assert len(locks) >= 6
    for name, text in locks.items():
        assert not re.search(r"://|index-url|find-links|trusted-host", text), name


def test_everything_that_is_installed_is_pinned_with_hashes() -> None:
    installs = [
        (name, line)
        for name in ("Makefile", "Dockerfile", ".ci/run")
        for line in (ROOT / name).read_text().splitlines()
        if "pip install" in line
    ]
    assert len(installs) >= 5
    assert [each for each in installs if "--require-hashes -r" not in each[1]] == []


def test_no_address_leads_into_a_private_network() -> None:
    private = re.compile(
        r"https?://(?:[\w.-]+\.(?:internal|local|lan|corp|intra)\b|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)"
    )
    assert not [
        name for name, text in committed().items() if private.search(text) and name != "tests/test_repository.py"
    ]


def test_nothing_depends_on_files_next_to_the_checkout() -> None:
    found = {
        f"{name}: {line.strip()}"
        for name, text in committed().items()
        if not name.startswith(".ci/")
        for line in text.splitlines()
        if re.search(rf"(?<![\w-]){BESIDE}", line)
    }
    assert not found


def test_no_secret_is_committed() -> None:
    assert not [name for name in committed() if Path(name).name == ".env" or name.endswith((".sqlite3", ".jsonl.key"))]
    token = re.compile(r"\b[MNO][\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}\b")
    assert not [name for name, text in committed().items() if token.search(text)]


def readme_rows(begins: str) -> dict[str, list[str]]:
    """The rows of README's tables whose first cell matches, by what matched; their other cells."""
    if not README.is_file():
        pytest.skip("there is no README.md yet")
    rows = {}
    for line in README.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            first, *others = (cell.strip() for cell in line.strip().strip("|").split("|"))
            if match := re.fullmatch(begins, first):
                rows[match[1]] = others
    return rows


def test_the_readme_names_every_permission() -> None:
    wanted = {why.split(":")[0] for why in (*CHANNEL_PERMISSIONS.values(), *THREAD_PERMISSIONS.values())}
    assert readme_rows(r"([A-Z][A-Za-z]+(?: [A-Za-z]+)+)").keys() == wanted


def test_the_gallery_shows_every_picture_that_is_there_and_no_other() -> None:
    folder = ROOT / "docs" / "gallery"
    shown = re.findall(r"]\(([\w-]+\.webp)\)", (folder / "README.md").read_text())
    assert sorted(shown) == sorted(file.name for file in folder.glob("*.webp"))
    assert "docs/gallery/playground.webp" in README.read_text()


def test_documents_name_tests_that_exist() -> None:
    named = {
        match.groups()
        for name, text in committed().items()
        if name.endswith(".md")
        for match in re.finditer(r"(tests/[\w/]+\.py)(?:::(\w+))?", text)
    }
    assert named
    for file, test in named:
        assert file in committed(), file
        assert test is None or f"def {test}(" in committed()[file], f"{file}::{test}"


def test_every_claim_about_security_names_a_test() -> None:
    attackers = committed()["docs/security.md"].partition("## Attackers")[2].partition("## What is not prevented")[0]
    claims = [line for line in attackers.splitlines() if re.match(r"\| (?!---|attempt |what happens )", line)]
    assert len(claims) > 25
    assert [claim for claim in claims if not re.search(r"tests/[\w/]+\.py::\w+", claim)] == []
