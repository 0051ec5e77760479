"""The private menu of a match: pause, end, standing orders, sorting, a late player, leaving and closing."""

from typing import Final

import discord

from bot.engine import Phase
from bot.engine.cards import PHOENIX_RANK
from bot.presentation.table.fair_deal import fair_deal_button, fingerprint_line, shortened
from bot.presentation.table.message import options_text
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import (
    Button,
    Layout,
    Row,
    button,
    menu,
    open_table_buttons,
    options_of,
    rows,
    sort_button,
)
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.table import play, standing_orders
from bot.table.consent import next_nudge
from bot.table.guild import is_own
from bot.table.model import ClockStage, Status, TimeoutPolicy
from bot.table.snapshot import Table
from bot.table.timing import decides_automatically_at
from bot.table.user import NotificationMode, UserSettings

NO_ORDER: Final = "none"
"""The value of no standing order in its menu."""
FROM_MENU: Final = Part.AGAIN
"""An argument of presses in this menu: it must be refreshed afterwards."""


def match_menu_message(
    table: Table, user_id: int, now: int, words: Words, note: str = "", *, may_manage: bool = False
) -> Layout:
    """The actions that the user can take in a match (`now`: UTC milliseconds). `may_manage`: they manage the guild."""
    number, is_late = table.seat_of(user_id), _may_answer(table, user_id)
    title = labels.bold(words.say("More for table {number}", number=table.id))
    if not table.row.status.is_open:
        return Layout(f"{title}\n{labels.closed_text(table, words)}")
    if not table.row.in_channel:
        return _solo_menu_message(table, user_id, title, words)
    lines = [title, note, options_text(table, words), *_lowered_line(table, words), *labels.consent_lines(table, words)]
    items = rows(_buttons(table, user_id, now, words))
    nudge, name = _next_nudge(table, user_id), "" if table.turn is None else labels.names(table, words)[table.turn]
    if nudge is not None and now < nudge:
        lines.append(words.say("You can nudge {name} {when}.", name=labels.bold(name), when=labels.relative(nudge)))
    if is_late:
        otherwise = unless_answered(table, words)
        lines += [late_player_question(table, labels.bold(name), words), otherwise and labels.small(otherwise)]
        items += rows(late_player_buttons(table, words, FROM_MENU))
    if number is not None and table.seats[number].player_id == user_id and table.row.paused_at is None:
        items.append(_orders(table, number, words))
    items += rows([*table_buttons(table, user_id, words, may_manage=may_manage), fair_deal_button(table.row, words)])
    return Layout("\n".join(filter(None, lines)), *items)


def _solo_menu_message(table: Table, user_id: int, title: str, words: Words) -> Layout:
    """The same for a match that only this user sees. Nobody else has to agree to anything."""
    row, number = table.row, table.seat_of(user_id)
    lines = [title, words.say("Only you see this match."), options_text(table, words), *_lowered_line(table, words)]
    show = button(Press(Verb.SHOW_TABLE, row.id), words.say("Show in the channel"))
    buttons = [
        *_past_buttons(table, words),
        sort_button(Verb.SORT, row.id, words),
        fair_deal_button(row, words),
        button(Press(Verb.CLOSE, row.id, 0, (Part.OPEN,)), words.say("End the match…")),
    ]
    orders = [] if number is None else [_orders(table, number, words)]
    return Layout("\n".join(lines), *rows([] if is_own(row.guild_id) else [show]), *rows(buttons), *orders)


