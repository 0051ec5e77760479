"""The replay of a hand on pages, read line by line, with a column for each player in the order of play."""

from dataclasses import dataclass, field
from typing import Final

from bot.pictures import marks
from bot.pictures.descriptions import Page
from bot.pictures.fonts import legible, width, wrapped
from bot.pictures.pages import LEADING, Block, heading, page, png
from bot.pictures.replay import MAX_PAGES, Move, Replay
from bot.pictures.theme import BACKGROUND, CONTENT_WIDTH, GOLD, LARGE, LINE, MARGIN, MUTED, PANEL, RGB, SMALL, SMALLEST

CARD: Final = 48
STEP: Final = CARD + 4
SPACE: Final = 9
"""The padding of a cell."""
SIGN: Final = 26
"""The size of the sign at the corner of a play: the winner's star, or `!` for a declared last card."""
HEIGHT: Final = 560
"""The maximum height of a page, so that a phone shows it in its full width."""


@dataclass(slots=True)
class Line:
    """The moves of one time round the table, by column."""

    opens: bool
    """True if a new cycle begins with it."""
    moves: dict[int, Move] = field(default_factory=dict)


def still(described: Page) -> bytes:
    """A PNG, 800 pixels wide; empty beyond the last page."""
    replay, number = described.replay, described.number
    pages = _pages(replay)
    if number >= len(pages):
        return b""
    title = replay.title if len(pages) == 1 else f"{replay.title} · {number + 1}/{len(pages)}"
    return png(page([heading(title), _names(replay), *pages[number]], gap=0))


def _pages(replay: Replay) -> list[list[Block]]:
    """The lines of the table, and the foot, in groups that fit on a page."""
    space = HEIGHT - 2 * MARGIN - heading("").height - _names(replay).height
    pages: list[list[Block]] = [[]]
    for row in (*_rows(replay), _foot(replay)):
        if pages[-1] and len(pages) < MAX_PAGES and sum(each.height for each in pages[-1]) + row.height > space:
            pages.append([])
        pages[-1].append(row)
    return pages


def _rows(replay: Replay) -> list[Block]:
    rows: list[Block] = []
    shaded = False
    for line in lines(replay):
        shaded ^= line.opens
        rows.append(_row(line, replay, PANEL if shaded else BACKGROUND))
    return rows


def lines(replay: Replay) -> list[Line]:
    """The moves as lines of a table, with a new line for each cycle and each time round the table."""
    columns = {seat: column for column, seat in enumerate(replay.order)}
    found: list[Line] = []
    for move in replay.moves:
        column = columns[move.seat]
        if not found or move.leads or column <= max(found[-1].moves):
            found.append(Line(move.leads and bool(found)))
        found[-1].moves[column] = move
    return found


def _column(replay: Replay, column: int) -> tuple[int, int]:
    """The left and right edge of a column."""
    count = len(replay.players)
    return CONTENT_WIDTH * column // count, CONTENT_WIDTH * (column + 1) // count


def _names(replay: Replay) -> Block:
    """The headings of the columns, and arrows between them."""
    block = Block(72)
    for column, seat in enumerate(replay.order):
        left, right = _column(replay, column)
        block.label((left + SPACE, 34), replay.players[seat], right - left - SIGN - 2 * SPACE, bold=True, align="l")
        if column:
            block.mark(marks.POINTER, (left - SIGN, 24), 20, GOLD, width=16)
    block.line(((0, 69), (CONTENT_WIDTH, 69)), LINE, 3)
    return block


def _row(line: Line, replay: Replay, background: RGB) -> Block:
    """One time round the table; all lines of a cycle have the same background."""
    left, right = _column(replay, 0)
    in_row = (right - left - 2 * SPACE) // STEP
    row = Block(
        2 * SPACE + max(_height(move, right - left, in_row) for move in line.moves.values()), background=background
    )
    if line.opens:
        row.line(((0, 0), (CONTENT_WIDTH, 0)), LINE, 3)
    for column, move in line.moves.items():
        _cell(row, replay, move, _column(replay, column), in_row)
    return row


def _height(move: Move, cell: int, in_row: int) -> int:
    if move.cards:
        return STEP * -(-len(move.cards) // in_row) - (STEP - CARD)
    lines, size = _wrapped_text(move, cell)
    return round(len(lines) * size * LEADING)


def _wrapped_text(move: Move, cell: int) -> tuple[list[str], int]:
    """The text of a move, wrapped into a cell of this width, and the font size."""
    max_width = cell - 2 * SPACE - (SIGN + 6 if move.last_card else 0)
    if width(legible(move.text), SMALL) <= max_width:
        return [legible(move.text)], SMALL
    return wrapped(move.text, max_width, SMALLEST), SMALLEST


def _cell(row: Block, replay: Replay, move: Move, edges: tuple[int, int], in_row: int) -> None:
    left, right = edges
    if not move.cards:
        lines, size = _wrapped_text(move, right - left)
        middle = max(min(row.height, 2 * SPACE + CARD), 2 * SPACE + round(len(lines) * size * LEADING)) // 2
        text = row.lines((left + SPACE, middle), lines, size, MUTED, align="l")
        if move.last_card:
            _sign(row, left + SPACE + round(text) + 6, middle - SIGN // 2, "!")
        return
    row.cards((left + SPACE, SPACE), move.cards, CARD, STEP - CARD, in_row)
    corner = left + SPACE + min(len(move.cards), in_row) * STEP - (STEP - CARD)
    if move is replay.moves[-1]:
        _sign(row, corner - SIGN // 2 + 9, 3, "★")
    elif move.last_card:
        _sign(row, corner - SIGN // 2 + 9, 3, "!")


def _sign(block: Block, left: int, top: int, sign: str) -> None:
    """A star or an exclamation mark in a disc with a border."""
    block.mark(marks.DISC, (left - 3, top - 3), SIGN + 6, BACKGROUND)
    block.mark(marks.DISC, (left, top), SIGN, GOLD)
    if sign == "!":
        block.text((left + SIGN / 2, top + 21), sign, SMALLEST, BACKGROUND, bold=True, anchor="ms")
    else:
        block.mark(marks.STAR, (left + 4, top + 4), SIGN - 8, BACKGROUND)


def _foot(replay: Replay) -> Block:
    """The result, and the meaning of the sign."""
    has_declaration = any(move.last_card for move in replay.moves)
    block = Block(106 if has_declaration else 66)
    block.line(((0, 1), (CONTENT_WIDTH, 1)), LINE, 3)
    left = SPACE + SIGN + 12
    _sign(block, SPACE, 30, "★")
    block.text((left, 54), replay.finale, LARGE, bold=True, max_width=CONTENT_WIDTH - left)
    if has_declaration:
        _sign(block, SPACE, 74, "!")
        block.text((left, 96), replay.last_card, SMALL, MUTED, max_width=CONTENT_WIDTH - left)
    return block
