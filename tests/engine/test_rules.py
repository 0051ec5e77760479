"""Each rule R1-R40 has a test named after it."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NAMED = re.compile(r'\bid=f?"(R\d+)\b|\bdef test_(r\d+)_')


def rules_tested() -> set[str]:
    """The rules after which rows or tests of this folder are named."""
    sources = (path.read_text() for path in HERE.glob("test_*.py"))
    return {(row or name).upper() for text in sources for row, name in NAMED.findall(text)}


@pytest.mark.parametrize("number", range(1, 41))
def test_a_test_is_named_after_the_rule(number: int) -> None:
    assert f"R{number}" in rules_tested()


def test_no_test_is_named_after_a_rule_that_does_not_exist() -> None:
    assert rules_tested() <= {f"R{number}" for number in range(1, 41)}
