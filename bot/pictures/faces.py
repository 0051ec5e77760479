"""Card faces with number, letter, shape and color, readable down to 22 pixels.

The three colors differ with any kind of color vision and in gray; a test computes it.
"""

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.engine import Card
from bot.engine.cards import DRAGON_RANK, PHOENIX_RANK, Color
from bot.pictures import marks
from bot.pictures.fonts import font
from bot.pictures.marks import OVERSAMPLING, Box, Points
from bot.pictures.theme import RGB

SIDE: Final = 128
"""The side of the square to which the measures below refer."""
_RADIUS: Final = 22
_EDGE: Final = 5

PAPER: Final[dict[Color, RGB]] = {Color.GREEN: (0, 77, 64), Color.YELLOW: (255, 214, 64), Color.RED: (211, 47, 47)}
INK: Final[dict[Color, RGB]] = {Color.GREEN: (255, 255, 255), Color.YELLOW: (32, 24, 0), Color.RED: (255, 255, 255)}
EDGE: Final[dict[Color, RGB]] = {Color.GREEN: (150, 220, 200), Color.YELLOW: (90, 70, 0), Color.RED: (255, 190, 185)}
SHAPE: Final[dict[Color, Points]] = {
    Color.GREEN: marks.TRIANGLE,
    Color.YELLOW: marks.DISC,
    Color.RED: marks.DIAMOND,
}
PLATE: Final[RGB] = (20, 20, 24)
"""The plate under the number and letter of the multicolored 1."""
PLATE_INK: Final[RGB] = (255, 255, 255)
NUMBER_BOX: Final = (12, 9, 116, 69)
LETTER_BOX: Final = (66, 77, 112, 120)
_SHAPE_BOX: Final[dict[Color, Box]] = {
    Color.GREEN: (12, 76, 60, 121),
    Color.YELLOW: (14, 77, 57, 120),
    Color.RED: (12, 75, 60, 122),
}


@lru_cache(maxsize=512)
def face(card: Card, size: int) -> Image.Image:
    """The face of a card, `size` pixels square, with transparent corners. It is cached, so don't modify it."""
    canvas = _Canvas()
    if card.color is Color.MULTI:
        _multicolored(canvas)
    else:
        _one_color(canvas, card)
    return canvas.image.resize((size, size), Image.Resampling.LANCZOS)


class _Canvas:
    """A face being drawn; lengths refer to a square of `SIDE`."""

    def __init__(self) -> None:
        self.side = SIDE * OVERSAMPLING
        self.image = Image.new("RGBA", (self.side, self.side))
        self.draw = ImageDraw.Draw(self.image)

    def card(self, fill: RGB | None, edge: RGB, box: Box = (0, 0, SIDE, SIDE)) -> None:
        left, top, right, bottom = _scaled(box)
        self.draw.rounded_rectangle(
            (left, top, right - 1, bottom - 1),
            _RADIUS * OVERSAMPLING,
            fill=fill,
            outline=edge,
            width=round(_EDGE * OVERSAMPLING),
        )

    def polygon(self, points: Points, box: Box, fill: RGB) -> None:
        self.draw.polygon(marks.within(points, _scaled(box)), fill=fill)

    def text(self, text: str, box: Box, fill: RGB) -> None:
        """Write text as high as the box, centered, and condensed if it would be wider."""
        left, top, right, bottom = _scaled(box)
        large = font(round((bottom - top) * 2), bold=True)
        x0, y0, x1, y1 = large.getbbox(text)
        stamp = Image.new("L", (round(x1 - x0), round(y1 - y0)))
        ImageDraw.Draw(stamp).text((-x0, -y0), text, font=large, fill=255)
        height = round(bottom - top)
        width = min(round(right - left), round(stamp.width * height / stamp.height))
        stamp = stamp.resize((width, height), Image.Resampling.LANCZOS)
        self.image.paste(fill, (round((left + right - width) / 2), round(top)), stamp)


def _scaled(box: Box) -> Box:
    left, top, right, bottom = box
    return left * OVERSAMPLING, top * OVERSAMPLING, right * OVERSAMPLING, bottom * OVERSAMPLING


def _one_color(canvas: _Canvas, card: Card) -> None:
    color = card.color
    ink, paper = INK[color], PAPER[color]
    canvas.card(paper, EDGE[color])
    if card.rank == PHOENIX_RANK:
        for part in marks.PHOENIX:
            canvas.polygon(part, (22, 6, 106, 74), ink)
    elif card.rank == DRAGON_RANK:
        canvas.polygon(marks.DRAGON_HEAD, (19, 5, 109, 75), ink)
        for part in marks.DRAGON_EYES:
            canvas.polygon(part, (19, 5, 109, 75), paper)
    else:
        canvas.text(str(card.rank), NUMBER_BOX, ink)
    canvas.polygon(SHAPE[color], _SHAPE_BOX[color], ink)
    canvas.text(color.letter, LETTER_BOX, ink)


MULTI_NUMBER_BOX: Final = (20, 14, 58, 76)
MULTI_LETTER_BOX: Final = (60, 33, 111, 76)


def _multicolored(canvas: _Canvas) -> None:
    """Three stripes with their shapes; 1 and M on a dark plate, so that they are legible on all three."""
    side = canvas.side
    stripes = Image.new("RGB", (side, side))
    draw = ImageDraw.Draw(stripes)
    for number, paper in enumerate(PAPER.values()):
        draw.rectangle((number * side / 3, 0, (number + 1) * side / 3, side), fill=paper)
    corners = Image.new("L", (side, side))
    ImageDraw.Draw(corners).rounded_rectangle((0, 0, side - 1, side - 1), _RADIUS * OVERSAMPLING, fill=255)
    canvas.image.paste(stripes, (0, 0), corners)
    canvas.card(None, (190, 190, 196))
    canvas.draw.rounded_rectangle(_scaled((13, 11, 115, 80)), 12 * OVERSAMPLING, fill=PLATE)
    canvas.text("1", MULTI_NUMBER_BOX, PLATE_INK)
    canvas.text("M", MULTI_LETTER_BOX, PLATE_INK)
    for color, left in ((Color.GREEN, 6), (Color.YELLOW, 46), (Color.RED, 86)):
        canvas.polygon(SHAPE[color], (left, 84, left + 36, 120), INK[color])
