"""The score sheet after a hand: a column for each player, a row for each hand, and the next hand below."""

from dataclasses import dataclass
from typing import Final

from bot.engine import Cards
from bot.engine.events import HandEnded
from bot.engine.scoring import multiplier
from bot.pictures import marks
from bot.pictures.next_hand import NextHand, next_hand
from bot.pictures.pages import Block, heading, page, png
from bot.pictures.theme import (
    BODY,
    CONTENT_WIDTH,
    GOLD,
    INK,
    LARGE,
    LINE,
    MUTED,
    PADDING,
    RAISED,
    SMALL,
    SMALLEST,
    TITLE,
)


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The hands of a match so far, and the cards left in the last one."""

    title: str
    """`Table 12 · hand 5 is over`."""
    legend: str
    """The meaning of a cell: `cards left × points a card = points, then the total`."""
    players: tuple[str, ...]
    """Names in seat order."""
    hands: tuple[HandEnded, ...]
    """At least one."""
    star: str
    """The meaning of a star: `won the hand`."""
    goal: str
    """`The match is over at 100 points.`"""
    target: int
    left: str
    """Above the cards: `Left after hand 5`."""
    held: tuple[Cards, ...]
    """The cards that each seat had left in the last hand."""
    following: NextHand | None = None
    """None if the match is over."""


NUMBER_WIDTH: Final = 44
"""The width of the column with the numbers of the hands."""
EDGE: Final = 9
"""The padding of a column."""
ROW: Final = 50
CARD: Final = 54
CARDS_IN_ROW: Final = 9
NAME_WIDTH: Final = 200


def score_sheet(sheet: ScoreSheet) -> bytes:
    """A PNG, 800 pixels wide."""
    grid = [_names(sheet), *(_hand(sheet, number) for number in range(len(sheet.hands))), _totals(sheet)]
    blocks = [heading(sheet.title, sheet.legend), _joined(grid), *_left(sheet)]
    if sheet.following is not None:
        blocks.append(next_hand(sheet.following, sheet.players))
    return png(page(blocks, gap=26))


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
    row = Block(66)
    for seat, name in enumerate(sheet.players):
        left, right = _column(sheet, seat)
        row.label((right - EDGE, 30), name, right - left - 2 * EDGE, bold=True, align="r")
    row.line((0, 64), (CONTENT_WIDTH, 64), LINE, 3)
    return row


def _hand(sheet: ScoreSheet, number: int) -> Block:
    ended = sheet.hands[number]
    row = Block(ROW)
    row.text((NUMBER_WIDTH - 12, 34), str(ended.hand), SMALL, MUTED, anchor="rs")
    for seat in range(len(sheet.players)):
        left, right = _column(sheet, seat)
        if seat == ended.winner:
            row.panel((left + 2, 3, right, ROW - 4), RAISED, 10)
            row.mark(marks.STAR, (left + EDGE, 12), 24, GOLD)
        _score(row, ended, seat, left, right)
    row.line((0, ROW - 1), (CONTENT_WIDTH, ROW - 1), LINE, 1)
    return row


def _score(row: Block, ended: HandEnded, seat: int, left: int, right: int) -> None:
    """`16×5=80` and the running total."""
    cards, points = ended.left[seat], ended.points[seat]
    total = row.text((right - EDGE, 35), str(ended.totals[seat]), BODY - 1, bold=True, anchor="rs")
    won = seat == ended.winner
    start = left + EDGE + (34 if won else 0)
    formula = str(points) if won else f"{cards}×{multiplier(cards)}={points}"
    row.text((start, 34), formula, SMALLEST, MUTED, max_width=right - EDGE - total - 4 - start, smallest=16)


def _totals(sheet: ScoreSheet) -> Block:
    """The totals, each with a bar that shows its share of the target."""
    block = Block(138)
    block.line((0, 0), (CONTENT_WIDTH, 0), LINE, 5)
    for seat, total in enumerate(sheet.hands[-1].totals):
        left, right = _column(sheet, seat)
        block.text((right - EDGE, 52), str(total), TITLE, bold=True, anchor="rs")
        _bar(block, (left + EDGE, 68, right - EDGE), total / sheet.target)
    block.mark(marks.STAR, (NUMBER_WIDTH + EDGE, 104), 24, GOLD)
    star = block.text((NUMBER_WIDTH + EDGE + 34, 126), sheet.star, SMALL, MUTED, max_width=CONTENT_WIDTH / 3)
    goal = CONTENT_WIDTH - NUMBER_WIDTH - 4 * EDGE - 34 - star
    block.text((CONTENT_WIDTH - EDGE, 126), sheet.goal, SMALL, MUTED, anchor="rs", max_width=goal)
    return block


def _bar(block: Block, track: tuple[int, int, int], share: float) -> None:
    """A track (left, top, right) filled up to `share`, with a post for the target at its end."""
    left, top, right = track
    block.panel((left, top, right, top + 14), LINE, 7)
    filled = round((right - left) * min(1, share))
    if filled:
        block.panel((left, top, left + max(14, filled), top + 14), INK, 7)
    block.line((right, top - 7), (right, top + 20), GOLD, 4)


def _left(sheet: ScoreSheet) -> list[Block]:
    """The cards left in the last hand, by player."""
    holders = [seat for seat, cards in enumerate(sheet.held) if cards]
    if not holders:
        return []
    title = Block(40)
    title.text((0, 30), sheet.left, LARGE, bold=True)
    return [_joined([title, *(_holder(sheet.players[seat], sheet.held[seat]) for seat in holders)])]


def _holder(name: str, cards: Cards) -> Block:
    rows = -(-len(cards) // CARDS_IN_ROW)
    step = CARD + 6
    block = Block(14 + rows * step + 8)
    block.label((0, 14 + CARD / 2), name, NAME_WIDTH - PADDING, align="l")
    block.cards((NAME_WIDTH, 14), cards, CARD, in_row=CARDS_IN_ROW)
    return block
