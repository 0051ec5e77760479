"""Measures of colors: contrast (WCAG 2.2), CIELAB, and the view with a color vision deficiency."""

from collections.abc import Sequence
from math import dist
from typing import Final, TypeAlias

Triple: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Triple, Triple, Triple]

DEFICIENCIES: Final[dict[str, Matrix]] = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""For linear RGB, severity 1.0: Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color
Vision Deficiency" (2009)."""
_XYZ: Final[Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final[Triple] = (0.95047, 1.0, 1.08883)
"""sRGB under D65."""


def linear(color: Sequence[int]) -> Triple:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in color[:3])
    )
    return red, green, blue


def times(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def seen(color: Sequence[int], deficiency: str) -> Triple:
    """The color as seen with a deficiency, in linear RGB."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in times(DEFICIENCIES[deficiency], linear(color)))
    return red, green, blue


def lab(light: Triple) -> Triple:
    """CIELAB of a linear RGB color."""
    x, y, z = (
        t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29
        for t in (value / white for value, white in zip(times(_XYZ, light), _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, other: Triple) -> float:
    """Delta E of 1976: the distance in CIELAB."""
    return dist(lab(one), lab(other))


def luminance(color: Sequence[int]) -> float:
    return times(_XYZ, linear(color))[1]


def contrast(one: Sequence[int], other: Sequence[int]) -> float:
    """The contrast ratio, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
