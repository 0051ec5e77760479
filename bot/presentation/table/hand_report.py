"""The message after a hand: cards left, penalties, totals, and the next exchange."""

from collections.abc import Sequence
from typing import Final

from bot.analysis.hand_reports import HandReport
from bot.engine.scoring import multiplier
from bot.presentation.text import labels
from bot.presentation.text.cards import face, faces
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import win_text
from bot.presentation.ui.components import GOLD, Box, Button, Layout, button, page_buttons, rows
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.files import Picture
from bot.presentation.ui.rule_buttons import why_button
from bot.table.snapshot import Table

BIG_MULTIPLIER: Final = 4
"""Points for each card left that make a penalty a big one: from 14 cards."""


def report_message(table: Table, report: HandReport, words: Words, pictures: Sequence[Picture] = ()) -> Layout:
    """The score sheet of a hand as text, and as pictures if there are any."""
    names = labels.names(table, words)
    ended = report.ended
    title = words.say("Table {number} · hand {hand} is over", number=table.id, hand=ended.hand)
    lines = [f"### {title}", f"🏁 {win_text(ended, labels.bold(names[ended.winner]), words)}"]
    lines += _moments(names, report, words)
    lines += penalty_lines(names, report, words)
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
    hand = (str(ended.hand),)
    buttons = [
        button(Press(Verb.HANDS, table.id, 0, hand), words.say("All hands")),
        button(Press(Verb.REPLAY_HAND, table.id, 0, hand), words.say("Move by move")),
    ]
    losers = [left for seat, left in enumerate(ended.left) if seat != ended.winner]
    if report.gave is not None and losers.count(max(losers)) > 1:  # who gives a card depended on more
        buttons.append(why_button("R28", words, table.row.options))
    return Layout(Box(GOLD, "\n".join(lines), *pictures, *rows(buttons)))


def _moments(names: Sequence[str], report: HandReport, words: Words) -> list[str]:
    """Big penalties, and a player who comes back from the last place to the first."""
    ended = report.ended
    lines = [
        "### 💥 " + words.say("{name} is caught with {number} cards!", name=names[seat], number=left)
        for seat, left in enumerate(ended.left)
        if multiplier(left) >= BIG_MULTIPLIER and ended.points[seat]
    ]
    before = [total - points for total, points in zip(ended.totals, ended.points, strict=True)]
    worst, best = max(before), min(ended.totals)
    first = [seat for seat, total in enumerate(ended.totals) if total == best]
    if len(first) == 1 and before[first[0]] == worst and before.count(worst) == 1:
        lines.append("### 🚀 " + words.say("{name} comes back from last place to first!", name=names[first[0]]))
    return lines


def hands_message(table: Table, report: HandReport, words: Words) -> Layout:
    """All cards that the players were dealt in a finished hand, with buttons to the hands before and after."""
    title = words.say("Table {number} · hand {hand}: the hands as dealt", number=table.id, hand=report.ended.hand)
    lines = [labels.bold(title)]
    lines += [
        words.say("{name}: {cards}", name=labels.bold(name), cards=faces(cards, words))
        for name, cards in zip(labels.names(table, words), report.cards_at_start, strict=True)
    ]
    return Layout("\n".join(lines), *rows(_hand_buttons(table, report.ended.hand, words)))


def _hand_buttons(table: Table, hand: int, words: Words) -> list[Button]:
    is_last = hand >= table.hands_over
    return page_buttons(
        lambda what, page: Press(Verb.HANDS, table.id, 0, (str(page + 1), what)), hand - 1, words, is_last=is_last
    )


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
