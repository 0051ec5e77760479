"""The score sheet after a hand: a column for each player, and a row for each of the last hands."""

from typing import Final

from bot.pictures import marks
from bot.pictures.descriptions import ScoreSheet
from bot.pictures.pages import Block, page, png
from bot.pictures.theme import BODY, CONTENT_WIDTH, GOLD, INK, LINE, MUTED, RAISED, SMALL

NUMBER_WIDTH: Final = 44
"""The width of the column with the numbers of the hands."""
EDGE: Final = 9
"""The padding of a column."""
ROW: Final = 40
MAX_HANDS: Final = 7
"""Rows of hands. Earlier hands are one row with an ellipsis, so that the picture is wider than high."""


def score_sheet(sheet: ScoreSheet) -> bytes:
    """A PNG, 800 pixels wide and at most 560 high."""
    first = max(len(sheet.hands) - MAX_HANDS, 0)
    grid = [_names(sheet), *(_hand(sheet, number) for number in range(first, len(sheet.hands))), _progress(sheet)]
    if first:
        grid.insert(1, _ellipsis())
    return png(page([_legend(sheet), _joined(grid)]))


def _legend(sheet: ScoreSheet) -> Block:
    block = Block(36)
    block.text((0, 26), sheet.legend, BODY, MUTED)
    return block


def _ellipsis() -> Block:
    """The row of the earlier hands."""
    row = Block(ROW)
    row.text((NUMBER_WIDTH - 12, 28), "…", SMALL, MUTED, anchor="rs")
    return row


def _joined(rows: list[Block]) -> Block:
    grid = Block(sum(row.height for row in rows))
    top = 0
    for row in rows:
        grid.image.paste(row.image, (0, top))
        top += row.height
    return grid


def _column(sheet: ScoreSheet, seat: int) -> tuple[int, int]:
    """The left and right edge of a player's column."""
    columns = CONTENT_WIDTH - NUMBER_WIDTH
    count = len(sheet.players)
    return NUMBER_WIDTH + columns * seat // count, NUMBER_WIDTH + columns * (seat + 1) // count


def _names(sheet: ScoreSheet) -> Block:
    row = Block(58)
    for seat, name in enumerate(sheet.players):
        left, right = _column(sheet, seat)
        row.label((right - EDGE, 27), name, right - left - 2 * EDGE, bold=True, align="r")
    row.line(((0, 56), (CONTENT_WIDTH, 56)), LINE, 3)
    return row


def _hand(sheet: ScoreSheet, number: int) -> Block:
    ended = sheet.hands[number]
    row = Block(ROW)
    row.text((NUMBER_WIDTH - 12, 30), str(ended.hand), SMALL, MUTED, anchor="rs")
    for seat in range(len(sheet.players)):
        left, right = _column(sheet, seat)
        if seat == ended.winner:
            row.panel((left + 2, 1, right, ROW - 2), RAISED, 8)
            row.mark(marks.STAR, (left + EDGE, 6), 28, GOLD)
        else:
            row.text((left + EDGE, 31), f"+{ended.points[seat]}", BODY, MUTED)
        row.text((right - EDGE, 31), str(ended.totals[seat]), BODY, bold=True, anchor="rs")
    row.line(((0, ROW - 1), (CONTENT_WIDTH, ROW - 1)), LINE, 1)
    return row


def _progress(sheet: ScoreSheet) -> Block:
    """A bar for each player: the total as a share of the target."""
    block = Block(62)
    block.line(((0, 0), (CONTENT_WIDTH, 0)), LINE, 5)
    for seat, total in enumerate(sheet.hands[-1].totals):
        left, right = _column(sheet, seat)
        _bar(block, (left + EDGE, 12, right - EDGE), total / sheet.target)
    block.mark(marks.STAR, (NUMBER_WIDTH + EDGE, 36), 22, GOLD)
    star = block.text((NUMBER_WIDTH + EDGE + 34, 56), sheet.star, SMALL, MUTED, max_width=CONTENT_WIDTH / 3)
    goal = CONTENT_WIDTH - NUMBER_WIDTH - 4 * EDGE - 34 - star
    block.text((CONTENT_WIDTH - EDGE, 56), sheet.goal, SMALL, MUTED, anchor="rs", max_width=goal)
    return block


def _bar(block: Block, track: tuple[int, int, int], share: float) -> None:
    """A track (left, top, right) filled up to `share`, with a post for the target at its end."""
    left, top, right = track
    block.panel((left, top, right, top + 14), LINE, 7)
    filled = round((right - left) * min(1, share))
    if filled:
        block.panel((left, top, left + max(14, filled), top + 14), INK, 7)
    block.line(((right, top - 7), (right, top + 20)), GOLD, 4)
