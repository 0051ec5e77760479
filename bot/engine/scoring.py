"""Penalty points, totals and the ranking."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from bot.engine.options import Options

Ranking: TypeAlias = tuple[tuple[int, ...], ...]
"""Groups of seats with equal totals, best first."""


def multiplier(cards_left: int) -> int:
    """Points for each card if `cards_left` (0-16) are left (R26)."""
    for most, points in ((7, 1), (10, 2), (13, 3), (15, 4)):
        if cards_left <= most:
            return points
    return 5


def penalty(cards_left: int) -> int:
    """Penalty points of a seat with `cards_left` (0-16) cards when the hand ends (R26)."""
    return cards_left * multiplier(cards_left)


def hand_points(left: Sequence[int], winner: int) -> tuple[int, ...]:
    """Points of each seat for a hand; 0 for the winner, who may hold cards if all others forgot (R37)."""
    return tuple(0 if seat == winner else penalty(cards) for seat, cards in enumerate(left))


def is_decided(totals: Sequence[int], options: Options) -> bool:
    """True if a total ends the match (R32)."""
    highest = max(totals)
    return highest > options.target if options.end == "exceed" else highest >= options.target


def ranking(totals: Sequence[int]) -> Ranking:
    """Rank the seats by their totals, lowest first (R32, R33)."""
    return tuple(tuple(seat for seat, points in enumerate(totals) if points == total) for total in sorted(set(totals)))


def ranked_seats(ranking: Ranking) -> Iterator[tuple[int, int]]:
    """Places and seats, best first; the places are 1, 1, 3 if two share the first."""
    place = 1
    for equal in ranking:
        yield from ((place, seat) for seat in equal)
        place += len(equal)


def giver(left: Sequence[int], totals: Sequence[int], winner: int) -> int:
    """The seat that gives its highest card to the winner of the last hand (R27, R28).

    Most cards left; then the highest total; then the nearest to the winner counter-clockwise.
    """
    others = (seat for seat in range(len(left)) if seat != winner)
    return max(others, key=lambda seat: (left[seat], totals[seat], -((seat - winner) % len(left))))
