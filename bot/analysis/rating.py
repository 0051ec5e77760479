"""Which matches are rated, by which places, and what a match makes of ratings.

The rule for players is `presentation.boards.RATING_RULE`; docs/design.md gives the reasons. Ratings follow openskill's
Plackett-Luce model: a match is a race, and equal places are a tie.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from openskill.models import PlackettLuce

from bot.table.model import TableRow

SETTLED_AFTER: Final = 10
"""Rated matches; until then a rating is provisional."""
START: Final = 1000
"""Points of a newcomer, as ratings are shown."""
LEAD: Final = 200
"""Points more that mean finishing ahead of another player about three times in four."""
_SCALE: Final = 20
"""Points for one unit of openskill, so that `LEAD` is what it says for three or four settled players."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about a player's skill, as a normal distribution; a newcomer has openskill's own values."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as it is shown: the most likely value."""
        return _points(self.mu)

    @property
    def interval(self) -> tuple[int, int]:
        """The points between which the skill lies in 19 of 20 cases."""
        return _points(self.mu - 2 * self.sigma), _points(self.mu + 2 * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """The player has too few rated matches for the rating to mean much."""
        return self.matches < SETTLED_AFTER


def _points(skill: float) -> int:
    return round(START + _SCALE * (skill - 25))


Rated: TypeAlias = Sequence[tuple[int | None, Rating]]
"""For each seat of a match who played it (None: a former player), and their rating after it."""


Seats: TypeAlias = Sequence[tuple[int | None, int]]
"""For each seat of a match who played it (None: a former player), and their place."""


LEAST_TARGET: Final = 50
"""Penalty points. Matches to fewer are decided by luck more than by skill."""

_MODEL: Final = PlackettLuce()


class Casual(StrEnum):
    """Why a match is not rated."""

    AI = "ai"
    """An AI player has a seat of its own."""
    TARGET = "target"
    """It ends at fewer points than `LEAST_TARGET`."""
    CHOSEN = "chosen"
    """The host has chosen so."""


def why_casual(row: TableRow) -> Casual | None:
    """Why the match of a table is not rated; None if it is, or will be once people take the free seats."""
    if any(seat.is_ai for seat in row.seats):
        return Casual.AI
    if row.options.target < LEAST_TARGET:
        return Casual.TARGET
    return None if row.settings.rated else Casual.CHOSEN


def counted(points: Sequence[int], by_owner: Sequence[bool]) -> tuple[int, ...]:
    """The points of a hand as ratings count them.

    A seat whose owner made fewer than half of its moves (`by_owner` is false) counts as much as the worst of the other
    owners who played: the owner neither suffers from a substitute's play nor gains by leaving.
    """
    return tuple(own if played else _worst(points, by_owner) for own, played in zip(points, by_owner, strict=True))


def _worst(points: Sequence[int], by_owner: Sequence[bool]) -> int:
    return max((own for own, played in zip(points, by_owner, strict=True) if played), default=0)


def places(totals: Sequence[int], absent: Collection[int]) -> tuple[int, ...]:
    """The places of the seats' owners, from 1: lowest total first, equal ones shared; `absent` ones share the last."""
    present = [total for seat, total in enumerate(totals) if seat not in absent]
    return tuple(
        1 + len(present) if seat in absent else 1 + sum(other < total for other in present)
        for seat, total in enumerate(totals)
    )


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after a match, in the same order; `places` from 1, equal ones shared."""
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Rating(team[0].mu, team[0].sigma, rating.matches + 1) for team, rating in zip(after, before, strict=True)
    )
