"""The private hand: cards as toggle buttons, the selected combination, and the moves."""

from collections.abc import Sequence

import discord

from bot.analysis.highlights import Highlight
from bot.engine import View
from bot.presentation.table.daily import daily_leaderboard_button, daily_lines, day_name
from bot.presentation.table.hand_panel import (
    CARDS_A_ROW,
    card_buttons,
    completion_button,
    counts_line,
    declare_button,
    hand_result_line,
    last_hand_line,
    lowest_play_button,
    move_buttons,
    plays_menu,
    silent_play_button,
    situation_line,
)
from bot.presentation.table.match_menu import order_name
from bot.presentation.table.message import exchange_line, ranking, table_message
from bot.presentation.table.selection import (
    HandState,
    PressFactory,
    forbidding_rule,
    hand_why_button,
    reminder_line,
    selection_line,
)
from bot.presentation.text import labels
from bot.presentation.text.errors import error_text
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Layout, Row, button, open_table_buttons, rows, rules_button
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table import play as actions
from bot.table.model import Status
from bot.table.refusals import HasSubstitute, Refusal
from bot.table.snapshot import Table


def hand_message(
    table: Table,
    user_id: int,
    state: HandState,
    words: Words,
    note: str = "",
    rule: str = "",
    highlight: Highlight | None = None,
) -> Layout:
    """The private hand of a user, with `note` at its end. `rule` is the rule that forbade the last move.

    Selecting cards never moves a line or a button. `highlight` is that of a finished match that no channel shows.

    Raises `NotSeated`.
    """
    view = table.view_of(user_id)
    if table.row.is_solo and table.row.status is Status.OVER:
        return _end_message(table, view, words, highlight)
    if not table.row.status.is_open:
        return _result_message(table, user_id, words, note)
    state = state.without_missing(view.hand)
    away = actions.absence(table, user_id)
    text = _text(table, view, away, state, words)
    items: list[Row] = []
    if view.hand:
        items += rows(card_buttons(view, state, words, _presses(table)), CARDS_A_ROW)
        if table.row.paused_at is None and not away:
            items += rows(_move_buttons(table, view, state, words))
            items += rows(_turn_buttons(table, view, state, words))
            items += plays_menu(view, state, words, Press(Verb.PLAYS_MENU, table.id, 0, state.arguments()))
    rule = rule or (away.rule if away else forbidding_rule(view, state))
    buttons = _view_buttons(table, view, state, words, rule)
    if not away and may_ask_for_hint(table, view):
        buttons.append(button(Press(Verb.HINT, table.id, table.moment, state.arguments()), words.say("Hint")))
    items += rows([*buttons, *_match_buttons(table, away, state, words)])
    return Layout(text, *items, *([note] if note and note not in text.splitlines() else []))


def _text(table: Table, view: View, away: Refusal | None, state: HandState, words: Words) -> str:
    """The lines above the cards."""
    is_daily, names = table.row.daily is not None, labels.names(table, words)
    lines = [
        labels.bold(_title(table, words)),
        *(daily_lines(table, words) if is_daily else []),
        *_last_hand_lines(table, view, names, words),
        *labels.news_lines(table, words),
        error_text(away, words) if away else situation_line(table, view, words, shows_table=is_daily),
        reminder_line(table, view, words) if view.hand else "",
        "" if is_daily or view.public.turn is None else counts_line(view, names, words),
        orders_line(table, view, words),
        selection_line(view, state, words) if view.hand and table.row.paused_at is None and not away else "",
    ]
    return "\n".join(filter(None, lines))


def _last_hand_lines(table: Table, view: View, names: Sequence[str], words: Words) -> list[str]:
    """The result of the previous hand. Without a channel, also everyone's points, and the exchange after it."""
    line, ended = last_hand_line(view, names, words), view.public.last_hand
    if ended is None:
        return []
    if not table.row.is_solo:
        total = words.say("Your total is {total}.", total=words.number(ended.totals[view.seat]))
        return [f"{line} {total}"] if line else []
    exchange = exchange_line(table, words) if line and not view.may_give_back else ""
    return [line, labels.small(labels.results_text(names, ended, words)), exchange]


def _end_message(table: Table, view: View, words: Words, highlight: Highlight | None) -> Layout:
    """The end of a match that no channel shows: the result of the last hand, and what the channel would show."""
    ended, end = view.public.last_hand, table_message(table, words, highlight=highlight)
    if ended is None:
        return end
    return Layout(hand_result_line(ended, view.seat, labels.names(table, words), words), *end.components)


