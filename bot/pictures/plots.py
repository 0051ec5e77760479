"""Charts: totals over a match, reviews by the coach, a rating over time, penalties, and members against each other."""

import gc
from collections.abc import Sequence
from io import BytesIO
from itertools import accumulate
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from PIL import Image

from bot.pictures.descriptions import Curve, Grid, Histogram, Reviewed, Totals
from bot.pictures.fonts import fitted, wrapped
from bot.pictures.pages import png
from bot.pictures.theme import (
    BACKGROUND,
    BODY,
    GOLD,
    INK,
    LINE,
    MARGIN,
    MUTED,
    PANEL,
    RGB,
    SERIES,
    SMALL,
    SMALLEST,
    TITLE,
    WIDTH,
)

HEIGHT: Final = 560
DPI: Final = 100
LEFT: Final = 104
"""The left edge of the axes; the numbers of the scale are left of it."""
EDGE: Final = MARGIN + 2
"""The left edge of lines of text; some letters reach further left."""
TOP: Final = 130
BOTTOM: Final = 96
NAMES: Final = 220
"""The width of the names of lines, right of the axes."""
HALF: Final = 0.5
"""Cells of the grid with a lower share are dark."""
PART_TOP: Final = 84
"""The top of the first part of a chart with two."""
PARTS: Final = HEIGHT - PART_TOP - 62
"""The height of all parts."""
PART_HEAD: Final = 42
"""The height of the label above a part."""
PART_GAP: Final = 22
MAX_NUMBERS: Final = 14
"""Bars with their numbers; more wouldn't be legible."""
LINE_STYLES: Final = ("-", "--", "-.", ":")
MARKERS: Final = ("o", "s", "^", "D")
MAX_MARKERS: Final = 40
"""Points of a line with a marker; longer lines have markers at some points only."""


def totals_plot(totals: Totals) -> bytes:
    """A PNG, 800 pixels wide."""
    figure, axes = _chart(totals.title, totals.x_label, totals.y_label, right=NAMES)
    lines = [[0, *(after[seat] for after in totals.totals)] for seat in range(len(totals.players))]
    for number, line in enumerate(lines):
        _line(axes, range(len(line)), line, number)
    axes.axhline(totals.target, color=_hex(INK), linewidth=1.5, linestyle=(0, (1, 3)))
    axes.set_xlim(0, len(totals.totals))
    axes.set_ylim(0, max(totals.target, *totals.totals[-1]) * 1.06)
    _name_lines(figure, axes, totals.players, [line[-1] for line in lines])
    return _drawn(figure)


def rating_plot(curve: Curve) -> bytes:
    """A PNG, 800 pixels wide."""
    figure, axes = _chart(curve.title, curve.x_label, right=NAMES)
    matches = range(1, len(curve.lows) + 1)
    axes.fill_between(matches, curve.lows, curve.highs, color=_hex(SERIES[0]), alpha=0.15, linewidth=0)
    lines = (curve.lows, curve.middles, curve.highs)
    for number, line in enumerate(lines):
        _line(axes, matches, line, number)
    axes.set_xlim(min(1, len(matches) - 1), len(matches))
    _name_lines(figure, axes, curve.names, [line[-1] for line in lines])
    return _drawn(figure)


def penalties_plot(histogram: Histogram) -> bytes:
    """A PNG, 800 pixels wide."""
    figure, axes = _chart(histogram.title, histogram.x_label, histogram.y_label)
    hands = [hands for _, hands in histogram.hands]
    bars = axes.bar(range(len(hands)), hands, color=_hex(SERIES[1]), width=0.8)
    axes.bar_label(bars, color=_hex(INK), fontsize=_points(SMALLEST), padding=4)
    axes.set_xticks(range(len(hands)), [str(points) for points, _ in histogram.hands])
    axes.set_ylim(0, max(hands) * 1.12)
    return _drawn(figure)


