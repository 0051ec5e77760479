"""Descriptions of pictures, without the code that draws them.

The app describes pictures, and its process for drawings imports the modules that draw them. So the app itself loads
neither Pillow nor matplotlib.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Final, TypeAlias

from bot.engine import Card, Cards
from bot.engine.events import Gave, HandEnded
from bot.engine.scoring import Ranking
from bot.pictures.replay import Replay


@dataclass(frozen=True, slots=True)
class Emoji:
    """The face of a card, to be uploaded as an emoji."""

    card: Card


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The hands of a match so far."""

    legend: str
    """The meaning of a cell: `points of the hand, then the total`."""
    players: tuple[str, ...]
    """Names in seat order."""
    hands: tuple[HandEnded, ...]
    """At least one."""
    star: str
    """The meaning of a star: `won the hand`."""
    goal: str
    """`to 100 points`."""
    target: int


@dataclass(frozen=True, slots=True)
class NextHand:
    """The next hand. The seat that receives the card won the last hand and leads (R21)."""

    title: str
    """`Hand 6 · clockwise, to the left`."""
    exchange: str
    """Above the exchange: `First the loser's highest card goes to the winner`."""
    gave: Gave
    direction: int
    """1 counter-clockwise, -1 clockwise (R20)."""
    players: tuple[str, ...]
    """Names in seat order."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of one player."""

    name: str
    total: int
    won: int
    """The number of hands won."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A finished match."""

    title: str
    """`The match is over`."""
    subtitle: str
    """`Table 12 · 9 hands · 100 points`; may be empty."""
    won: str
    """Above the numbers of hands won: `hands won`."""
    points: str
    """Above the totals: `points`."""
    standings: tuple[Standing, ...]
    """In seat order."""
    ranking: Ranking
    """Groups of seats, best first; a group shares a place, and the places after it are skipped."""


@dataclass(frozen=True, slots=True)
class Gang:
    """A gang and its texts."""

    title: str
    """`Gang of Four`."""
    subtitle: str
    """`Ada · table 12`."""
    cards: Cards


@dataclass(frozen=True, slots=True)
class CombinationChart:
    """The texts of the chart of combinations."""

    title: str
    subtitle: str
    """`The stronger, the higher up`."""
    kinds: tuple[str, ...]
    """A single first, gangs last, as in `Kind`."""
    gangs: str
    """Above the gangs: `At any time, on anything`."""
    five: str
    """Above the kinds of five cards: `Five cards: the higher kind wins`."""
    fewer: str
    """Above the others: `Three, two, one: only on as many cards`."""
    numbers: str
    """Above the order of numbers: `Numbers from low to high`."""
    colors: str
    """Above the 1s in the order of colors: `Among equal numbers: green, yellow, red`."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of a match, hand by hand."""

    title: str
    x_label: str
    """The label below the numbers of the hands."""
    y_label: str
    """The label above the numbers of points."""
    players: tuple[str, ...]
    totals: tuple[tuple[int, ...], ...]
    """The totals of all players after each hand."""
    target: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating after each match, with its interval."""

    title: str
    x_label: str
    names: tuple[str, str, str]
    """The names of the lowest, middle and highest line."""
    lows: tuple[float, ...]
    middles: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """The number of hands for each number of penalty points."""

    title: str
    x_label: str
    y_label: str
    hands: tuple[tuple[int, int], ...]
    """Points and hands, the fewest points first."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The figures of a reviewed match."""

    title: str
    hands_label: str
    cost_label: str
    luck_label: str
    luck_names: tuple[str, str]
    hands: tuple[int, ...]
    """The numbers of the hands."""
    costs: tuple[float, ...]
    """By hand: what the moves cost."""
    luck: tuple[tuple[float, float], ...]
    """By hand: luck and skill; empty if they aren't known."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Members against each other: the share of matches in which the row's member finished ahead of the column's."""

    title: str
    subtitle: str
    people: tuple[str, ...]
    cells: tuple[tuple[tuple[float, str] | None, ...], ...]
    """A share (0-1) and its text, by row and column; None if they haven't met."""


@dataclass(frozen=True, slots=True)
class Animation:
    """All moves of a hand, one after the other."""

    replay: Replay


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a hand's moves. Beyond the last page, the picture is empty."""

    replay: Replay
    number: int
    """From 0."""


Plot: TypeAlias = Totals | Curve | Histogram | Reviewed | Grid
"""A chart of figures."""
Description: TypeAlias = Emoji | ScoreSheet | NextHand | Ending | Gang | CombinationChart | Animation | Page | Plot
"""The description of a picture."""
DRAWN_BY: Final[Mapping[type, tuple[str, str]]] = {
    Emoji: ("emoji", "emoji"),
    ScoreSheet: ("score_sheet", "score_sheet"),
    NextHand: ("next_hand", "next_hand"),
    Ending: ("ending", "ending"),
    Gang: ("gang", "gang"),
    CombinationChart: ("chart", "chart"),
    Animation: ("animation", "animation"),
    Page: ("still", "still"),
    Totals: ("plots", "totals_plot"),
    Curve: ("plots", "rating_plot"),
    Histogram: ("plots", "penalties_plot"),
    Reviewed: ("plots", "review_plot"),
    Grid: ("plots", "grid_plot"),
}
"""For each description, the module of `bot.pictures` and its function that draw it."""


def draw(description: Description) -> bytes:
    """Draw a picture: a PNG, or a WebP for an `Animation`. The app's own process doesn't call it."""
    module, function = DRAWN_BY[type(description)]
    drawing: bytes = getattr(import_module(f"bot.pictures.{module}"), function)(description)
    return drawing
