"""Checks that the newest commit can be released: `make release`.

Every text is translated, the changelog describes the version, nothing is uncommitted, and the version has no tag yet.
"""

import re
import subprocess
import sys
from datetime import date

from bot import __version__
from tests.presentation.catalogs import ROOT, languages, missing, read, template


def catalog_faults() -> list[str]:
    """Texts without a translation, and catalogs with texts that the code has no longer."""
    source = {message.id for message in template()}
    faults = [
        f"{languages()[language].relative_to(ROOT)} doesn't translate {text!r}"
        for language, texts in missing().items()
        for text in texts
    ]
    return faults + [
        f"{file.relative_to(ROOT)} has {message.id!r}, which the code has no longer: run `make catalogs`"
        for language, file in languages().items()
        for message in read(file, language)
        if message.id not in source
    ]


def changelog_faults(changelog: str, version: str) -> list[str]:
    """Faults of the first section of a changelog: it must be `## 1.2.3 - 2026-01-31`, with the version of the code."""
    heading, _, text = changelog.partition("\n## ")[2].partition("\n## ")[0].partition("\n")
    found = re.fullmatch(r"(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})", heading)
    if found is None:
        return [
            f"CHANGELOG.md begins with {heading!r} instead of a version and a date, such as '{version} - 2026-01-31'"
        ]
    faults = [] if found[1] == version else [f"CHANGELOG.md begins with version {found[1]}, the code has {version}"]
    if not text.strip():
        faults.append(f"CHANGELOG.md says nothing about version {found[1]}")
    try:
        date.fromisoformat(found[2])
    except ValueError:
        faults.append(f"{found[2]} in CHANGELOG.md is not a date")
    return faults


def repository_faults(version: str) -> list[str]:
    """Changes that aren't committed, and a tag that the version has already."""
    faults = [f"not committed: {line}" for line in _git("status", "--porcelain").splitlines()]
    if _git("tag", "--list", f"v{version}"):
        faults.append(f"the tag v{version} exists already")
    return faults


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout  # any git


def main() -> int:
    """Print all faults, or how to release. Returns the exit code."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    faults = [*catalog_faults(), *changelog_faults(changelog, __version__), *repository_faults(__version__)]
    for fault in faults:
        print(fault)
    if not faults:
        print(f"Version {__version__} can be released once `make check` and `make test` pass: git tag v{__version__}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
