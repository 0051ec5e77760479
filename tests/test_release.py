"""`make release` finds what is wrong with the changelog."""

import pytest

from tests.release import changelog_faults

DONE = "# Changelog\n\nText.\n\n## 1.2.3 - 2026-01-31\n\n- A game.\n\n## 1.2.2 - 2026-01-01\n\n- Less.\n"


def test_a_changelog_may_describe_the_version() -> None:
    assert changelog_faults(DONE, "1.2.3") == []


@pytest.mark.parametrize(
    ("changelog", "fault"),
    [
        (DONE.replace("1.2.3 - 2026-01-31", "Unreleased"), "begins with 'Unreleased'"),
        (DONE.replace("1.2.3", "1.2.4"), "begins with version 1.2.4, the code has 1.2.3"),
        (DONE.replace("- A game.", ""), "says nothing about version 1.2.3"),
        (DONE.replace("01-31", "02-31"), "2026-02-31 in CHANGELOG.md is not a date"),
        ("# Changelog\n", "begins with ''"),
    ],
)
def test_a_fault_of_the_changelog_is_named(changelog: str, fault: str) -> None:
    (found,) = changelog_faults(changelog, "1.2.3")
    assert fault in found
