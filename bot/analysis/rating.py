"""Ratings: the places that count, and the ratings after a match. `TableRow.casual_reason` says which are rated.

The rule for players is the page "ratings" of `presentation.help.rule_pages`; docs/design.md gives the reasons. Ratings
follow openskill's Plackett-Luce model: a match is a race, and equal places are a tie.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Final, TypeAlias

from openskill.models import PlackettLuce

SETTLED_AFTER: Final = 10
"""Rated matches; until then a rating is provisional."""
START: Final = 1000
"""The displayed rating of a newcomer."""
LEAD: Final = 200
"""The difference of ratings at which a player finishes ahead of another about three times in four."""
_SCALE: Final = 20
"""Rating points for one unit of openskill, so that `LEAD` is right for three or four settled players."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's skill, a normal distribution; the defaults are a newcomer's in openskill."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    matches: int = 0

    @property
    def points(self) -> int:
        """The displayed rating: the most likely skill."""
        return _points(self.mu)

    @property
    def interval(self) -> tuple[int, int]:
        """The bounds of the skill in 19 of 20 cases, in rating points."""
        return _points(self.mu - 2 * self.sigma), _points(self.mu + 2 * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """True if the player has too few rated matches for a reliable rating."""
        return self.matches < SETTLED_AFTER


def _points(skill: float) -> int:
    return round(START + _SCALE * (skill - 25))


Rated: TypeAlias = Sequence[tuple[int | None, Rating]]
"""The user (None: a deleted player) of each seat of a match, and their rating after it."""
Seats: TypeAlias = Sequence[tuple[int | None, int]]
"""The user (None: a deleted player) of each seat of a match, and their place."""
_MODEL: Final = PlackettLuce()


def rated_points(points: Sequence[int], by_owner: Sequence[bool]) -> tuple[int, ...]:
    """The points of a hand as ratings count them.

    A seat whose owner made fewer than half of its moves (`by_owner` is false) gets the points of the worst owner who
    played, but never fewer than its own: letting others play doesn't pay. AI players own the seats they start in.
    """
    worst = max(compress(points, by_owner), default=0)
    return tuple(own if played else max(own, worst) for own, played in zip(points, by_owner, strict=True))


def places(totals: Sequence[int], absent: Collection[int]) -> tuple[int, ...]:
    """The places of the seats from 1, lowest total first; equal totals share a place, `absent` seats the last."""
    present = [total for seat, total in enumerate(totals) if seat not in absent]
    return tuple(
        1 + len(present) if seat in absent else 1 + sum(other < total for other in present)
        for seat, total in enumerate(totals)
    )


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after a match, in the same order; `places` count from 1, ties share one."""
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Rating(team[0].mu, team[0].sigma, rating.matches + 1) for team, rating in zip(after, before, strict=True)
    )