def finished_menu_message(table: Table, user_id: int, words: Words) -> Layout:
    """More for a match that is over: its totals, deals and moves, and for the last place another rematch."""
    replay, last = ReplayState(table.id), str(table.hands_over)
    buttons = [
        button(Press(Verb.TOTALS, table.id), words.say("Totals per hand")),
        fair_deal_button(table.row, words),
    ]
    if not table.row.in_channel:  # the channel has the sheet below the last result
        buttons.insert(0, button(Press(Verb.SHEET, table.id, 0, (last,)), words.say("Score sheet")))
    elif play.came_last(table, user_id):
        again = Press(Verb.REMATCH, table.id, 0, (Part.NEW_OPTIONS,))
        buttons.insert(0, button(again, words.say("Rematch with new options")))
    if table.hands_over and not table.row.deals_secret:
        buttons.append(button(Press(Verb.REPLAY_HAND, table.id, 0, ("1",)), words.say("Move by move")))
        buttons.append(button(replay.press(Part.VERIFY), words.say("Check the deals")))
    buttons += open_table_buttons(table.id, words)
    title = labels.bold(words.say("More for table {number}", number=table.id))
    lines = [*_lowered_line(table, words), fingerprint_line(shortened(table.row.commitment), words)]
    return Layout(title, "\n".join(lines), *rows(buttons))


def _lowered_line(table: Table, words: Words) -> list[str]:
    """The number of moves that AI players made on a lower level, if any."""
    if not table.row.lowered_moves:
        return []
    text = words.count(
        "The app was busy, so a very hard AI player made {number} move at the hard level.",
        "The app was busy, so very hard AI players made {number} moves at the hard level.",
        table.row.lowered_moves,
    )
    return [labels.small(text)]


def nudge_note(table: Table, settings: UserSettings, words: Words) -> str:
    """The result of a nudge, for the user who gave it. `settings` are those of the player to act."""
    match table.row.clock and table.row.clock.stage:
        case ClockStage.ASKED:
            return words.say("The table was asked how to go on.")
        case ClockStage.CALLED:
            return words.say("A substitute has already been asked for, so nobody was called again.")
    if settings.notifications is NotificationMode.NEVER:
        return words.say("They have turned off turn messages, so they will see it when they look at the table.")
    return words.say("Reminder sent.")


def _may_answer(table: Table, user_id: int) -> bool:
    """True if the user may answer the question about a late player."""
    clock = table.row.clock
    is_late = clock is not None and clock.stage in (ClockStage.ASKED, ClockStage.CALLED, ClockStage.WAITING)
    plays = any(seat.player_id == user_id for seat in table.seats)
    return is_late and plays and table.row.paused_at is None and table.user_to_act != user_id


def _next_nudge(table: Table, user_id: int) -> int | None:
    """When the user can nudge the player to act (UTC milliseconds), or None."""
    row = table.row
    waits_for_another = table.user_to_act not in (None, user_id) and row.paused_at is None
    if row.clock is None or not waits_for_another or all(seat.player_id != user_id for seat in table.seats):
        return None
    return next_nudge(row, row.clock)


def _buttons(table: Table, user_id: int, now: int, words: Words) -> list[Button]:
    row, styles = table.row, discord.ButtonStyle
    pausing, ending = user_id in row.pausing, user_id in row.ending
    pause = words.say("Cancel my pause") if pausing else words.say("Ask for a pause")
    end = words.say("Keep playing") if ending else words.say("Ask to end the match")
    refresh = button(Press(Verb.MATCH_MENU, row.id, 0, (FROM_MENU,)), words.say("Refresh"))
    if all(seat.player_id != user_id for seat in table.seats):
        return [*_past_buttons(table, words), refresh]
    nudge = _next_nudge(table, user_id)
    return [
        button(Press(Verb.RESUME, row.id, 0, (FROM_MENU,)), words.say("Resume"), styles.success)
        if row.paused_at is not None
        else button(Press(Verb.PAUSE, row.id, 0, (Part.OFF if pausing else Part.ON,)), pause),
        button(Press(Verb.END, row.id, 0, (Part.OFF if ending else Part.ON,)), end),
        *([button(Press(Verb.NUDGE, row.id), words.say("Nudge"))] if nudge is not None and now >= nudge else []),
        *_past_buttons(table, words),
        sort_button(Verb.SORT, row.id, words),
        refresh,
    ]


