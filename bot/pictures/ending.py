"""The end of a match: everybody's place, total and number of hands won."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.engine.scoring import Ranking
from bot.pictures import marks
from bot.pictures.pages import Block, heading, page, png
from bot.pictures.theme import (
    GOLD,
    GROUND,
    INK,
    INNER,
    LARGE,
    LINE,
    MUTED,
    PADDING,
    PANEL,
    RAISED,
    RGB,
    SMALL,
    TITLE,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one player has come to."""

    name: str
    total: int
    won: int
    """How many hands."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A match that is over."""

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
    """Seats best first; who stands together shares a place, and the places after it are skipped."""


ROW: Final = 104
PLACE: Final = 68
"""The disc with the place."""
TOTAL_AT: Final = INNER - PADDING - 4
WON_AT: Final = INNER - 210
"""Where the columns end."""
NAME_AT: Final = PADDING + PLACE + 24


def ending(result: Ending) -> bytes:
    """A PNG, 800 pixels wide."""
    rows = [_row(result.standings[seat], place) for place, seat in places(result.ranking)]
    return png(page([heading(result.title, result.subtitle), _columns(result), *rows], gap=12))


def places(ranking: Ranking) -> Iterator[tuple[int, int]]:
    """The place and the seat of everybody, best first: 1, 1, 3 where two share the first."""
    place = 1
    for equal in ranking:
        yield from ((place, seat) for seat in equal)
        place += len(equal)


def _columns(result: Ending) -> Block:
    row = Block(30)
    row.text((WON_AT, 24), result.won, SMALL, MUTED, anchor="rs", room=300)
    row.text((TOTAL_AT, 24), result.points, SMALL, MUTED, anchor="rs", room=INNER - WON_AT - 40)
    return row


def _row(standing: Standing, place: int) -> Block:
    row = Block(ROW)
    first = place == 1
    row.panel((0, 0, INNER, ROW), RAISED if first else PANEL)
    _place(row, place, GOLD if first else LINE, GROUND if first else INK)
    middle = ROW // 2 + 13
    row.label((NAME_AT, ROW / 2), standing.name, WON_AT - 120 - NAME_AT, LARGE, bold=first, align="l")
    width = row.text((WON_AT, middle), str(standing.won), LARGE, anchor="rs")
    row.mark(marks.STAR, (round(WON_AT - width) - 44, middle - 28), 32, GOLD)
    row.text((TOTAL_AT, middle + 1), str(standing.total), TITLE, bold=True, anchor="rs")
    return row


def _place(row: Block, place: int, disc: RGB, ink: RGB) -> None:
    row.mark(marks.DISC, (PADDING, (ROW - PLACE) // 2), PLACE, disc)
    row.text((PADDING + PLACE / 2, ROW / 2 + 14), str(place), TITLE, ink, bold=True, anchor="ms")
