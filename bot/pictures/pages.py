"""What the larger pictures are made of: blocks of one width below one another; texts, cards and marks on them."""

from collections.abc import Sequence
from io import BytesIO
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.engine import Cards
from bot.pictures import marks
from bot.pictures.faces import face
from bot.pictures.fonts import fitted, font, on_two_lines
from bot.pictures.marks import Points
from bot.pictures.theme import BODY, GROUND, INK, INNER, LEAST, MARGIN, MUTED, PANEL, RADIUS, RGB, TITLE, WIDTH

Position: TypeAlias = tuple[float, float]
GAP: Final = 6
"""Between two cards."""

LEADING: Final = 1.16
"""From a line to the next, in sizes of the type."""


class Block:
    """A part of a page; positions are pixels from its left upper corner."""

    def __init__(self, height: int, width: int = INNER, ground: RGB = GROUND) -> None:
        self.image = Image.new("RGB", (width, height), ground)
        self._draw = ImageDraw.Draw(self.image)
        self.width, self.height = width, height

    def text(
        self,
        at: Position,
        text: str,
        size: int = BODY,
        color: RGB = INK,
        *,
        bold: bool = False,
        anchor: str = "ls",
        room: float | None = None,
        least: int = LEAST,
    ) -> float:
        """Write a line, and give its width. `at` is on its baseline, at its left (`ls`), middle (`ms`) or right (`rs`).

        To fit into `room` pixels it shrinks to the size `least`, and is then cut.
        """
        shown, fits = fitted(text, self.width if room is None else room, size, min(size, least), bold)
        type_ = font(fits, bold)
        self._draw.text(at, shown, fill=color, font=type_, anchor=anchor)
        return type_.getlength(shown)

    def label(
        self,
        at: Position,
        text: str,
        room: float,
        size: int = BODY,
        color: RGB = INK,
        *,
        bold: bool = False,
        align: str,
    ) -> float:
        """Write on one line or two, and give the width; `at` is on the middle of them, `align` is `l`, `m` or `r`."""
        lines, fits = on_two_lines(text, room, size, LEAST - 2, bold)
        return self.lines(at, lines, fits, color, bold=bold, align=align)

    def lines(
        self, at: Position, lines: Sequence[str], size: int, color: RGB, *, bold: bool = False, align: str
    ) -> float:
        """Write lines that fit, and give the width; `at` is on the middle of them, `align` is `l`, `m` or `r`."""
        type_ = font(size, bold)
        for place, line in enumerate(lines):
            baseline = at[1] + size * (0.36 + LEADING * (place - (len(lines) - 1) / 2))
            self._draw.text((at[0], round(baseline)), line, fill=color, font=type_, anchor=f"{align}s")
        return max(map(type_.getlength, lines))

    def panel(self, box: tuple[int, int, int, int], color: RGB = PANEL, radius: int = RADIUS) -> None:
        """A rectangle with round corners: left, top, right, bottom."""
        left, top, right, bottom = box
        self.image.paste(color, (left, top), marks.rounded(right - left, bottom - top, radius))

    def line(self, start: Position, end: Position, color: RGB, width: int = 2) -> None:
        """A straight line."""
        self._draw.line((start, end), fill=color, width=width)

    def path(self, points: Sequence[Position], color: RGB, width: int) -> None:
        """A line around corners."""
        self._draw.line(points, fill=color, width=width, joint="curve")

    def mark(self, points: Points, at: tuple[int, int], size: int, color: RGB, *, width: int | None = None) -> None:
        """A sign, by its left upper corner; `size` is its height."""
        self.image.paste(color, at, marks.painted(points, width or size, size))

    def cards(self, at: tuple[int, int], cards: Cards, size: int, gap: int = GAP, in_row: int = 16) -> None:
        """Faces from left to right, by the left upper corner of the first."""
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
    """The blocks below one another, with margins around."""
    height = 2 * MARGIN + sum(block.height for block in blocks) + gap * (len(blocks) - 1)
    image = Image.new("RGB", (WIDTH, height), GROUND)
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
