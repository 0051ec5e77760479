"""Which matches are rated, by which places, and what a match makes of ratings.

The rule for players is `presentation.boards.RATING_RULE`; docs/design.md gives the reasons. Ratings follow openskill's
Plackett-Luce model: a match is a race, and equal places are a tie.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

from openskill.models import PlackettLuce

from bot.storage.ratings import Rating
from bot.table.model import TableRow

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
    return None if row.customs.rated else Casual.CHOSEN


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
