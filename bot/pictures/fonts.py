"""Type: DejaVu Sans from matplotlib's package data, and texts made to fit it.

It has the alphabets of Europe and the Near East, but neither Chinese, Japanese and Korean nor most emoji.
"""

import unicodedata
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


def is_legible(text: str) -> bool:
    """Whether the font has most of the letters of `text`: otherwise hand in another name for the same person."""
    letters = [character for character in text if unicodedata.category(character)[0] in "LN"]
    return sum(map(has, letters)) * 2 > len(letters)


def legible(text: str) -> str:
    """`text` on one line, with a stand-in for each letter and for each run of signs that the font lacks."""
    shown: list[str] = []
    marks = 0
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
    """`text`, legible, and a size from `size` down to `least` at which it fits; cut where the least is too large."""
    shown = legible(text)
    for smaller in range(size, least - 1, -1):
        if width(shown, smaller, bold) <= room:
            return shown, smaller
    fits = (shown[:length].rstrip() + ELLIPSIS for length in range(len(shown) - 1, 0, -1))
    return next((cut for cut in fits if width(cut, least, bold) <= room), ELLIPSIS), least


def wrapped(text: str, room: float, size: int, bold: bool = False) -> list[str]:
    """`text`, legible, as lines of at most `room` pixels; it breaks at spaces, a longer word stands alone."""
    lines: list[str] = []
    for word in legible(text).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def on_two_lines(text: str, room: float, size: int, least: int, bold: bool = False) -> tuple[list[str], int]:
    """`text` on one line where it fits at `size` or a little less, else on two with smaller type; and the size.

    It is cut as in `fitted`.
    """
    whole = legible(text)
    sizes = range(size, least - 1, -1)
    for count, smallest in ((1, (size + least) // 2), (2, least)):
        for smaller in (smaller for smaller in sizes if smaller >= smallest):
            lines = wrapped(whole, room, smaller, bold) if count == 2 else [whole]
            if len(lines) <= count and all(width(line, smaller, bold) <= room for line in lines):
                return lines, smaller
    first, *others = wrapped(whole, room, least, bold) or [""]
    if width(first, least, bold) > room:
        return [fitted(whole, room, least, least, bold)[0]], least
    return [first, fitted(" ".join(others), room, least, least, bold)[0]], least
