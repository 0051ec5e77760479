"""Leaderboards: their orders, periods and places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby
from math import inf
from typing import Any, Final

from bot.analysis.par import HUNDREDTHS
from bot.analysis.profile import likely_mean, likely_share
from bot.analysis.rating import Rating

ALL_TIME: Final = "all"


@dataclass(frozen=True, slots=True)
class Standing:
    """The sums over a member's matches."""

    user_id: int
    name: str
    """The name at the latest match."""
    matches: int
    wins: int
    absent: int
    """Matches in which they were absent at the end, which never count as wins."""
    hands: int
    points: int
    """The sum of the penalty points."""
    squares: int = 0
    """The sum of their squares, hand by hand."""
    par_hands: int = 0
    """The hands with a known par."""
    skill: int = 0
    """The sum of the skill in these hands, in hundredths of a point (see `bot.analysis.par`)."""
    skill_squares: int = 0
    """The sum of the squares of the skill, hand by hand."""

    @property
    def average(self) -> float:
        """Penalty points per hand."""
        return self.points / self.hands if self.hands else 0.0

    @property
    def skill_per_hand(self) -> float:
        """Points of skill per hand with a known par."""
        return self.skill / HUNDREDTHS / self.par_hands if self.par_hands else 0.0

    @property
    def win_rate(self) -> float:
        """The share of matches won, 0-1."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def safe_average(self) -> float:
        """Penalty points per hand, at the upper end of the likely range."""
        likely = likely_mean(self.hands, self.points, self.squares)
        return inf if likely is None else likely[1]

    @property
    def safe_skill(self) -> float:
        """Skill per hand in hundredths of a point, at the lower end of the likely range."""
        likely = likely_mean(self.par_hands, self.skill, self.skill_squares)
        return -inf if likely is None else likely[0]

    @property
    def safe_win_rate(self) -> float:
        """The share of matches won, at the lower end of the likely range."""
        likely = likely_share(self.wins, self.matches)
        return 0.0 if likely is None else likely[0]


MIN_HANDS: Final = 100
"""Hands for an average or a total to mean something; members with fewer are ranked last."""


class Order(StrEnum):
    """The orders of a leaderboard."""

    WINS = "wins"
    """Most matches won; then fewest penalty points per hand."""
    AVERAGE = "average"
    """Fewest penalty points per hand, at the worse end of the likely range."""
    RATE = "rate"
    """Highest share of matches won, at the worse end of the likely range."""
    POINTS = "points"
    """Lowest sum of penalty points."""
    RATING = "rating"
    """Highest rating; provisional ratings last."""
    SKILL = "skill"
    """Most points of skill per hand, at the worse end of the likely range."""


class Period(StrEnum):
    """The periods (UTC) of a leaderboard."""

    ALL = "all"
    SEASON = "season"
    MONTH = "month"
    WEEK = "week"


@dataclass(frozen=True, slots=True)
class LeaderboardQuery:
    """The leaderboard to show."""

    order: Order = Order.WINS
    period: Period = Period.ALL
    channel_id: int | None = None
    edition: str | None = None
    people_only: bool | None = True
    """True for matches between people, False for those with AI players, None for both."""


@dataclass(frozen=True, slots=True)
class RankedMember:
    """A member's line of a leaderboard; equal members share a number."""

    number: int
    standing: Standing
    rating: Rating


def periods(at: int, season: int | None) -> tuple[str, ...]:
    """The keys of all periods to which a match that ended `at` (UTC seconds) belongs."""
    day = datetime.fromtimestamp(at, UTC)
    year, week, _ = day.isocalendar()
    keys = (ALL_TIME, f"{day:%Y-%m}", f"{year}-W{week:02}")
    return keys if season is None else (*keys, f"s{season}")


def ranked(standings: Sequence[Standing], rated: Mapping[int, Rating], order: Order) -> list[RankedMember]:
    """The lines of a leaderboard, best first. Thousands take over 10 ms, so call it in a thread."""

    def sort_key(standing: Standing) -> tuple[Any, ...]:
        return _SORT_KEYS[order](standing, rated.get(standing.user_id, Rating()))

    counting = [line for line in standings if _counts(line, rated, order)]
    found: list[RankedMember] = []
    for _, equal in groupby(sorted(counting, key=lambda line: (*sort_key(line), line.user_id)), key=sort_key):
        number = len(found) + 1
        found += [RankedMember(number, line, rated.get(line.user_id, Rating())) for line in equal]
    return found


def _counts(line: Standing, rated: Mapping[int, Rating], order: Order) -> bool:
    """True if the member has what the order needs: a rating, matches, or hands (substitutes have no matches)."""
    if order is Order.RATING:
        return line.user_id in rated
    if order is Order.SKILL:
        return line.par_hands > 0
    return line.matches > 0 if order in (Order.WINS, Order.RATE) else line.hands > 0


def _has_few_hands(standing: Standing) -> bool:
    return standing.hands < MIN_HANDS


_SORT_KEYS: Final[dict[Order, Callable[[Standing, Rating], tuple[Any, ...]]]] = {
    Order.WINS: lambda line, _: (-line.wins, line.average),
    Order.AVERAGE: lambda line, _: (_has_few_hands(line), line.safe_average),
    Order.RATE: lambda line, _: (-line.safe_win_rate, line.average),
    Order.POINTS: lambda line, _: (_has_few_hands(line), line.points),
    Order.RATING: lambda _, rating: (rating.is_provisional, -rating.points),
    Order.SKILL: lambda line, _: (line.par_hands < MIN_HANDS, -line.safe_skill),
}
"""The sort keys of each order, lowest first."""
