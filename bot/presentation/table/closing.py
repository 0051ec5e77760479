"""The question before a table is closed, the reply to the answer, and the reason why it was closed."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import Layout, button, rows
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.forms import field, form
from bot.services.hosts import NO_HOST
from bot.table.consent import concedes_by_closing, still_to_agree
from bot.table.model import Status
from bot.table.snapshot import Table

_END_REASONS: Final = {
    "agreed": translatable("The players agreed to end the match."),
    "conceded": translatable("Everyone has conceded."),
    "deserted": translatable("Nobody has been here for a long time."),
    NO_HOST: translatable("The host has left, and nobody else here can host another table."),
}
"""Reasons why a table was closed, apart from one user's decision."""


def closing_form(nonce: int, words: Words) -> discord.ui.Modal:
    """The form where a manager types the number of a table to close."""
    number = field("number", words.say("Table number"), "12", max_length=18)
    return form(Press(Verb.CLOSE_NUMBER, 0, nonce), words.say("Close a table"), number)


def closing_message(table: Table, user_id: int, words: Words, *, at_once: bool) -> Layout:
    """Ask whether to close a table. `at_once` is False for a host who needs the consent of the others."""
    lines = [
        labels.bold(words.say("Close table {number}?", number=table.id)),
        words.say("At the table: {people}.", people=words.list(labels.names(table, words))),
        *labels.totals_lines(table, words),
    ]
    is_lobby = table.row.status is Status.LOBBY
    waits_for = () if at_once or is_lobby else still_to_agree(table, user_id)
    if is_lobby:
        lines.append(words.say("The match has not started yet."))
    elif waits_for:
        names = labels.names_of(table, waits_for, words)
        lines.append(words.say("The match ends when these players agree, too: {names}.", names=names))
    elif at_once and concedes_by_closing(table.row, user_id):
        lines.append(words.say("The match ends at once. If it's rated, that counts as conceding it."))
    else:
        lines.append(_end_at_once(table, words))
    label = words.say("Yes, ask the others") if waits_for else words.say("Yes, close it")
    return _question(table, lines, label)


def _end_at_once(table: Table, words: Words) -> str:
    if any(seat.conceded for seat in table.seats):
        return words.say("The match ends at once. If it's rated, players who have left it come last.")
    return words.say("The match ends at once, without a ranking.")


def conceding_message(table: Table, user_id: int, words: Words) -> Layout:
    """Ask whether to concede a match, and say what that costs."""
    if any(seat.user_id != user_id and (seat.player_id or seat.is_absent) for seat in table.seats):
        costs = [words.say("An AI plays your seat until the match ends, and you can't come back.")]
        if table.row.casual_reason is None:
            costs.append(words.say("On leaderboards you rank below those who stay, and for your rating you come last."))
        else:
            costs.append(words.say("On leaderboards you rank below those who stay."))
    else:
        costs = [_end_at_once(table, words)]
    question = labels.bold(words.say("Concede at table {number}?", number=table.id))
    yes = button(Press(Verb.CONCEDE, table.id), words.say("Yes, concede"), discord.ButtonStyle.danger)
    return Layout("\n".join([question, *costs]), *rows([yes]))


def hidden_closing_message(table: Table, words: Words) -> Layout:
    """Ask a manager who can't see the table's channel whether to close it, without showing anything about it."""
    lines = [
        labels.bold(words.say("Close table {number}?", number=table.id)),
        words.say("It is in a channel that you can't see, so nothing else is shown."),
    ]
    return _question(table, lines, words.say("Yes, close it"))


def _question(table: Table, lines: Sequence[str], label: str) -> Layout:
    yes = button(Press(Verb.CLOSE, table.id, 0, (table.row.status,)), label, discord.ButtonStyle.danger)
    return Layout("\n".join(lines), *rows([yes]))


def closing_note(table: Table, user_id: int, words: Words) -> str:
    """The result: the table is closed, or the others have been asked."""
    if not table.row.status.is_open:
        return words.say("Table {number} is closed.", number=table.id)
    names = labels.names_of(table, still_to_agree(table, user_id), words)
    return words.say(
        "You have asked to end the match at table {number}. It ends when these players agree, under **More**: {names}.",
        number=table.id,
        names=names,
    )


def closing_reason(table: Table, words: Words) -> str:
    """Why a match wasn't played to its end, or which of its players closed the table; "" if neither is known."""
    if table.row.ended in _END_REASONS:
        return words.say(_END_REASONS[table.row.ended])
    closer_id = table.row.closed_by_id
    closer = "" if closer_id is None else labels.names_of(table, [closer_id], words)
    return words.say("Closed by {name}.", name=closer) if closer else ""
