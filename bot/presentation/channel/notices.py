"""The short message that notifies players of their turn or invites users to a table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord

from bot.engine import Phase
from bot.presentation.table.match_menu import late_player_buttons, late_player_question
from bot.presentation.text import labels
from bot.presentation.text.cards import describe
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Call, button, link_button
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table import standing_orders
from bot.table.model import ClockStage, Status, TurnClock
from bot.table.snapshot import Table

MAX_NAMED_GUESTS: Final = 20
"""The most users that an invitation names. More don't fit into a message."""


@dataclass(frozen=True, slots=True)
class ChannelNotice:
    """A message about the present turn or an invitation."""

    nonce: str
    """Identifies the notice: by turn, stage of the clock, last nudge, deadline and place, or by invitation.

    A deleted notice never returns under the same nonce, because each stage occurs at most once: after the first
    answer, further ones only edit the notice.
    """
    view: Callable[[], Call] = field(repr=False)
    """Builds the message. Few notices need it: most players are active, or have been called already."""
    user_ids: tuple[int, ...]
    """The users to mention."""
    is_personal: bool
    """Only for the player to act; honors their notification setting."""
    is_turn_call: bool
    """Says for the first time that it's the player's turn. An active player sees that anyway."""
    is_automatic: bool
    """Nobody needs to come, because a standing order is about to act."""
    is_editable: bool = False
    """It may change without another call: the posted notice with the same nonce is edited."""


def current_notice(table: Table, words: Words) -> ChannelNotice | None:
    """The notice that the channel should show now, or None."""
    if table.row.status is Status.LOBBY:
        return _invitation(table, words)
    row, user_id = table.row, table.user_to_act
    if user_id is None or row.clock is None or row.paused_at is not None:
        return None
    kind = _kind(row.clock)
    changes = row.clock.began, row.clock.due, row.nudged_at, row.thread_id  # a pause changes two, holidays one
    moved = row.clock.off if row.clock.due is None else 2 * row.clock.off  # the call was made before the app was off
    number = (sum(change or 0 for change in changes) - moved) % 0xFFFFD  # a prime number: all digits of the sum count
    nonce = f"{table.id}.{table.moment}.{list(ClockStage).index(kind)}{number:x}"
    user_ids: tuple[int, ...] = (user_id,)
    if kind is ClockStage.ASKED:
        user_ids = tuple(seat.player_id for seat in table.seats if seat.player_id is not None)
    elif kind is ClockStage.CALLED:
        user_ids = ()
    return ChannelNotice(
        nonce,
        partial(_message, table, user_id, user_ids, words),
        user_ids,
        is_personal=kind not in (ClockStage.ASKED, ClockStage.CALLED),
        is_turn_call=row.clock.stage is ClockStage.RUNNING and row.nudged_at is None,
        is_automatic=_standing_order_applies(table),
        is_editable=kind is ClockStage.CALLED or row.clock.off > 0,
    )


def _message(table: Table, user_id: int, user_ids: tuple[int, ...], words: Words) -> Call:
    """The message about the turn of `user_id` that mentions `user_ids`."""
    mentions = " ".join(f"<@{each}>" for each in user_ids if each != user_id)  # the text names the player to act
    return Call("\n".join(filter(None, [_text(table, user_id, words), mentions])), *_buttons(table, words))


def _kind(clock: TurnClock) -> ClockStage:
    """The stage that the notice is for.

    If the table waits again after it called a substitute, the notice of that call is edited. The late player was
    notified after the question, and isn't mentioned again each time another player changes their answer.
    """
    return ClockStage.CALLED if clock.stage is ClockStage.WAITING and clock.answers > 1 else clock.stage


def _invitation(table: Table, words: Words) -> ChannelNotice | None:
    """Invite users who haven't joined the table or rematch yet: the latest ones if there are many.

    The notice doesn't change when some of them join, so nobody is mentioned twice.
    """
    user_ids = table.row.awaited[-MAX_NAMED_GUESTS:]
    if not user_ids:
        return None
    nonce = f"{table.id}.asked{table.row.invitations}"
    message = partial(_invitation_message, table, user_ids, words)
    return ChannelNotice(nonce, message, user_ids, is_personal=False, is_turn_call=False, is_automatic=False)