def grid_plot(grid: Grid) -> bytes:
    """A PNG, 800 pixels wide."""
    figure, axes = _chart(grid.title, left=MARGIN + NAMES)
    for number, line in enumerate(reversed(wrapped(grid.subtitle, WIDTH - 2 * MARGIN, SMALLEST))):
        _text(figure, line, (EDGE, HEIGHT - MARGIN - 6 - number * (SMALLEST + 6)), SMALLEST, MUTED, WIDTH - 2 * MARGIN)
    for row, cells in enumerate(grid.cells):
        for column, cell in enumerate(cells):
            background = PANEL if cell is None else heat(cell[0])
            axes.fill_between([column, column + 1], row, row + 1, color=_hex(background), linewidth=0)
            if cell is not None:
                ink = _hex(BACKGROUND if cell[0] >= HALF else INK)
                at = column + 0.5, row + 0.5
                axes.text(*at, cell[1], color=ink, fontsize=_points(SMALLEST), ha="center", va="center")
    names = [f"{number}. {name}" for number, name in enumerate(grid.people, 1)]
    middles = [number + 0.5 for number in range(len(names))]
    axes.set_xticks(middles, [f"{number}." for number in range(1, len(names) + 1)])
    axes.set_yticks(middles, [fitted(name, NAMES - 12, SMALLEST, SMALLEST)[0] for name in names], parse_math=False)
    axes.set_xlim(0, len(names))
    axes.set_ylim(len(names), 0)
    axes.xaxis.tick_top()
    axes.grid(visible=False)
    return _drawn(figure)


def review_plot(reviewed: Reviewed) -> bytes:
    """A PNG, 800 pixels wide."""
    figure = _figure(reviewed.title)
    _text(figure, reviewed.hands_label, (LEFT, HEIGHT - MARGIN - 4), SMALL, MUTED, WIDTH - LEFT - MARGIN)
    if not reviewed.luck:
        _costs(reviewed, _part(figure, reviewed, reviewed.cost_label, PART_TOP, PARTS))
        return _drawn(figure)
    half = PARTS // 2
    costs = _part(figure, reviewed, reviewed.cost_label, PART_TOP, half)
    costs.tick_params(labelbottom=False)
    _costs(reviewed, costs)
    _luck(reviewed, figure, _part(figure, reviewed, reviewed.luck_label, PART_TOP + half, half))
    return _drawn(figure)


def _part(figure: Figure, reviewed: Reviewed, label: str, top: int, height: int) -> Axes:
    """Axes with a label above them; both together are `height` pixels high."""
    axes = _axes(figure, (top + PART_HEAD, HEIGHT - top - height + PART_GAP), (LEFT, NAMES))
    _text(figure, label, (EDGE, top + PART_HEAD - 12), SMALL, MUTED, WIDTH - 2 * MARGIN)
    axes.set_xlim(reviewed.hands[0] - 0.5, reviewed.hands[-1] + 0.5)
    return axes


def _costs(reviewed: Reviewed, axes: Axes) -> None:
    bars = axes.bar(reviewed.hands, reviewed.costs, color=_hex(SERIES[1]), width=0.6)
    if len(reviewed.hands) <= MAX_NUMBERS:
        numbers = [f"{cost:.0f}" for cost in reviewed.costs]
        axes.bar_label(bars, numbers, color=_hex(INK), fontsize=_points(SMALLEST), padding=3)
    axes.set_ylim(0, max(1.0, *reviewed.costs) * 1.3)


def _luck(reviewed: Reviewed, figure: Figure, axes: Axes) -> None:
    lines = [list(accumulate(values)) for values in zip(*reviewed.luck, strict=True)]
    axes.axhline(0, color=_hex(LINE), linewidth=3)
    for number, values in enumerate(lines):
        _line(axes, reviewed.hands, values, number)
    lowest, highest = min(map(min, lines)), max(map(max, lines))
    margin = 0.08 * max(1.0, highest - lowest)
    axes.set_ylim(lowest - margin, highest + margin)
    _name_lines(figure, axes, reviewed.luck_names, [values[-1] for values in lines])


def _chart(
    title: str, x_label: str = "", y_label: str = "", *, right: int = 0, left: int = LEFT
) -> "tuple[Figure, Axes]":
    """An empty chart with a title and labels of the axes; `left` and `right` are margins in pixels."""
    figure = _figure(title)
    axes = _axes(figure, (TOP, BOTTOM), (left, right))
    _text(figure, y_label, (EDGE, TOP - 14), SMALL, MUTED, WIDTH - 2 * MARGIN)
    _text(figure, x_label, (left, HEIGHT - MARGIN - 6), SMALL, MUTED, WIDTH - left - MARGIN)
    return figure, axes


