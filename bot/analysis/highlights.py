"""The moment of a match that people remember: a gang, a comeback, or a big penalty."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.analysis.hand_reports import HandReport
from bot.engine import Cards
from bot.engine.cards import is_gang

BIG_GANG = 5
"""Cards of a gang that is rarer than a comeback."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A moment of a match."""

    hand: int
    seat: int
    gang: Cards = ()
    """The gang that the seat played."""
    left: int = 0
    """The cards that it had left at the end of the hand. Without them and a gang, it was last and still won."""
    points: int = 0


def highlight(reports: Sequence[HandReport], winners: Sequence[int]) -> Highlight | None:
    """The best moment of a match with these hands and winners; None before a hand is over."""
    if not reports:
        return None
    gang, comeback = _best_gang(reports), _comeback(reports, winners)
    if gang is not None and (comeback is None or len(gang.gang) >= BIG_GANG):
        return gang
    return comeback or _penalty(reports)


def _best_gang(reports: Sequence[HandReport]) -> Highlight | None:
    gangs = [
        Highlight(report.ended.hand, move.seat, move.cards)
        for report in reports
        for move in report.moves
        if is_gang(move.cards)
    ]
    return max(gangs, key=lambda each: (len(each.gang), max(each.gang)), default=None)


def _comeback(reports: Sequence[HandReport], winners: Sequence[int]) -> Highlight | None:
    """The last hand after which the only winner was alone in last place."""
    if len(winners) != 1:
        return None
    (seat,) = winners
    for report in reversed(reports):
        totals = report.ended.totals
        if totals[seat] == max(totals) and totals.count(totals[seat]) == 1:
            return Highlight(report.ended.hand, seat)
    return None


def _penalty(reports: Sequence[HandReport]) -> Highlight:
    """The most expensive cards left."""
    found = [
        Highlight(report.ended.hand, seat, left=report.ended.left[seat], points=points)
        for report in reports
        for seat, points in enumerate(report.ended.points)
    ]
    return max(found, key=lambda each: each.points)