def _invitation_message(table: Table, user_ids: tuple[int, ...], words: Words) -> Call:
    row = table.row
    facts = {"host": f"<@{row.host_id}>", "number": table.id, "names": words.list([f"<@{one}>" for one in user_ids])}
    if row.starts_itself:
        text = words.say(
            "{names}: {host} would like a rematch. Table {number} starts when everyone has joined.", **facts
        )
    else:
        text = words.say("{host} invites {names} to table {number}.", **facts)
    return Call(text, button(Press(Verb.JOIN, table.id), words.say("Join"), discord.ButtonStyle.success))


def direct_message(table: Table, user_id: int, message_id: int | None, words: Words) -> Call:
    """The notice as a direct message to the player to act, with a link to the table's message."""
    place = f"https://discord.com/channels/{table.row.guild_id}/{table.row.place_id}"
    link = place if message_id is None else f"{place}/{message_id}"
    return Call(_text(table, user_id, words), link_button(words.say("Go to the table"), link))


def _standing_order_applies(table: Table) -> bool:
    """True if a standing order is about to act."""
    public = table.public
    if public is None or table.turn is None:
        return False
    return standing_orders.applies(table.seats[table.turn].orders, public)


def _buttons(table: Table, words: Words) -> list[Button]:
    styles, stage = discord.ButtonStyle, table.row.clock and table.row.clock.stage
    my_hand = button(Press(Verb.HAND, table.id), words.say("My hand"), styles.primary)
    if stage is ClockStage.ASKED:
        return [my_hand, *late_player_buttons(table, words)]
    if stage is ClockStage.CALLED:
        return [button(Press(Verb.SIT_IN, table.id, table.moment), words.say("Sit in"), styles.success), my_hand]
    public = table.public
    if public is None or public.cycle.to_beat is None:
        return [my_hand]
    return [my_hand, button(Press(Verb.PASS_ON_CALL, table.id, table.moment), words.say("Pass"))]


def _text(table: Table, user_id: int, words: Words) -> str:
    row, clock = table.row, table.row.clock
    facts: dict[str, object] = {"name": f"<@{user_id}>", "number": table.id}
    stage = clock.stage if clock else ClockStage.RUNNING
    due = labels.relative(clock.due) if clock and clock.due is not None else None
    if stage is ClockStage.ASKED:
        return late_player_question(table, f"<@{user_id}>", words)
    if stage is ClockStage.CALLED:
        return words.say("{name} needs a substitute at table {number}: anyone may sit in.", **facts)
    if stage is ClockStage.WAITING:
        return words.say("{name}, your time is up at table {number}: everyone is waiting for you.", **facts)
    if stage is ClockStage.REMINDED and row.nudged_at is None and due is not None:
        return words.say("{name}, your time at table {number} is nearly up: it ends {when}.", when=due, **facts)
    if row.nudged_at is not None:
        text = words.say("{name}, the others ask you to go on at table {number}.", **facts)
    else:
        text = _turn_call(table, f"<@{user_id}>", words)
    if stage is ClockStage.REMINDED and due is not None:
        return f"{text}\n" + words.say("Your time is nearly up: it ends {when}.", when=due)
    where = words.say("Table {number}", number=table.id)
    end = "" if due is None else words.say("Time runs out {when}.", when=due)
    return f"{text}\n" + labels.small(" · ".join(filter(None, [where, end])))


def _turn_call(table: Table, name: str, words: Words) -> str:
    """`Jade: Gang of Four: 10s. Your turn, Ana`."""
    public = table.public
    if public is not None and public.phase is Phase.EXCHANGE:
        return words.say("{name}, it's your turn to give a card back.", name=name)
    if public is None or not public.cycle.plays:
        return words.say("{name}, you lead.", name=name)
    seat, combination = public.cycle.plays[-1]
    facts = {"player": labels.names(table, words)[seat], "what": describe(combination, words)}
    return words.say("{player}: {what}. Your turn, {name}!", name=name, **facts)
