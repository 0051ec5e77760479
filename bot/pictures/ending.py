"""The end of a match: the place, total and number of hands won of each player."""

from typing import Final

from bot.engine.scoring import ranked_seats
from bot.pictures import marks
from bot.pictures.descriptions import Ending, Standing
from bot.pictures.pages import Block, heading, page, png
from bot.pictures.theme import (
    BACKGROUND,
    CONTENT_WIDTH,
    GOLD,
    INK,
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

ROW: Final = 80
PLACE: Final = 56
"""The diameter of the disc with the place."""
TOTAL_AT: Final = CONTENT_WIDTH - PADDING - 4
WON_AT: Final = CONTENT_WIDTH - 210
"""The right edge of the column of hands won."""
NAME_AT: Final = PADDING + PLACE + 24


def ending(result: Ending) -> bytes:
    """A PNG, 800 pixels wide."""
    rows = [_row(result.standings[seat], place) for place, seat in ranked_seats(result.ranking)]
    return png(page([heading(result.title, result.subtitle), _columns(result), *rows], gap=12))


def _columns(result: Ending) -> Block:
    row = Block(30)
    row.text((WON_AT, 24), result.won, SMALL, MUTED, anchor="rs", max_width=300)
    row.text((TOTAL_AT, 24), result.points, SMALL, MUTED, anchor="rs", max_width=CONTENT_WIDTH - WON_AT - 40)
    return row


def _row(standing: Standing, place: int) -> Block:
    row = Block(ROW)
    first = place == 1
    row.panel((0, 0, CONTENT_WIDTH, ROW), RAISED if first else PANEL)
    _place(row, place, GOLD if first else LINE, BACKGROUND if first else INK)
    middle = ROW // 2 + 13
    row.label((NAME_AT, ROW / 2), standing.name, WON_AT - 120 - NAME_AT, LARGE, bold=first, align="l")
    width = row.text((WON_AT, middle), str(standing.won), LARGE, anchor="rs")
    row.mark(marks.STAR, (round(WON_AT - width) - 44, middle - 27), 30, GOLD)
    row.text((TOTAL_AT, middle + 1), str(standing.total), TITLE, bold=True, anchor="rs")
    return row


def _place(row: Block, place: int, disc: RGB, ink: RGB) -> None:
    row.mark(marks.DISC, (PADDING, (ROW - PLACE) // 2), PLACE, disc)
    row.text((PADDING + PLACE / 2, ROW / 2 + 14), str(place), TITLE, ink, bold=True, anchor="ms")
