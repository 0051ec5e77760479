"""The animated replay of a hand: one frame for each move, with all hands open. It plays again and again."""

from io import BytesIO
from typing import Final

from PIL import Image

from bot.pictures import marks
from bot.pictures.descriptions import Animation
from bot.pictures.pages import Block, page
from bot.pictures.replay import Moment, Replay, moments
from bot.pictures.theme import BODY, CONTENT_WIDTH, GOLD, INK, LARGE, LINE, MUTED, PADDING, PANEL, RAISED, SMALL

CARD: Final = 34
PLAYED: Final = 60
"""The size of the cards on the table."""
SEAT: Final = 78
NAME_AT: Final = 50
NAME: Final = 160
"""The minimum width of a name."""
MOVE_MILLISECONDS: Final = 1200
END_MILLISECONDS: Final = 6000
"""The time for which the last frame is shown."""
COLORS: Final = 96
"""Enough for smooth edges; the file takes a third of the space and an eighth of the time of one with all colors."""


def animation(described: Animation) -> bytes:
    """An animated WebP, 400 pixels wide and at most 280 high: Discord takes seconds to show larger ones."""
    replay = described.replay
    every = [frame(replay, moment).reduce(2) for moment in moments(replay)]
    palette = _palette(every[0], every[-1])
    frames = [each.quantize(palette=palette, dither=Image.Dither.NONE) for each in every]
    durations = [*[MOVE_MILLISECONDS] * (len(frames) - 1), END_MILLISECONDS]
    file = BytesIO()
    frames[0].save(
        file,
        "WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        lossless=True,
        quality=20,  # the effort; more doesn't make these pictures smaller
        method=2,
    )
    return file.getvalue()


def _palette(first: Image.Image, last: Image.Image) -> Image.Image:
    """A palette for all frames, from the first, which has the most cards, and the last, which has the winner."""
    both = Image.new("RGB", (first.width, 2 * first.height))
    both.paste(first, (0, 0))
    both.paste(last, (0, first.height))
    return both.quantize(COLORS, dither=Image.Dither.NONE)


def frame(replay: Replay, moment: Moment) -> Image.Image:
    """The table after one move."""
    is_last = moment.number == len(replay.moves)
    seats = [_seat(replay, moment, seat, won=is_last and not moment.hands[seat]) for seat in replay.order]
    return page([_head(replay, moment), _table(replay, moment, is_last), *seats], gap=5)


def _head(replay: Replay, moment: Moment) -> Block:
    """The title, the number of the move, and a progress bar."""
    block = Block(50)
    counter = block.text((CONTENT_WIDTH, 30), f"{moment.number}/{len(replay.moves)}", BODY, MUTED, anchor="rs")
    block.text((0, 30), replay.title, LARGE, bold=True, max_width=CONTENT_WIDTH - counter - PADDING)
    block.panel((0, 42, CONTENT_WIDTH, 50), LINE, 4)
    block.panel((0, 42, max(8, round(CONTENT_WIDTH * moment.number / len(replay.moves))), 50), INK, 4)
    return block


def _table(replay: Replay, moment: Moment, is_last: bool) -> Block:
    """The play to beat: its player, name and cards."""
    block = Block(124)
    block.panel((0, 0, CONTENT_WIDTH, block.height))
    to_beat, max_width = moment.to_beat, CONTENT_WIDTH - 2 * PADDING
    if is_last:
        block.mark(marks.STAR, (PADDING, 10), 32, GOLD)
        block.text((PADDING + 46, 38), replay.finale, LARGE, GOLD, bold=True, max_width=max_width - 46)
    elif to_beat is not None:
        name = block.text((PADDING, 38), replay.players[to_beat.seat], LARGE, bold=True, max_width=max_width / 2)
        block.text((PADDING + name + 18, 38), to_beat.text, BODY, MUTED, max_width=max_width - name - 18)
    if to_beat is not None:
        block.cards((PADDING, 54), to_beat.cards, PLAYED, gap=8)
    return block


def _seat(replay: Replay, moment: Moment, seat: int, won: bool) -> Block:
    """A player: name, number of cards, last move, and the hand."""
    block = Block(SEAT)
    acts = moment.move.seat == seat
    block.panel((0, 0, CONTENT_WIDTH, SEAT), RAISED if acts else PANEL)
    if won:
        block.mark(marks.STAR, (14, 9), 24, GOLD)
    elif acts:
        block.mark(marks.POINTER, (17, 10), 22, GOLD, width=18)
    _line(block, replay, moment, seat)
    hand = moment.hands[seat]
    block.text((26, 64), str(len(hand)), SMALL, MUTED, anchor="ms")  # under the pointer
    block.cards((NAME_AT, 39), hand, CARD, gap=3)
    return block


def _line(block: Block, replay: Replay, moment: Moment, seat: int) -> None:
    """The name; on the right the player's last move in this cycle."""
    at = CONTENT_WIDTH - PADDING
    if seat in moment.declared and moment.hands[seat]:
        at -= round(block.text((at, 29), replay.last_card, SMALL, GOLD, bold=True, anchor="rs", max_width=260)) + 18
    max_width = max(at - NAME_AT - NAME, 270)
    at -= round(block.label((at, 20), moment.last_moves.get(seat, ""), max_width, SMALL, MUTED, align="r")) + 18
    block.text((NAME_AT, 30), replay.players[seat], BODY, bold=True, max_width=at - NAME_AT)