def _result_message(table: Table, user_id: int, words: Words, note: str) -> Layout:
    """The result of a match that is over, and what can follow. Only owners of seats can ask for a rematch."""
    row = table.row
    result = ranking(table, words) if row.status is Status.OVER else labels.totals_lines(table, words)
    if row.daily is None:
        lines = [labels.closed_text(table, words), *result]
        buttons = []
        if row.has_owner(user_id):
            buttons.append(button(Press(Verb.REMATCH, row.id), words.say("Rematch"), discord.ButtonStyle.primary))
        if row.status is Status.OVER:
            buttons.append(button(Press(Verb.TOTALS, row.id), words.say("Totals per hand")))
    else:
        lines, buttons = daily_lines(table, words), [daily_leaderboard_button(row.daily, words)]
    return Layout("\n".join(filter(None, [labels.bold(_title(table, words)), note, *lines])), *rows(buttons))


def may_ask_for_hint(table: Table, view: View) -> bool:
    """True if the user must move, or say "Last card!", at a table that allows hints."""
    return table.row.allows_hints and table.row.paused_at is None and (view.is_my_turn or view.may_declare)


def may_take_back(table: Table, view: View) -> bool:
    """True if the user made the last move and the table allows them to take it back."""
    return view.may_take_back and table.row.allows_undo and not table.seats[view.seat].missed


def _title(table: Table, words: Words) -> str:
    if table.row.daily is None:
        return words.say("Table {number} · your hand", number=table.id)
    return words.say("Hand of the day, {day}", day=day_name(table.row.daily, words))


def orders_line(table: Table, view: View, words: Words) -> str:
    """The active standing order."""
    order = table.seats[view.seat].orders
    return words.say("⏭️ Auto-pass: {order}", order=order_name(order, words)) if order else ""


def _presses(table: Table, moment: int = 0) -> PressFactory:
    """Presses in a hand at a table. Those with a moment count for that turn only."""
    return lambda verb, arguments: Press(verb, table.id, moment, arguments)


def _move_buttons(table: Table, view: View, state: HandState, words: Words) -> list[Button]:
    """Buttons for a play or a pass, at most five. Each keeps its place during the turn."""
    press_of = _presses(table, table.moment)
    return [
        *move_buttons(view, state, words, press_of),
        *lowest_play_button(view, state, words, _presses(table)),
        *completion_button(view, state, words, press_of),
        *silent_play_button(view, state, words, press_of),
    ]


def _turn_buttons(table: Table, view: View, state: HandState, words: Words) -> list[Button]:
    """Buttons for what a player can do besides a move."""
    press_of, buttons = _presses(table, table.moment), []
    if may_take_back(table, view):
        buttons.append(button(press_of(Verb.UNDO, state.arguments()), words.say("Take back")))
    buttons += declare_button(view, state, words, press_of)
    if table.seats[view.seat].orders:
        cancel = Press(Verb.CANCEL_ORDERS, table.id, 0, state.arguments())
        buttons.append(button(cancel, words.say("Cancel auto-pass")))
    return buttons


def _view_buttons(table: Table, view: View, state: HandState, words: Words, rule: str) -> list[Button]:
    """Buttons that open the rules, or explain why the selected cards can't be played."""
    buttons = [rules_button(table.row.options, words)]
    if rule or view.hand:
        buttons.append(hand_why_button(state, rule, words, _presses(table)))
    return buttons


def _match_buttons(table: Table, away: Refusal | None, state: HandState, words: Words) -> list[Button]:
    """Buttons for other actions. They are repeated here because the table's message may be out of reach."""

    def press(verb: Verb) -> Press:
        return Press(verb, table.id, 0, state.arguments())

    if isinstance(away, HasSubstitute):
        return [button(press(Verb.HAND_COME_BACK), words.say("I'm back"), discord.ButtonStyle.success)]
    opening = open_table_buttons(table.id, words)
    if away or table.row.daily is not None:
        return opening
    opening.append(button(Press(Verb.MATCH_MENU, table.id), words.say("More")))
    if table.row.paused_at is None:
        return opening
    return [*opening, button(press(Verb.HAND_RESUME), words.say("Resume"), discord.ButtonStyle.success)]
