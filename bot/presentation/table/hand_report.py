"""The message after a hand: penalties, totals and the next exchange. All cards and the score sheet are behind it."""

from collections.abc import Sequence
from typing import Final

from bot.analysis.hand_reports import HandReport
from bot.engine.cards import is_gang
from bot.engine.events import HandEnded
from bot.engine.scoring import multiplier
from bot.presentation.text import labels
from bot.presentation.text.cards import face, faces, gang_name
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import win_text
from bot.presentation.ui.components import GOLD, Box, Button, Layout, button, page_buttons, rows, why_button
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.files import Picture
from bot.table.snapshot import Table

BIG_MULTIPLIER: Final = 4
"""Points for each card left that make a penalty a big one: from 14 cards."""
MAX_EARLIER: Final = 1
"""Earlier hands below a result, so that it stays lower than a phone's screen."""
MAX_LINES: Final = 40
"""Hands of a whole score sheet. More wouldn't fit into a message."""


def report_message(
    table: Table, report: HandReport, hands: Sequence[HandEnded], words: Words, pictures: Sequence[Picture] = ()
) -> Layout:
    """The result of a hand. `hands` end with it; the earlier ones follow in a line each.

    The cards left and the score sheet as a picture are behind buttons.
    """
    names = labels.names(table, words)
    ended = report.ended
    title = words.say("Table {number} · hand {hand} is over", number=table.id, hand=ended.hand)
    lines = [f"### {title}", f"🏁 {win_text(ended, labels.bold(names[ended.winner]), words)}"]
    lines += [_penalty_line(names[seat], report, seat, words) for seat, left in enumerate(ended.left) if left]
    lines += [*_gang_lines(names, report), *_comeback(names, report, words)]
    lines.append(labels.totals_text(names, ended.totals, words))
    if report.gave is not None:
        giver, winner = names[report.gave.seat], names[report.gave.to]
        lines.append(
            words.say(
                "For the next hand, {giver} gives {card} to {winner}.",
                giver=giver,
                card=face(report.gave.card, words),
                winner=winner,
            )
        )
    lines += sheet_lines(names, hands[:-1], MAX_LINES if is_last(table, report) else MAX_EARLIER, words)
    return Layout(Box(GOLD, "\n".join(lines), *pictures, *rows(_buttons(table, report, words))))


def is_last(table: Table, report: HandReport) -> bool:
    """True if the match ended with the hand."""
    return table.public is not None and table.public.ranking is not None and report.ended.hand == table.hands_over


def _buttons(table: Table, report: HandReport, words: Words) -> list[Button]:
    hand = (str(report.ended.hand),)
    buttons = [
        button(Press(Verb.HANDS, table.id, 0, hand), words.say("All hands")),
        button(Press(Verb.SHEET, table.id, 0, hand), words.say("Score sheet")),
    ]
    losers = [left for seat, left in enumerate(report.ended.left) if seat != report.ended.winner]
    if report.gave is not None and losers.count(max(losers)) > 1:  # who gives a card depended on more
        buttons.append(why_button("R28", words, table.row.options))
    return buttons


def _penalty_line(name: str, report: HandReport, seat: int, words: Words) -> str:
    """The points of a seat, with a sign if they are a big penalty."""
    line = words.say("{name} · {points}", name=labels.bold(name), points=penalty(report, seat, words))
    is_big = multiplier(report.ended.left[seat]) >= BIG_MULTIPLIER and report.ended.points[seat]
    return f"💥 {line}" if is_big else line


def _gang_lines(names: Sequence[str], report: HandReport) -> list[str]:
    """A line with the gangs of the hand. Their own messages are gone by now."""
    gangs = [
        f"{gang_name(len(move.cards))} ({labels.bold(names[move.seat])})"
        for move in report.moves
        if is_gang(move.cards)
    ]
    return ["🎉 " + " · ".join(gangs)] if gangs else []


