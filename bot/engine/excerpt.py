"""Short forms of unknown values, so that error messages stay short."""

from reprlib import Repr
from typing import Final

MAX_TEXT: Final = 200
"""Characters of a text that a message quotes at most."""


class _Short(Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to write out integers of thousands of digits (`sys.set_int_max_str_digits`)."""
        try:
            return super().repr_int(x, level)
        except ValueError:
            return f"<an integer of {x.bit_length()} bits>"


_SHORT: Final = _Short()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40
_SHORT.maxlevel = 2


def excerpt(value: object) -> str:
    """The `repr` of a value, shortened: long texts, long lists and deep nesting are cut."""
    return _SHORT.repr(value)


def shortened(text: str) -> str:
    """A text of at most `MAX_TEXT` characters."""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
