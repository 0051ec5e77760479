"""The short message that notifies players of their turn or invites users to a table."""

import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord

from bot.engine import Phase
from bot.presentation.table.match_menu import late_player_buttons, late_player_question, unless_answered
from bot.presentation.text import labels
from bot.presentation.text.cards import describe
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Call, button, link_button, open_table_buttons
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.model import ClockStage, Status, TurnClock
from bot.table.snapshot import Table

MAX_NAMED_GUESTS: Final = 20
"""The most users that an invitation names. More don't fit into a message."""
_OCCASIONS: Final = 16**6
"""The numbers by which the notices of a turn are told apart. A nonce has no room for more digits."""


@dataclass(frozen=True, slots=True)
class ChannelNotice:
    """A message about the present turn or an invitation."""

    nonce: str
    """Identifies the notice: by turn, stage of the clock, last nudge, deadline and place, or by invitation.

    A deleted notice never returns under the same nonce, because each stage occurs at most once: after the first
    answer, further ones only edit the notice.
    """
    view: Callable[[Collection[int]], Call] = field(repr=False)
    """Builds the message that mentions these users. A lock screen shows a mention of anyone else as a number."""
    user_ids: tuple[int, ...]
    """The users to mention, if their settings allow it."""
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
    stage = _stage(row.clock)
    user_ids: tuple[int, ...] = (user_id,)
    if stage is ClockStage.ASKED:
        user_ids = tuple(seat.player_id for seat in table.seats if seat.player_id is not None)
    elif stage is ClockStage.CALLED:
        user_ids = ()
    return ChannelNotice(
        _nonce(table, stage, row.clock),
        partial(_message, table, user_id, words),
        user_ids,
        is_personal=stage not in (ClockStage.ASKED, ClockStage.CALLED),
        is_turn_call=row.clock.stage is ClockStage.RUNNING and row.nudged_at is None,
        is_automatic=table.follows_orders,
        is_editable=stage is ClockStage.CALLED or row.clock.off > 0,
    )


def _message(table: Table, user_id: int, words: Words, mentioned: Collection[int]) -> Call:
    """The message about the turn of `user_id`."""
    name = _mention(user_id) if user_id in mentioned else labels.names_of(table, (user_id,), words)
    mentions = " ".join(_mention(each) for each in mentioned if each != user_id)  # the text names the player to act
    return Call("\n".join(filter(None, [_text(table, name, words), mentions])), *_buttons(table, words))


def _mention(user_id: int) -> str:
    return f"<@{user_id}>"


def _nonce(table: Table, stage: ClockStage, clock: TurnClock) -> str:
    """The nonce of a notice about the turn. A pause changes both times of the clock, holidays only the second.

    A call was made before the app was off, so the time that was added for that doesn't count.
    """
    began, due = clock.began - clock.off, None if clock.due is None else clock.due - clock.off
    occasion = f"{stage} began={began} due={due} nudged={table.row.nudged_at} thread={table.row.thread_id}"
    if clock.reminders and stage is not ClockStage.CALLED:
        occasion += f" reminders={clock.reminders}"
    return f"{table.id}.{table.moment}.{zlib.crc32(occasion.encode()) % _OCCASIONS:x}"


def _stage(clock: TurnClock) -> ClockStage:
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


def _invitation_message(table: Table, user_ids: tuple[int, ...], words: Words, _mentioned: Collection[int]) -> Call:
    """An invitation. The names of guests who aren't mentioned are unknown: they have no seat yet."""
    row, guests = table.row, words.list(list(map(_mention, user_ids)))
    facts = {"host": labels.names_of(table, (row.host_id,), words), "number": table.id, "names": guests}
    if row.starts_itself:
        text = words.say(
            "{names}: {host} would like a rematch. Table {number} starts when everyone has joined.", **facts
        )
    else:
        text = words.say("{host} invites {names} to table {number}.", **facts)
    return Call(text, button(Press(Verb.JOIN, table.id), words.say("Join"), discord.ButtonStyle.success))


def direct_message(table: Table, user_id: int, message_id: int | None, words: Words) -> Call:
    """The notice as a direct message to the player to act, with its buttons and a link to the table's message."""
    place = f"https://discord.com/channels/{table.row.guild_id}/{table.row.place_id}"
    link = place if message_id is None else f"{place}/{message_id}"
    return Call(
        _text(table, _mention(user_id), words), *_buttons(table, words), link_button(words.say("Go to the table"), link)
    )


def _buttons(table: Table, words: Words) -> list[Button]:
    styles, stage = discord.ButtonStyle, table.row.clock and table.row.clock.stage
    my_hand = button(Press(Verb.HAND, table.id), words.say("My hand"), styles.primary)
    if stage is ClockStage.ASKED:
        return [my_hand, *late_player_buttons(table, words)]
    if stage is ClockStage.CALLED:
        return [button(Press(Verb.SIT_IN, table.id, table.moment), words.say("Sit in"), styles.success), my_hand]
    public = table.public
    opening = [my_hand, *open_table_buttons(table.id, words)]
    if public is None or public.cycle.to_beat is None:
        return opening
    return [*opening, button(Press(Verb.PASS_ON_CALL, table.id, table.moment), words.say("Pass"))]


def _text(table: Table, name: str, words: Words) -> str:
    """The text about the turn of a player. A lock screen shows its markdown as it is."""
    clock = table.row.clock
    stage = ClockStage.RUNNING if clock is None else clock.stage
    due = None if clock is None or clock.due is None else labels.relative(clock.due)
    facts = {"name": name, "number": table.id}
    match stage:
        case ClockStage.ASKED:
            return "\n".join(filter(None, [late_player_question(table, name, words), unless_answered(table, words)]))
        case ClockStage.CALLED:
            return words.say("{name} needs a substitute at table {number}: anyone may sit in.", **facts)
        case ClockStage.REMINDED | ClockStage.WAITING if clock is not None and due is None:
            return words.say(
                "{name}, everyone at table {number} is waiting for you. Your turn began {when}.",
                when=labels.relative(clock.began),
                **facts,
            )
        case ClockStage.WAITING:
            return words.say("{name}, your time is up at table {number}: everyone is waiting for you.", **facts)
        case ClockStage.REMINDED if due is not None:
            return _reminder(table, name, due, words)
    call = _turn_call(table, name, words) if table.row.nudged_at is None else _nudge(table, name, words)
    end = "" if due is None else words.say("Time runs out {when}.", when=due)
    where = words.say("Table {number}", number=table.id)
    return f"{call}\n" + " · ".join(filter(None, [where, end]))


def _reminder(table: Table, name: str, due: str, words: Words) -> str:
    """The time is nearly up; after a nudge, below it."""
    if table.row.nudged_at is None:
        return words.say(
            "{name}, your time at table {number} is nearly up: it ends {when}.", name=name, number=table.id, when=due
        )
    return f"{_nudge(table, name, words)}\n" + words.say("Your time is nearly up: it ends {when}.", when=due)


def _nudge(table: Table, name: str, words: Words) -> str:
    return words.say("{name}, the others are waiting for you at table {number}.", name=name, number=table.id)


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