def _comeback(names: Sequence[str], report: HandReport, words: Words) -> list[str]:
    """A player who comes back from the last place to the first."""
    ended = report.ended
    before = [total - points for total, points in zip(ended.totals, ended.points, strict=True)]
    worst, best = max(before), min(ended.totals)
    first = [seat for seat, total in enumerate(ended.totals) if total == best]
    if len(first) != 1 or before[first[0]] != worst or before.count(worst) != 1:
        return []
    return ["🚀 " + words.say("{name} comes back from last place to first!", name=names[first[0]])]


def sheet_lines(names: Sequence[str], hands: Sequence[HandEnded], most: int, words: Words) -> list[str]:
    """The points of the latest hands, `most` at most, in a small line each, below the names of the players."""
    if not hands:
        return []
    lines = [words.say("Points per hand: {names}", names=" · ".join(names))]
    for ended in hands[-most:]:
        points = ["🏁" if seat == ended.winner else str(points) for seat, points in enumerate(ended.points)]
        lines.append(f"{ended.hand}: " + " · ".join(points))
    return [labels.small(line) for line in lines]


def sheet_message(
    table: Table, report: HandReport, hands: Sequence[HandEnded], words: Words, pictures: Sequence[Picture]
) -> Layout:
    """The score sheet up to a hand, as text and as pictures."""
    title, names = words.say("Table {number} · score sheet", number=table.id), labels.names(table, words)
    totals = labels.totals_text(names, report.ended.totals, words)
    lines = [labels.bold(title), *sheet_lines(names, hands, MAX_LINES, words), totals]
    return Layout("\n".join(lines), *pictures)


def hands_message(table: Table, report: HandReport, words: Words) -> Layout:
    """All cards as dealt in a finished hand, and those left, with buttons to its moves and to other hands."""
    title = words.say("Table {number} · hand {hand}: the hands as dealt", number=table.id, hand=report.ended.hand)
    names = labels.names(table, words)
    lines = [labels.bold(title)]
    lines += [
        words.say("{name}: {cards}", name=labels.bold(name), cards=faces(cards, words))
        for name, cards in zip(names, report.cards_at_start, strict=True)
    ]
    lines += ["", labels.bold(words.say("Cards left")), *penalty_lines(names, report, words)]
    return Layout("\n".join(lines), *rows(_hand_buttons(table, report.ended.hand, words)))


def _hand_buttons(table: Table, hand: int, words: Words) -> list[Button]:
    is_last = hand >= table.hands_over
    pages = page_buttons(
        lambda what, page: Press(Verb.HANDS, table.id, 0, (str(page + 1), what)), hand - 1, words, is_last=is_last
    )
    return [*pages, button(Press(Verb.REPLAY_HAND, table.id, 0, (str(hand),)), words.say("Move by move"))]


def penalty_lines(names: Sequence[str], report: HandReport, words: Words) -> list[str]:
    """The points and the cards left of every player who had some."""
    return [_line(names[seat], report, seat, words) for seat, left in enumerate(report.ended.left) if left]


def _line(name: str, report: HandReport, seat: int, words: Words) -> str:
    """The points of a seat and its cards left. The cards are hidden while a duplicate table still plays the deals."""
    name, points, held = labels.bold(name), penalty(report, seat, words), report.cards_left[seat]
    if not held:
        return words.say("{name} · {points}", name=name, points=points)
    return words.say("{name} · {points} · {cards}", name=name, points=points, cards=faces(held, words))


def penalty(report: HandReport, seat: int, words: Words) -> str:
    """The penalty points of a seat: `9 × 2 = 18 points`. The winner has none, even with cards left (R37)."""
    left, points = report.ended.left[seat], report.ended.points[seat]
    if multiplier(left) == 1 or seat == report.ended.winner:
        return labels.points(points, words)
    return words.count(
        "{left} × {times} = {number} point",
        "{left} × {times} = {number} points",
        points,
        left=left,
        times=multiplier(left),
    )
