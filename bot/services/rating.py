"""Ratings by openskill's Plackett-Luce model: a match is a race, and equal totals are a tie."""

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from bot.storage.ratings import Rating

_MODEL: Final = PlackettLuce()


def rated(before: Sequence[Rating], places: Sequence[int]) -> tuple[Rating, ...]:
    """The ratings after a match, in the same order; `places` from 1, equal ones shared."""
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Rating(team[0].mu, team[0].sigma, rating.matches + 1) for team, rating in zip(after, before, strict=True)
    )
