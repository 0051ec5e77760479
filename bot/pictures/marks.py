"""Drawn shapes: those of the colors, Phoenix, Dragon, star and arrows.

Each is a list of points in a unit square, y downwards; `painted` makes an antialiased mask.
"""

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

OVERSAMPLING: Final = 4
"""The factor by which polygons are drawn larger and then reduced, because Pillow doesn't smooth their edges."""
Points: TypeAlias = tuple[tuple[float, float], ...]
Box: TypeAlias = tuple[float, float, float, float]
Painter: TypeAlias = Callable[[ImageDraw.ImageDraw, int], None]
"""Draws white on black, enlarged by its second argument."""


def _round(points: int, inner: float) -> Points:
    """A star of `points` rays with an inner radius of `inner` (0-1); 1 gives a polygon with `2 * points` corners."""
    radii = [(0.5 if corner % 2 == 0 else inner / 2) for corner in range(2 * points)]
    angles = [pi * corner / points for corner in range(2 * points)]
    return tuple((0.5 + r * sin(a), 0.5 - r * cos(a)) for r, a in zip(radii, angles, strict=True))


TRIANGLE: Final[Points] = ((0.5, 0), (1, 1), (0, 1))
DIAMOND: Final[Points] = ((0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5))
DISC: Final = _round(48, 1)
STAR: Final = _round(5, 0.44)
ARROW: Final[Points] = ((0, 0.36), (0.55, 0.36), (0.55, 0.06), (1, 0.5), (0.55, 0.94), (0.55, 0.64), (0, 0.64))
"""Points to the right."""
POINTER: Final[Points] = ((0, 0), (1, 0.5), (0, 1))
"""Points to the right, without a shaft."""

_WING: Final[Points] = (
    *((0.46, 0.52), (0.40, 0.30), (0.26, 0.12), (0.02, 0.02), (0.06, 0.22)),
    *((0.00, 0.24), (0.08, 0.42), (0.04, 0.46), (0.20, 0.62), (0.38, 0.70)),
)
PHOENIX: Final[tuple[Points, ...]] = (
    _WING,
    tuple((1 - x, y) for x, y in _WING),
    ((0.42, 0.30), (0.5, 0.18), (0.58, 0.30), (0.62, 0.66), (0.5, 0.80), (0.38, 0.66)),
    tuple((0.41 + 0.18 * x, 0.06 + 0.24 * y) for x, y in DISC),
    ((0.56, 0.12), (0.72, 0.20), (0.56, 0.24)),
    ((0.42, 0.70), (0.30, 1), (0.45, 0.90), (0.5, 1), (0.55, 0.90), (0.70, 1), (0.58, 0.70)),
)
"""The raised wings, body, head, beak and tail."""
DRAGON_HEAD: Final[Points] = (
    *((0.02, 0.52), (0.10, 0.40), (0.30, 0.34), (0.44, 0.22), (0.40, 0.02), (0.56, 0.16), (0.66, 0.00)),
    *((0.70, 0.18), (0.86, 0.10), (0.82, 0.30), (1, 0.34), (0.88, 0.48), (1, 0.62), (0.86, 0.68)),
    *((0.94, 0.88), (0.76, 0.84), (0.72, 1), (0.60, 0.86), (0.46, 0.98), (0.44, 0.80), (0.30, 0.74)),
    *((0.08, 0.78), (0.14, 0.70), (0.36, 0.62), (0.30, 0.60), (0.04, 0.62)),
)
DRAGON_EYES: Final[tuple[Points, ...]] = (
    tuple((0.50 + 0.12 * x, 0.36 + 0.12 * y) for x, y in DISC),
    ((0.06, 0.50), (0.12, 0.45), (0.12, 0.51)),
)
"""The eye and nostril, in the color of the background."""


def within(points: Points, box: Box) -> list[tuple[float, float]]:
    """The points with the unit square scaled to `box`."""
    left, top, right, bottom = box
    return [(left + (right - left) * x, top + (bottom - top) * y) for x, y in points]


def mask(width: int, height: int, painter: Painter) -> Image.Image:
    """An antialiased mask of the painter's drawing."""
    large = Image.new("L", (width * OVERSAMPLING, height * OVERSAMPLING))
    painter(ImageDraw.Draw(large), OVERSAMPLING)
    return large.resize((width, height), Image.Resampling.BOX)


@lru_cache(maxsize=128)
def painted(points: Points, width: int, height: int) -> Image.Image:
    """The mask of a shape. It is cached, so don't modify it."""

    def paint(draw: ImageDraw.ImageDraw, scale: int) -> None:
        draw.polygon(within(points, (0, 0, width * scale - 1, height * scale - 1)), fill=255)

    return mask(width, height, paint)


@lru_cache(maxsize=128)
def rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a rectangle with round corners. It is cached, so don't modify it."""

    def paint(draw: ImageDraw.ImageDraw, scale: int) -> None:
        draw.rounded_rectangle((0, 0, width * scale - 1, height * scale - 1), radius * scale, fill=255)

    return mask(width, height, paint)
