"""Short forms of unknown values for error messages: a message stays short, whatever the value is."""

from reprlib import Repr
from typing import Final

LONGEST_TEXT: Final = 200
"""Characters of a text that a message quotes."""

_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40
_SHORT.maxlevel = 2


def excerpt(value: object) -> str:
    """The `repr` of a value, shortened: long texts, long lists and deep nesting are cut."""
    return _SHORT.repr(value)


def shortened(text: str) -> str:
    """A text of at most `LONGEST_TEXT` characters."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
