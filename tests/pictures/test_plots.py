"""Charts of any figures and names, legible without colors."""

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from bot.base.fair_queue import QueueLimits
from bot.pictures.descriptions import Curve, Grid, Histogram, Reviewed, Totals, draw
from bot.pictures.plots import (
    HALF,
    LINE_STYLES,
    MARKERS,
    grid_plot,
    heat,
    penalties_plot,
    rating_plot,
    review_plot,
    spread,
    totals_plot,
)
from bot.pictures.render_worker import RenderWorker
from bot.pictures.theme import BACKGROUND, INK, PANEL, SERIES
from tests.pictures.samples import LONG_NAMES, NAMES, ODD_NAMES
from tests.pictures.test_pages import differ, read
from tests.pictures.vision import contrast

NAME_SETS = [NAMES, LONG_NAMES, ODD_NAMES, ("$x$ and $y$", "_a", "", "\\frac{")]
TOTALS = Totals("Totals", "Hands", "Points", NAMES, ((0, 5, 7, 18), (33, 5, 9, 18)), 100)
CURVE = Curve("Rating", "Matches", ("at least", "likely", "at most"), (0.0, 3.0), (25.0, 26.0), (50.0, 49.0))
REVIEW = Reviewed("Table 1: Ada", "Hands", "Cost", "Luck", ("luck", "skill"), (1, 2), (0.0, 7.2), ((1.0, -2.0),) * 2)
HISTOGRAM = Histogram("Penalties", "Points", "Hands", ((0, 12), (7, 3), (80, 1)))


def grid_of(names: tuple[str, ...]) -> Grid:
    size = len(names)
    cells = tuple(
        tuple(None if one == two else (one / size, f"{100 * one // size}") for two in range(size))
        for one in range(size)
    )
    return Grid("Who beats whom", "Out of 100", names, cells)


@pytest.mark.parametrize("names", NAME_SETS, ids=repr)
def test_any_names_are_drawn(names: tuple[str, str, str, str]) -> None:
    read(totals_plot(replace(TOTALS, players=names, title=names[0])))
    read(rating_plot(replace(CURVE, names=names[:3], title=names[0])))
    read(penalties_plot(replace(HISTOGRAM, title=names[0], x_label=names[1])))
    read(grid_plot(grid_of(names + names)))
    read(review_plot(replace(REVIEW, title=names[0], luck_names=names[:2])))


def test_any_values_are_drawn() -> None:
    rng = Random(1)
    many = tuple((hand, rng.randrange(hand, hand + 9), 80 * hand) for hand in range(1, 301))
    read(totals_plot(replace(TOTALS, players=NAMES[:3], totals=many)))
    read(totals_plot(replace(TOTALS, totals=((0, 0, 0, 80),), target=1)))
    read(rating_plot(replace(CURVE, lows=(0.0,), middles=(25.0,), highs=(50.0,))))
    thousand = tuple(rng.random() for _ in range(1000))
    read(rating_plot(replace(CURVE, lows=thousand, middles=thousand, highs=thousand)))
    read(penalties_plot(replace(HISTOGRAM, hands=((0, 9_999),))))
    read(grid_plot(grid_of(NAMES[:2])))
    read(review_plot(replace(REVIEW, luck=(), hands=(9,), costs=(0.0,))))
    hands = tuple(range(5, 45))
    read(review_plot(replace(REVIEW, hands=hands, costs=hands, luck=((1, -2),) * 40)))


@pytest.mark.parametrize(
    "change", [{"title": "Else"}, {"x_label": "x"}, {"y_label": "y"}, {"players": NAMES[::-1]}, {"target": 50}], ids=str
)
def test_every_value_changes_the_chart(change: dict[str, Any]) -> None:
    assert differ(totals_plot(TOTALS), totals_plot(replace(TOTALS, **change)))


def test_lines_differ_in_marker_and_style_and_have_legible_colors() -> None:
    assert len(set(MARKERS)) == len(set(LINE_STYLES)) == len(SERIES) == 4
    assert all(contrast(color, PANEL) >= 4.5 for color in SERIES)


def test_every_share_is_legible() -> None:
    shares = [number / 100 for number in range(101)]
    assert all(contrast(heat(share), BACKGROUND if share >= HALF else INK) >= 4.5 for share in shares)


@pytest.mark.parametrize("seed", range(20))
def test_names_of_lines_do_not_cover_each_other(seed: int) -> None:
    rng = Random(seed)
    heights = [rng.choice((0.0, 100.0, rng.random() * 400)) for _ in range(4)]
    places = spread(heights, 30, 400)
    ordered = sorted(zip(places, heights, strict=True))
    assert all(upper[0] - lower[0] >= 30 - 1e-9 for lower, upper in pairwise(ordered))
    assert [height for _, height in ordered] == sorted(heights)


async def test_the_worker_draws_charts() -> None:
    worker = RenderWorker(QueueLimits(1, 1, 1))
    try:
        assert await worker.draw(draw, HISTOGRAM) == penalties_plot(HISTOGRAM)
    finally:
        await worker.close()
