"""The message when a hand is over: what each held, penalties, totals, and who gives what to whom."""

import discord

from bot.engine.scoring import multiplier
from bot.presentation import texts
from bot.presentation.buttons import Press, button, layout, rows
from bot.presentation.faces import face, faces
from bot.presentation.words import Words
from bot.services.reports import HandReport
from bot.services.table import Table


def report_message(table: Table, report: HandReport, words: Words) -> discord.ui.LayoutView:
    """One hand's score sheet."""
    names = texts.names(table, words)
    ended = report.ended
    title = words.say("Table {number} · hand {hand} is over", number=table.id, hand=ended.hand)
    lines = [f"### {title}", words.say("🏁 {name} is out first.", name=texts.bold(names[ended.winner]))]
    lines += [_line(names[seat], report, seat, words) for seat in range(len(names)) if seat != ended.winner]
    totals = [
        words.say("{name} {total}", name=name, total=total) for name, total in zip(names, ended.totals, strict=True)
    ]
    lines.append(words.say("Totals: {totals}.", totals=words.list(totals)))
    if report.gave is not None:
        giver, winner = names[report.gave.seat], names[report.gave.to]
        lines.append(
            words.say(
                "For the next hand {giver} gives {card} to {winner}.",
                giver=giver,
                card=face(report.gave.card, words),
                winner=winner,
            )
        )
    box: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(
        discord.ui.TextDisplay("\n".join(lines)), accent_color=0xE0A526
    )
    for row in rows([button(Press("hands", table.id, 0, (str(ended.hand),)), words.say("All hands"))]):
        box.add_item(row)
    return layout(box)


def hands_message(table: Table, report: HandReport, words: Words) -> discord.ui.LayoutView:
    """What everybody held in a hand that is over, from its beginning."""
    title = words.say(
        "Table {number} · hand {hand}: what everybody began with", number=table.id, hand=report.ended.hand
    )
    lines = [texts.bold(title)]
    lines += [
        words.say("{name}: {cards}", name=texts.bold(name), cards=faces(cards, words))
        for name, cards in zip(texts.names(table, words), report.began, strict=True)
    ]
    return layout(discord.ui.TextDisplay("\n".join(lines)))


def _line(name: str, report: HandReport, seat: int, words: Words) -> str:
    ended = report.ended
    left, points = ended.left[seat], ended.points[seat]
    if multiplier(left) == 1:
        sum_ = words.count("{number} point", "{number} points", points)
    else:
        sum_ = words.count(
            "{left} × {times} = {number} point",
            "{left} × {times} = {number} points",
            points,
            left=left,
            times=multiplier(left),
        )
    facts = {"name": texts.bold(name), "points": sum_, "cards": faces(report.held[seat], words)}
    return words.say("{name} · {points} · {cards}", **facts)
