"""The font, DejaVu Sans from matplotlib's package data, and functions that fit texts into a width.

The font has the alphabets of Europe and the Near East, but neither Chinese, Japanese and Korean nor most emoji.
"""

import unicodedata
from bisect import bisect
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

REPLACEMENT: Final = "•"
"""Replaces characters that the font doesn't have."""
ELLIPSIS: Final = "…"
MAX_MARKS: Final = 2
"""Combining marks of one letter: Vietnamese and Hebrew need two, and more would run into other lines."""
MAX_CHARACTERS: Final = 400
"""Longer texts are cut before they are measured. This many of the narrowest letters fill two lines of a page."""
_UNASSIGNED: Final = "\U0010ffff"


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The font with an em of `size` pixels."""
    return ImageFont.truetype(_folder() / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"), size)


@cache
def _folder() -> Path:
    """The folder of the fonts. It doesn't import matplotlib, because that takes longer than drawing."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("matplotlib, whose fonts are used, is not installed")
    return Path(spec.submodule_search_locations[0], "mpl-data", "fonts", "ttf")


def legible(text: str) -> str:
    """`text` on one line, with a replacement for each letter and each run of symbols that the font doesn't have.

    A text of more than `MAX_CHARACTERS` characters is cut.
    """
    shown: list[str] = []
    marks = 0
    if len(text) > MAX_CHARACTERS:
        text = text[: MAX_CHARACTERS - 1] + ELLIPSIS
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind == "Cf" or marks > MAX_MARKS or (marks and shown[-1:] in ([], [" "], [REPLACEMENT])):
            continue  # a format character, too many marks, or a mark without a letter
        if kind[0] == "Z" or kind == "Cc":
            shown.append(" ")
        elif has(character):
            shown.append(character)
        elif kind[0] == "L" or shown[-1:] != [REPLACEMENT]:
            shown.append(REPLACEMENT)
    return " ".join("".join(shown).split())


@lru_cache(maxsize=4096)
def has(character: str) -> bool:
    """True if both weights of the font have a glyph for `character`."""
    if unicodedata.category(character) in ("Cs", "Co", "Cn"):
        return False
    return all(_drawn(character, bold) != _missing(bold) for bold in (False, True))


@cache
def _missing(bold: bool) -> bytes:
    return _drawn(_UNASSIGNED, bold)


def _drawn(character: str, bold: bool) -> bytes:
    image = Image.new("L", (40, 40))
    ImageDraw.Draw(image).text((8, 8), character, fill=255, font=font(16, bold))
    return image.tobytes()


def width(text: str, size: int, bold: bool = False) -> float:
    """The width of a legible text in pixels."""
    return font(size, bold).getlength(text)


def fitted(text: str, max_width: float, size: int, smallest: int, bold: bool = False) -> tuple[str, int]:
    """The legible text, and the largest size from `smallest` to `size` at which it fits; cut if none does.

    The number of measurements grows with the logarithm of the sizes and of the length.
    """
    shown = legible(text)
    fits = _largest(smallest, size, lambda smaller: width(shown, smaller, bold) <= max_width)
    return (_cut(shown, max_width, smallest, bold), smallest) if fits is None else (shown, fits)


def _cut(shown: str, max_width: float, size: int, bold: bool) -> str:
    """As much of a legible text as fits, and an ellipsis."""

    def cut(length: int) -> str:
        return shown[:length].rstrip() + ELLIPSIS

    return cut(_largest(0, len(shown) - 1, lambda length: width(cut(length), size, bold) <= max_width) or 0)


def _largest(low: int, high: int, fits: Callable[[int], bool]) -> int | None:
    """The largest number from `low` to `high` that fits; None if none does. All smaller numbers must fit, too."""
    count = bisect(range(low, high + 1), False, key=lambda number: not fits(number))
    return low + count - 1 if count else None


def wrapped(text: str, max_width: float, size: int) -> list[str]:
    """Wrap the legible text at spaces into lines of at most `max_width` pixels. A longer word gets its own line."""
    words = legible(text).split()
    lines: list[str] = []
    while words:
        line, words = _first_line(words, max_width, size, bold=False)
        lines.append(line)
    return lines


def _first_line(words: list[str], max_width: float, size: int, bold: bool) -> tuple[str, list[str]]:
    """The words that fit on one line, at least one, and the remaining words."""
    count = _largest(2, len(words), lambda count: width(" ".join(words[:count]), size, bold) <= max_width) or 1
    return " ".join(words[:count]), words[count:]


def on_two_lines(text: str, max_width: float, size: int, smallest: int, bold: bool = False) -> tuple[list[str], int]:
    """The text on one line if it fits at `size` or a little less, else on two smaller lines; and the size.

    It is cut like in `fitted`.
    """
    whole = legible(text)
    fits = _largest((size + smallest) // 2, size, lambda smaller: width(whole, smaller, bold) <= max_width)
    if fits is not None:
        return [whole], fits
    words = whole.split()
    fits = _largest(smallest, size, lambda smaller: _is_on_two_lines(words, max_width, smaller, bold)) or smallest
    first, rest = _first_line(words, max_width, fits, bold)
    if width(first, fits, bold) > max_width:
        return [_cut(whole, max_width, fits, bold)], fits
    return [first, *([fitted(" ".join(rest), max_width, fits, fits, bold)[0]] if rest else [])], fits


def _is_on_two_lines(words: list[str], max_width: float, size: int, bold: bool) -> bool:
    first, rest = _first_line(words, max_width, size, bold)
    return max(width(first, size, bold), width(" ".join(rest), size, bold)) <= max_width
