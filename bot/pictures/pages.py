"""Building blocks of the larger pictures: a page of stacked blocks with texts, cards and marks."""

from collections.abc import Sequence
from io import BytesIO
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.engine import Cards
from bot.pictures import marks
from bot.pictures.faces import face
from bot.pictures.fonts import fitted, font, on_two_lines
from bot.pictures.marks import Points
from bot.pictures.theme import (
    BACKGROUND,
    BODY,
    CONTENT_WIDTH,
    INK,
    MARGIN,
    MUTED,
    PANEL,
    RADIUS,
    RGB,
    SMALLEST,
    TITLE,
    WIDTH,
)

Position: TypeAlias = tuple[float, float]
GAP: Final = 6
"""Between two cards."""

LEADING: Final = 1.16
"""The distance between lines, relative to the font size."""


class Block:
    """A part of a page; positions are pixels from its upper left corner."""

    def __init__(self, height: int, background: RGB = BACKGROUND) -> None:
        self.image = Image.new("RGB", (CONTENT_WIDTH, height), background)
        self._draw = ImageDraw.Draw(self.image)
        self.height = height

    def text(
        self,
        at: Position,
        text: str,
        size: int = BODY,
        color: RGB = INK,
        *,
        bold: bool = False,
        anchor: str = "ls",
        max_width: float = CONTENT_WIDTH,
        smallest: int = SMALLEST,
    ) -> float:
        """Write a line and return its width. `at` is on the baseline: the left (`ls`), middle (`ms`) or right (`rs`).

        To fit into `max_width` pixels, it shrinks to the size `smallest` and is then cut.
        """
        shown, fits = fitted(text, max_width, size, min(size, smallest), bold)
        type_ = font(fits, bold)
        self._draw.text(at, shown, fill=color, font=type_, anchor=anchor)
        return type_.getlength(shown)

    def label(
        self,
        at: Position,
        text: str,
        max_width: float,
        size: int = BODY,
        color: RGB = INK,
        *,
        bold: bool = False,
        align: str,
    ) -> float:
        """Write one or two lines and return the width; `at` is their middle height, `align` is `l`, `m` or `r`."""
        lines, fits = on_two_lines(text, max_width, size, SMALLEST - 2, bold)
        return self.lines(at, lines, fits, color, bold=bold, align=align)

    def lines(
        self, at: Position, lines: Sequence[str], size: int, color: RGB, *, bold: bool = False, align: str
    ) -> float:
        """Write lines as they are and return the width; `at` is their middle height, `align` is `l`, `m` or `r`."""
        type_ = font(size, bold)
        for place, line in enumerate(lines):
            baseline = at[1] + size * (0.36 + LEADING * (place - (len(lines) - 1) / 2))
            self._draw.text((at[0], round(baseline)), line, fill=color, font=type_, anchor=f"{align}s")
        return max(map(type_.getlength, lines))

    def panel(self, box: tuple[int, int, int, int], color: RGB = PANEL, radius: int = RADIUS) -> None:
        """Draw a rectangle with round corners; the box is left, top, right, bottom."""
        left, top, right, bottom = box
        self.image.paste(color, (left, top), marks.rounded(right - left, bottom - top, radius))

    def line(self, points: Sequence[Position], color: RGB, width: int) -> None:
        """Draw a line, perhaps with corners."""
        self._draw.line(points, fill=color, width=width, joint="curve")

    def mark(self, points: Points, at: tuple[int, int], size: int, color: RGB, *, width: int | None = None) -> None:
        """Draw a shape at its upper left corner; `size` is its height."""
        self.image.paste(color, at, marks.painted(points, width or size, size))

    def cards(self, at: tuple[int, int], cards: Cards, size: int, gap: int = GAP, in_row: int = 16) -> None:
        """Draw card faces from left to right; `at` is the upper left corner of the first."""
        for place, card in enumerate(cards):
            row, column = divmod(place, in_row)
            picture = face(card, size)
            self.image.paste(picture, (at[0] + column * (size + gap), at[1] + row * (size + gap)), picture)


def heading(title: str, subtitle: str = "") -> Block:
    """The head of a page."""
    block = Block(88 if subtitle else 48)
    block.text((0, 38), title, TITLE, bold=True)
    if subtitle:
        block.text((0, 78), subtitle, BODY, MUTED)
    return block


def page(blocks: Sequence[Block], gap: int = 16) -> Image.Image:
    """The blocks stacked on one image with margins."""
    height = 2 * MARGIN + sum(block.height for block in blocks) + gap * (len(blocks) - 1)
    image = Image.new("RGB", (WIDTH, height), BACKGROUND)
    top = MARGIN
    for block in blocks:
        image.paste(block.image, (MARGIN, top))
        top += block.height + gap
    return image


def png(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