def _figure(title: str) -> Figure:
    """An empty figure with a title."""
    gc.collect()  # the parts of a drawn figure refer to each other; each takes a megabyte
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=_hex(BACKGROUND))
    _text(figure, title, (EDGE, MARGIN + TITLE), TITLE, INK, WIDTH - 2 * MARGIN)
    return figure


def _axes(figure: Figure, above: tuple[int, int], beside: tuple[int, int]) -> Axes:
    """Axes in a figure, with room `above` and below them, and `beside` them on the left and right."""
    (top, bottom), (left, right) = above, beside
    size = (WIDTH - left - MARGIN - right) / WIDTH, (HEIGHT - top - bottom) / HEIGHT
    axes = figure.add_axes((left / WIDTH, bottom / HEIGHT, *size), facecolor=_hex(PANEL))
    axes.tick_params(colors=_hex(MUTED), labelsize=_points(SMALLEST), length=0, pad=8)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, integer=True, steps=(1, 2, 5, 10)))
    axes.spines[:].set_visible(False)
    axes.grid(visible=True, axis="y", color=_hex(LINE), linewidth=1)
    axes.set_axisbelow(True)
    return axes


def _line(axes: Axes, hands: Sequence[int], values: Sequence[float], number: int) -> None:
    """Draw line `number` with its own color, line style and marker."""
    every = max(1, len(values) // MAX_MARKERS)
    axes.plot(hands, values, linewidth=3, markersize=8, markevery=every, clip_on=False, **_style(number))


def _name_lines(figure: Figure, axes: Axes, names: Sequence[str], ends: Sequence[float]) -> None:
    """Write the names of lines at their ends with their markers, without overlaps."""
    heights = [float(axes.transData.transform((0, end))[1]) for end in ends]
    left, top = WIDTH - MARGIN - NAMES + 30, float(axes.transAxes.transform((0, 1))[1])
    for number, height in enumerate(spread(heights, BODY + 4, top)):
        figure.add_artist(Line2D([left / WIDTH], [height / HEIGHT], markersize=9, **_style(number)))
        at = (left + 18, HEIGHT - height + SMALLEST * 0.36)
        _text(figure, names[number], at, SMALLEST, SERIES[number], WIDTH - MARGIN - at[0])


def spread(heights: Sequence[float], distance: float, highest: float) -> list[float]:
    """Positions near these heights, in the same order, that are at least `distance` apart."""
    places = [0.0] * len(heights)
    above = highest + distance
    for number in sorted(range(len(heights)), key=lambda number: -heights[number]):
        above = places[number] = min(heights[number], above - distance)
    return places


def _style(number: int) -> dict[str, Any]:
    return {"color": _hex(SERIES[number]), "linestyle": LINE_STYLES[number], "marker": MARKERS[number]}


def _text(figure: Figure, text: str, at: tuple[float, float], size: int, color: RGB, max_width: float) -> None:
    """Write a line; `at` is on its baseline, in pixels from the left and from the top."""
    shown, fits = fitted(text, max_width, size, SMALLEST)
    place = at[0] / WIDTH, 1 - at[1] / HEIGHT
    figure.text(*place, shown, color=_hex(color), fontsize=_points(fits), va="baseline", parse_math=False)


def _points(pixels: float) -> float:
    """A font size in points, as matplotlib expects it."""
    return pixels * 72 / DPI


def heat(share: float) -> RGB:
    """The background color for a share (0-1), dark or light; text wouldn't be legible on the colors in between."""
    gold = share * 0.6 + (0.4 if share >= HALF else 0)
    red, green, blue = (round(a + (b - a) * gold) for a, b in zip(PANEL, GOLD, strict=True))
    return red, green, blue


def _hex(color: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def _drawn(figure: Figure) -> bytes:
    pixels = BytesIO()
    figure.savefig(pixels, format="rgba")
    return png(Image.frombytes("RGBA", (WIDTH, HEIGHT), pixels.getvalue()).convert("RGB"))
