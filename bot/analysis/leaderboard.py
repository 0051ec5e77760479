"""Leaderboards: how members are ranked, by which figures and over which period."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from bot.analysis.rating import Rating

ALL_TIME: Final = "all"


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody's matches add up to."""

    user_id: int
    name: str
    """As it was at the last match."""
    matches: int
    wins: int
    absent: int
    """Matches whose end they missed; these are no wins."""
    hands: int
    points: int
    """Penalty points in all."""

    @property
    def average(self) -> float:
        """Penalty points a hand."""
        return self.points / self.hands if self.hands else 0.0

    @property
    def win_rate(self) -> float:
        """The share of matches won, 0-1."""
        return self.wins / self.matches if self.matches else 0.0


ENOUGH_HANDS: Final = 10
"""Hands, below which an average says little: whoever has fewer comes after all others."""


class Order(StrEnum):
    """What a board goes by."""

    WINS = "wins"
    """Most first; then the fewest penalty points a hand."""
    AVERAGE = "average"
    """Penalty points a hand, fewest first."""
    RATE = "rate"
    """The share of matches won, highest first."""
    POINTS = "points"
    """Penalty points in all, fewest first."""
    RATING = "rating"
    """The most likely skill, highest first; provisional ones last."""


class Period(StrEnum):
    """A stretch of time (UTC) of which a board tells."""

    ALL = "all"
    SEASON = "season"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class Board:
    """What somebody wants to see."""

    order: Order = Order.WINS
    period: Period = Period.ALL
    channel_id: int | None = None
    edition: str | None = None
    people_only: bool | None = True


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a board; whoever is equal has the same number."""

    number: int
    standing: Standing
    rating: Rating


def periods(at: int, season: int | None) -> tuple[str, ...]:
    """The keys of all stretches of time to which a match belongs that ended `at` (UTC seconds)."""
    day = datetime.fromtimestamp(at, UTC)
    year, week, _ = day.isocalendar()
    keys = (ALL_TIME, f"{day:%Y-%m}", f"{year}-W{week:02}")
    return keys if season is None else (*keys, f"s{season}")


def ranked(standings: Sequence[Standing], rated: Mapping[int, Rating], order: Order) -> list[Place]:
    """The lines of a board, best first; equal lines share a place. Thousands take over 10 ms: use a thread."""

    def merit(standing: Standing) -> tuple[Any, ...]:
        return _MERITS[order](standing, rated.get(standing.user_id, Rating()))

    counting = [line for line in standings if _counts(line, rated, order)]
    found: list[Place] = []
    for _, equal in groupby(sorted(counting, key=lambda line: (*merit(line), line.user_id)), key=merit):
        number = len(found) + 1
        found += [Place(number, line, rated.get(line.user_id, Rating())) for line in equal]
    return found


def _counts(line: Standing, rated: Mapping[int, Rating], order: Order) -> bool:
    """The line has what the board ranks: a rating, matches, or hands (substitutes have no matches)."""
    if order is Order.RATING:
        return line.user_id in rated
    return line.matches > 0 if order in (Order.WINS, Order.RATE) else line.hands > 0


def _is_small(standing: Standing) -> bool:
    return standing.hands < ENOUGH_HANDS


_MERITS: Final[dict[Order, Callable[[Standing, Rating], tuple[Any, ...]]]] = {
    Order.WINS: lambda line, _: (-line.wins, line.average),
    Order.AVERAGE: lambda line, _: (_is_small(line), line.average),
    Order.RATE: lambda line, _: (_is_small(line), -line.win_rate, line.average),
    Order.POINTS: lambda line, _: (_is_small(line), line.points),
    Order.RATING: lambda _, rating: (rating.is_provisional, -rating.points),
}
"""What a board sorts by, lowest first."""
