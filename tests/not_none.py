"""Values that a test knows to be there, for the type checker."""

from typing import TypeVar

T = TypeVar("T")


def not_none(value: T | None) -> T:
    """The value, which isn't None."""
    assert value is not None
    return value
