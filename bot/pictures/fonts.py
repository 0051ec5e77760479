"""Type: DejaVu Sans from matplotlib's package data, and texts made to fit it.

It has the alphabets of Europe and the Near East, but neither Chinese, Japanese and Korean nor most emoji.
"""

import unicodedata
from bisect import bisect
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

STAND_IN: Final = "•"
"""Instead of what the font lacks."""
ELLIPSIS: Final = "…"
MOST_MARKS: Final = 2
"""Marks over and under one letter: Vietnamese and Hebrew need two, towers of them would run into other lines."""
MOST_CHARACTERS: Final = 400
"""A longer text is cut before it is measured: this fills two lines of a page with the narrowest letters."""
_UNASSIGNED: Final = "\U0010ffff"


@cache
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The font; `size` is its em in pixels."""
    return ImageFont.truetype(_folder() / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"), size)


@cache
def _folder() -> Path:
    """Where the fonts lie. It only looks for matplotlib: to import that takes longer than to draw."""
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("matplotlib, whose fonts are used, is not installed")
    return Path(spec.submodule_search_locations[0], "mpl-data", "fonts", "ttf")


def legible(text: str) -> str:
    """`text` on one line, with a stand-in for each letter and for each run of signs that the font lacks.

    Of a text of more than `MOST_CHARACTERS` characters, only the beginning is shown.
    """
    shown: list[str] = []
    marks = 0
    if len(text) > MOST_CHARACTERS:
        text = text[: MOST_CHARACTERS - 1] + ELLIPSIS
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind == "Cf" or marks > MOST_MARKS or (marks and shown[-1:] in ([], [STAND_IN])):
            continue  # what shapes or adorns a sign that is not shown
        if kind[0] == "Z" or kind == "Cc":
            shown.append(" ")
        elif has(character):
            shown.append(character)
        elif kind[0] == "L" or shown[-1:] != [STAND_IN]:
            shown.append(STAND_IN)
    return " ".join("".join(shown).split())


@lru_cache(maxsize=4096)
def has(character: str) -> bool:
    """Whether both weights of the font have a glyph for `character`."""
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
    """How wide a legible text is, in pixels."""
    return font(size, bold).getlength(text)


def fitted(text: str, room: float, size: int, least: int, bold: bool = False) -> tuple[str, int]:
    """`text`, legible, and the largest size from `least` to `size` at which it fits; cut if it doesn't fit at `least`.

    The number of measurements grows with the logarithm of the sizes and of the length.
    """
    shown = legible(text)
    fits = _largest(least, size, lambda smaller: width(shown, smaller, bold) <= room)
    return (_cut(shown, room, least, bold), least) if fits is None else (shown, fits)


def _cut(shown: str, room: float, size: int, bold: bool) -> str:
    """As much of a legible text as fits, with an ellipsis after it."""

    def cut(length: int) -> str:
        return shown[:length].rstrip() + ELLIPSIS

    return cut(_largest(0, len(shown) - 1, lambda length: width(cut(length), size, bold) <= room) or 0)


def _largest(low: int, high: int, fits: Callable[[int], bool]) -> int | None:
    """The largest number from `low` to `high` that fits, if smaller ones fit, too; None if none does."""
    count = bisect(range(low, high + 1), False, key=lambda number: not fits(number))
    return low + count - 1 if count else None


def wrapped(text: str, room: float, size: int, bold: bool = False) -> list[str]:
    """`text`, legible, as lines of at most `room` pixels; it breaks at spaces, and a longer word gets its own line."""
    words = legible(text).split()
    lines: list[str] = []
    while words:
        line, words = _first_line(words, room, size, bold)
        lines.append(line)
    return lines


def _first_line(words: list[str], room: float, size: int, bold: bool) -> tuple[str, list[str]]:
    """The words that fit on one line, at least one, and those after them."""
    count = _largest(2, len(words), lambda count: width(" ".join(words[:count]), size, bold) <= room) or 1
    return " ".join(words[:count]), words[count:]


def on_two_lines(text: str, room: float, size: int, least: int, bold: bool = False) -> tuple[list[str], int]:
    """`text` on one line if it fits at `size` or a little less, else on two with smaller type; and the size.

    It is cut as in `fitted`.
    """
    whole = legible(text)
    fits = _largest((size + least) // 2, size, lambda smaller: width(whole, smaller, bold) <= room)
    if fits is not None:
        return [whole], fits
    words = whole.split()
    fits = _largest(least, size, lambda smaller: _is_on_two_lines(words, room, smaller, bold)) or least
    first, rest = _first_line(words, room, fits, bold)
    if width(first, fits, bold) > room:
        return [_cut(whole, room, fits, bold)], fits
    return [first, *([fitted(" ".join(rest), room, fits, fits, bold)[0]] if rest else [])], fits


def _is_on_two_lines(words: list[str], room: float, size: int, bold: bool) -> bool:
    first, rest = _first_line(words, room, size, bold)
    return max(width(first, size, bold), width(" ".join(rest), size, bold)) <= room
