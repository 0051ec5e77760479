"""Private lists: the tables of a guild, and everything that waits for a user."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import Final, TypeAlias

import discord

from bot.presentation.table.opening import play_ai_button
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.permissions import gone_text
from bot.presentation.ui.components import Button, Layout, button, page_buttons, rows
from bot.presentation.ui.custom_ids import Press, Verb
from bot.services.open_tables import Listed, Page
from bot.table.model import Status, TableRow
from bot.table.pending_items import PendingItem, pending_for
from bot.table.snapshot import Table

IsGone: TypeAlias = Callable[[TableRow], bool]
"""True if the channel of a table was deleted."""
MAX_CHARACTERS: Final = 3400
"""Characters of the lines. A message has 4000."""


def list_message(page: Page, user_id: int, words: Words, is_gone: IsGone) -> Layout:
    """A page of a guild's open tables with links to their messages, newest first."""
    lines = [_gone_line(each, words, is_gone) or _table_line(each, user_id, words) for each in page.tables]
    if page.every:
        title = labels.bold(words.count("{number} open table", "{number} open tables", page.every))
    else:
        title = words.say("No table is open in this server. `/gang new` opens one.")
    turn = page_buttons(
        lambda what, number: Press(Verb.LIST, 0, number, (what,)), page.number, words, is_last=page.is_last
    )
    return Layout("\n".join([title, *lines]), *rows(turn or ([] if lines else [play_ai_button(words)])))


def fit_lines(lines: Iterable[str]) -> list[str]:
    """As many of the first lines as fit."""
    every = list(lines)
    return every[: bisect_right(list(accumulate(map(len, every))), MAX_CHARACTERS)]


def _gone_line(listed: Listed, words: Words, is_gone: IsGone) -> str:
    """The line of a table whose channel was deleted; empty if it wasn't. A link would lead nowhere."""
    row = listed.table.row
    return f"- {gone_text(row.id, words)}" if row.in_channel and is_gone(row) else ""


def _table_line(listed: Listed, user_id: int, words: Words) -> str:
    table, row = listed.table, listed.table.row
    name = _linked_name(listed, words)
    people = words.list([labels.seat_name(seat, words) for seat in table.seats]) if table.seats else ""
    facts = {"table": name, "channel": f"<#{row.place_id}>", "people": people}
    if row.status is Status.LOBBY:
        free = row.size - len(table.seats)
        line = words.count(
            "{table} in {channel}: {people}; {number} seat free",
            "{table} in {channel}: {people}; {number} seats free",
            free,
            **facts,
        )
    elif row.paused_at is not None or table.turn is None:
        line = words.say("{table} in {channel}: {people}", **facts)
    elif table.user_to_act == user_id:
        line = words.say("{table} in {channel}: {people}; **it is your turn**", **facts)
    else:
        turn = labels.seat_name(table.seats[table.turn], words)
        line = words.say("{table} in {channel}: {people}; it is {turn}'s turn", turn=turn, **facts)
    return f"- {line}"


def _linked_name(listed: Listed, words: Words) -> str:
    """The name of a table, with a link to its message if that is known."""
    row, name = listed.table.row, words.say("Table {number}", number=listed.table.id)
    if listed.message_id is None:
        return name
    return f"[{name}](https://discord.com/channels/{row.guild_id}/{row.place_id}/{listed.message_id})"


def pending_message(
    tables: Sequence[Listed], user_id: int, words: Words, is_gone: IsGone, turns: Sequence[Table] = ()
) -> Layout:
    """Everything that waits for the user, or a button to start a match.

    `turns` are the first tables with the user's turn. A row of buttons for each plays it.
    """
    items = [row for table in turns for row in rows(_turn_buttons(table, words))]
    return Layout(_pending_text(tables, user_id, words, is_gone), *(items if tables else rows([play_ai_button(words)])))


def _turn_buttons(table: Table, words: Words) -> list[Button]:
    name, public = words.say("Table {number}", number=table.id), table.public
    hand = button(Press(Verb.HAND, table.id), f"{name} · {words.say('My hand')}", discord.ButtonStyle.primary)
    if public is None or public.cycle.to_beat is None:
        return [hand]
    return [hand, button(Press(Verb.PASS_IN_LIST, table.id, table.moment), f"{name} · {words.say('Pass')}")]


def _pending_text(tables: Sequence[Listed], user_id: int, words: Words, is_gone: IsGone) -> str:
    if not tables:
        return words.say("Nothing is waiting for you. `/gang list` shows the tables of this server.")
    title = labels.bold(
        words.count("{number} table is waiting for you", "{number} tables are waiting for you", len(tables))
    )
    lines = (
        _pending_line(wait, replace(each, message_id=None) if is_gone(each.table.row) else each, words)
        for each in tables
        for wait in pending_for(each.table, user_id)
    )
    gone = (line for each in tables if (line := _gone_line(each, words, is_gone)))
    return "\n".join([title, *fit_lines(chain(lines, gone))])


_PENDING_TEXTS: Final = {
    PendingItem.START: translatable("{table} in {channel}: all seats are taken, and you can start"),
    PendingItem.REMATCH: translatable("{table} in {channel}: the rematch starts when you have joined"),
    PendingItem.INVITATION: translatable("{table} in {channel}: you are invited"),
    PendingItem.TURN: translatable("{table} in {channel}: **it is your turn**"),
    PendingItem.SEAT: translatable(
        "{table} in {channel}: a substitute plays for you; `/gang hand` has a button to take your seat back"
    ),
    PendingItem.QUESTION: translatable("{table} in {channel}: {late} is late; you can say how to go on"),
    PendingItem.PAUSE: translatable(
        "{table} in {channel}: {pausing} would like a pause; to agree, open **More** in `/gang hand`"
    ),
    PendingItem.END: translatable(
        "{table} in {channel}: {ending} would like to end the match; to agree, open **More** in `/gang hand`"
    ),
}


def _pending_line(wait: PendingItem, listed: Listed, words: Words) -> str:
    """One thing that waits for the user."""
    table, row = listed.table, listed.table.row
    if not row.in_channel:
        return "- " + words.say("{table}, which only you see: **it is your turn**", table=_linked_name(listed, words))
    facts = {
        "table": _linked_name(listed, words),
        "channel": f"<#{row.place_id}>",
        "late": "" if table.turn is None else labels.names(table, words)[table.turn],
        "pausing": labels.names_of(table, row.pausing, words),
        "ending": labels.names_of(table, row.ending, words),
    }
    if wait is PendingItem.TURN and row.clock is not None and row.clock.due is not None:
        when = labels.relative(row.clock.due)
        return "- " + words.say("{table} in {channel}: **it is your turn**, deadline {when}", when=when, **facts)
    return "- " + words.say(_PENDING_TEXTS[wait], **facts)