def table_buttons(table: Table, user_id: int, words: Words, *, may_manage: bool) -> list[Button]:
    """Buttons that post the table again, leave it and close it."""
    row = table.row
    is_lobby = row.status is Status.LOBBY
    leave = words.say("Leave") if is_lobby else words.say("Leave the match…")
    buttons = [button(Press(Verb.SHOW_TABLE, row.id), words.say("Post the table again"))]
    plays = any(seat.player_id == user_id for seat in table.seats)
    if plays:
        buttons.append(button(Press(Verb.LEAVE_MATCH, row.id), leave))
    if may_manage or (row.host_id == user_id and (is_lobby or plays)):
        buttons.append(button(Press(Verb.CLOSE, row.id, 0, (Part.OPEN,)), words.say("Close the table…")))
    return buttons


def _past_buttons(table: Table, words: Words) -> list[Button]:
    """Buttons that show the totals and, unless they are secret, the hands of the match so far."""
    if not table.hands_over:
        return []
    buttons = [button(Press(Verb.TOTALS, table.id), words.say("Totals per hand"))]
    if not table.row.deals_secret:
        last = str(table.hands_over)
        buttons.append(button(Press(Verb.HANDS, table.id, 0, (last,)), words.say("All hands so far")))
    return buttons


def _orders(table: Table, number: int, words: Words) -> Row:
    now = table.seats[number].orders
    public = table.public
    in_cycle = public is not None and public.phase is Phase.PLAY and bool(public.cycle.plays)
    offered = [order for order in standing_orders.ORDERS if order != standing_orders.PASS or in_cycle or now == order]
    names = {order or NO_ORDER: order_name(order, words) for order in offered}
    cycle = () if public is None else (standing_orders.cycle_of(public),)
    press = Press(Verb.STANDING_ORDERS, table.id, 0, cycle)
    return menu(press, words.say("Auto-pass"), options_of(names, now or NO_ORDER))


def order_name(order: str, words: Words) -> str:
    """The name of a standing order."""
    rank = standing_orders.rank_of(order)
    if rank is None:
        return {
            standing_orders.NONE: words.say("Auto-pass off: ask me every time"),
            standing_orders.PASS: words.say("Pass for the rest of this cycle"),
        }[order]
    if rank == PHOENIX_RANK:
        return words.say("Pass on single cards above the Phoenixes")
    return words.say("Pass on single cards above {rank}", rank=rank)


def late_player_buttons(table: Table, words: Words, *arguments: str) -> list[Button]:
    """Buttons for what the table can do about a late player. Each press gets the `arguments`."""
    verbs = {
        Verb.WAIT: words.say("Wait"),
        Verb.LET_AI_PLAY: words.say("An AI sits in"),
        Verb.CALL_SUBSTITUTE: words.say("Call a substitute"),
    }
    return [button(Press(verb, table.id, table.moment, arguments), label) for verb, label in verbs.items()]


_TIMEOUT_TEXTS: Final = {
    TimeoutPolicy.ASK_WAIT: translatable("If nobody answers, {when}: the table keeps waiting."),
    TimeoutPolicy.ASK_MOVE: translatable("If nobody answers, {when}: the safest move is made."),
    TimeoutPolicy.ASK_AI: translatable("If nobody answers, {when}: an AI sits in."),
}
"""The effect of each policy if nobody answers."""


def late_player_question(table: Table, name: str, words: Words) -> str:
    """The question about a late player."""
    facts = {"name": name, "number": table.id}
    clock = table.row.clock
    if clock is not None and clock.due is None:
        began = labels.relative(clock.began)
        return words.say("{name}'s turn at table {number} began {when}. What should happen now?", when=began, **facts)
    return words.say("{name}'s time at table {number} is up. What should happen now?", **facts)


def unless_answered(table: Table, words: Words) -> str:
    """The sentence about a late player's turn if nobody answers the question; empty if nothing happens."""
    moment, on_timeout = decides_automatically_at(table.row), table.row.settings.on_timeout
    if moment is None or on_timeout not in _TIMEOUT_TEXTS:
        return ""
    return words.say(_TIMEOUT_TEXTS[on_timeout], when=labels.relative(moment))
