"""The coach's review of a hand: the most expensive moves, and what would have been better."""

from dataclasses import replace

import discord

from bot.analysis import hints
from bot.analysis.coaching import Cost, Review
from bot.engine import Options, Pass, Play
from bot.presentation.records.replay import ReplayState
from bot.presentation.table.hint import reasons_text
from bot.presentation.text import labels
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import move_text
from bot.presentation.ui.components import button, layout, rows
from bot.table.snapshot import Table


def progress_message(title: str, words: Words, done: int, total: int) -> discord.ui.LayoutView:
    """The progress of a review."""
    return layout(
        words.say("{hand}: the coach is looking at move {number} of {total}.", hand=title, number=done, total=total)
    )


def review_message(
    title: str, table: Table, review: Review, state: ReplayState, words: Words, *, is_own: bool
) -> discord.ui.LayoutView:
    """The expensive moves of the seat from which `state` looks at the match, with buttons that show them.

    `is_own`: the seat is the reader's, so the reasons may say "you".
    """
    names = labels.names(table, words)
    facts = {"name": labels.bold(names[int(state.viewpoint)]), "good": words.number(review.good)}
    lines = [
        "### " + words.say("Coach · {hand}", hand=title),
        words.count(
            "{name}: {good} of {number} move was as good as the best.",
            "{name}: {good} of {number} moves were as good as the best.",
            review.decisions,
            **facts,
        ),
        *(_mistake(mistake, table, words, is_own=is_own) for mistake in review.mistakes),
    ]
    if not review.mistakes:
        lines.append(words.say("No move cost a point."))
    note = words.say(
        "The points are an average over many deals that were possible for this player at that moment, compared with "
        "the other players."
    )
    moments = [mistake.decision.moment for mistake in review.mistakes]
    buttons = [
        button(
            replace(state, moment=moment).press("open"),
            words.say("Show move {number}", number=words.number(moment + 2)),
        )
        for moment in sorted(moments)
    ]
    return layout("\n\n".join([*lines, labels.small(note)]), *rows(buttons))


def _mistake(mistake: Cost, table: Table, words: Words, *, is_own: bool) -> str:
    options = table.row.options
    facts = {
        "number": words.number(mistake.decision.moment + 2),
        "played": _name(mistake.decision.move, options, words),
        "better": _name(mistake.better, options, words),
        "points": words.number(mistake.points, 1),
    }
    line = words.say("**Move {number}:** {played}. **Better:** {better}. That saves about {points} points.", **facts)
    reasons = reasons_text(hints.hint(mistake.decision.view, mistake.better), table, words) if is_own else ""
    return " ".join(filter(None, [line, reasons]))


def _name(move: Play | Pass, options: Options, words: Words) -> str:
    if isinstance(move, Pass):
        return words.say("Pass")
    return f"{move_text(move.cards, options, words)} {faces(move.cards, words)}"
