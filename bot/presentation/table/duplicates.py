"""The result of a duplicate match: players with the same cards at two tables, compared."""

from typing import Final

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import GOLD, Box, Layout
from bot.table.duplicates import Comparison

MAX_HANDS: Final = 40
"""Hands whose points are listed. Longer lists could exceed the limit of a message."""


def comparison_message(comparison: Comparison, words: Words) -> Layout:
    """Compare both tables seat by seat, for the channels of both."""
    first, second = (table.id for table in comparison.tables)
    lines = [
        "### " + words.say("Duplicate match: tables {first} and {second}", first=first, second=second),
        words.count(
            "{number} hand was played to its end at both tables.",
            "{number} hands were played to their end at both tables.",
            len(comparison.hands),
        ),
    ]
    seats = range(comparison.tables[0].row.size)
    parts = ["\n".join(lines), *(_seat(comparison, seat, words) for seat in seats)]
    return Layout(Box(GOLD, "\n\n".join(parts)))


def _seat(comparison: Comparison, seat: int, words: Words) -> str:
    """The two players of a seat, their totals, and their points in each hand."""
    names = [labels.bold(labels.seat_name(table.seats[seat], words)) for table in comparison.tables]
    totals = [public.totals[seat] for table in comparison.tables if (public := table.public)]
    what = [
        words.say("{name}: {what}", name=name, what=labels.points(total, words))
        for name, total in zip(names, totals, strict=True)
    ]
    points = comparison.points(seat)
    if not points:
        return "🃏 " + words.list(what)
    hands = " ".join(f"{one}:{other}" for one, other in points[:MAX_HANDS])
    more = len(points) - MAX_HANDS
    if more > 0:
        hands += " " + words.count("({number} more hand)", "({number} more hands)", more)
    listed = words.say("Hand by hand: {hands}", hands=hands)
    return "\n".join(["🃏 " + words.list(what), listed, labels.small(_score_text(comparison, points, words))])


def _score_text(comparison: Comparison, points: list[tuple[int, int]], words: Words) -> str:
    """The number of hands in which each table's player did better."""
    first, second = (table.id for table in comparison.tables)
    better = ((first, sum(one < other for one, other in points)), (second, sum(one > other for one, other in points)))
    counted = [
        words.count(
            "better at table {table} in {number} hand", "better at table {table} in {number} hands", number, table=table
        )
        for table, number in better
        if number
    ]
    equal = sum(one == other for one, other in points)
    if equal:
        counted.append(words.count("equal in {number} hand", "equal in {number} hands", equal))
    return " · ".join(counted)
