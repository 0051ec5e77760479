"""Late turns and absent owners. Each function takes a table and returns the change.

The table is asked first. It acts automatically only if its settings say so or nobody answers.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import chain, count
from typing import Final, TypeAlias

from bot.engine import view
from bot.engine.events import Substituted
from bot.players import simple
from bot.table import lobby, play
from bot.table.lobby import Person
from bot.table.model import ClockStage, Seat, TimeoutPolicy
from bot.table.play import Change
from bot.table.quiet_hours import first_free_moment
from bot.table.refusals import AlreadySeated, HasConceded, NoLatePlayer, NotSeated, OutdatedAction, PlaysOwnSeat
from bot.table.snapshot import GENTLE, Table
from bot.table.timing import ASKS_AT_REMINDER, start_clock
from bot.table.user import UserSettings

Outcome: TypeAlias = Callable[[Table], Change]
"""A way to deal with a late player."""


def remind(table: Table) -> Change:
    """Mark that the player has been reminded of the end of their turn, or once more of a turn without an end."""
    clock = table.row.clock
    if clock is None or clock.due is not None:
        return _at_stage(table, ClockStage.REMINDED)
    reminders = clock.reminders + 1
    if clock.is_up:  # the table was asked before, perhaps because of a nudge
        stage = ClockStage.WAITING
    elif reminders >= ASKS_AT_REMINDER and _has_others(table):
        stage = ClockStage.ASKED
    else:
        stage = ClockStage.REMINDED
    return Change(replace(table.row, clock=replace(clock, stage=stage, reminders=reminders)))


def observe_quiet_hours(table: Table, user_id: int, settings: UserSettings) -> Change:
    """Move the end of a user's turn out of the quiet hours and holidays that they have just set.

    This never makes the turn shorter.
    """
    row, clock = table.row, table.row.clock
    if clock is None or clock.due is None or table.turn is None or table.user_to_act != user_id:
        raise OutdatedAction
    new = start_clock(row.pace, table.seats[table.turn].bank, clock.began, settings)
    if clock.is_up or new.due is None or new.due <= clock.due:
        raise OutdatedAction
    moved = replace(clock, due=new.due, remind=new.remind, stage=ClockStage.RUNNING)
    return Change(replace(row, clock=moved))


def handle_timeout(table: Table) -> Change:
    """End the player's time: ask the table, or apply the table's policy immediately."""
    if not table.row.settings.on_timeout.asks:
        return apply_policy(table)
    return _at_stage(table, ClockStage.ASKED if _has_others(table) else ClockStage.WAITING)


def apply_policy(table: Table) -> Change:
    """Apply the table's policy, or wait if no player would be left to go on for.

    A player counts only if they made the last move of their seat. If an AI player takes the late seat, that player
    doesn't count.
    """
    outcome = _POLICY_OUTCOMES[table.row.settings.on_timeout]
    present = {number for number, seat in enumerate(table.seats) if seat.player_id is not None and not seat.missed}
    if outcome is let_ai_play:
        present -= {table.turn}
    return outcome(table) if present else wait(table)


def answer(table: Table, user_id: int, moment: int, outcome: Outcome) -> Change:
    """Carry out another player's answer about the late turn that began at `moment`."""
    play.require_moment(table, moment)
    _require_late(table)
    seat = play.active_seat(table, user_id)
    if seat == table.turn:
        raise OutdatedAction
    return outcome(table)


def wait(table: Table) -> Change:
    """Wait for the late player."""
    return _at_stage(table, ClockStage.WAITING)


def call_substitute(table: Table) -> Change:
    """Call for a substitute for the late player."""
    return _at_stage(table, ClockStage.CALLED)


def let_ai_play(table: Table) -> Change:
    """Let an AI player substitute for the late player until the owner comes back."""
    level = table.row.settings.ai_level
    return _with_player(table, _late_seat(table), ai_level=level, substitute_id=None, substitute_name=None)


def sit_in(table: Table, person: Person, moment: int, names: Collection[str] = ()) -> Change:
    """Let a user from outside the table substitute in the late turn that began at `moment`.

    They play until the owner comes back. `names` are those of other users who have substituted at the table. Raises
    the same refusals as joining the table.
    """
    play.require_moment(table, moment)
    _require_late(table)
    if table.row.clock is None or table.row.clock.stage is not ClockStage.CALLED:
        raise NoLatePlayer
    if table.seat_of(person.user_id) is not None:
        raise AlreadySeated
    lobby.require_may_join(table.row, person.user_id)
    seat = _late_seat(table)
    name = _distinct_name(person.name, {table.seats[seat].name, *names})
    return _with_player(table, seat, ai_level=None, substitute_id=person.user_id, substitute_name=name)


def _distinct_name(name: str, taken: Collection[str]) -> str:
    """A substitute's name, numbered if it's taken, so that the log distinguishes all players of a seat.

    It has at most 32 characters, like display names.
    """
    numbered = (f"{name[:28]} ({number})" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def come_back(table: Table, user_id: int) -> Change:
    """Give the owner their seat back."""
    play.require_playing(table)
    number = table.row.seat_owned_by(user_id)
    if number is None:
        raise NotSeated
    seat = table.seats[number]
    if seat.conceded:
        raise HasConceded
    if not seat.is_absent:
        raise PlaysOwnSeat
    return _with_player(table, number, ai_level=None, substitute_id=None, substitute_name=None)


def move_gently(table: Table) -> Change:
    """Pass for the late player, or else play the lowest cards."""
    if table.state is None:
        raise OutdatedAction
    return play.move(table, simple.choose_gently(view(table.state, _late_seat(table))), by=GENTLE)


def close_deserted(table: Table, settings: UserSettings, now: int) -> Change:
    """Close a table whose player to act hasn't come for a long time (`now`: UTC milliseconds).

    In their holidays the table stays open, and the wait begins again when they end.
    """
    free, row = first_free_moment(now, replace(settings, quiet=None)), table.row
    if row.clock is None or row.paused_at is not None or free == now:
        return play.abandon(table, "deserted")
    return Change(replace(row, clock=replace(row.clock, since=free)))


_POLICY_OUTCOMES: Final[dict[TimeoutPolicy, Outcome]] = {
    TimeoutPolicy.ASK_WAIT: wait,
    TimeoutPolicy.ASK_MOVE: move_gently,
    TimeoutPolicy.ASK_AI: let_ai_play,
    TimeoutPolicy.MOVE: move_gently,
    TimeoutPolicy.AI: let_ai_play,
}


def _require_late(table: Table) -> None:
    play.require_going_on(table)
    if table.row.clock is None or not table.row.clock.is_up:
        raise NoLatePlayer


def _has_others(table: Table) -> bool:
    """True if another person plays, who can answer what to do about a late player."""
    return any(seat.player_id is not None for number, seat in enumerate(table.seats) if number != table.turn)


def _late_seat(table: Table) -> int:
    if table.turn is None:
        raise OutdatedAction
    return table.turn


def _at_stage(table: Table, stage: ClockStage) -> Change:
    if table.row.clock is None:
        raise OutdatedAction
    return Change(replace(table.row, clock=replace(table.row.clock, stage=stage)))


def _with_player(table: Table, number: int, **player: object) -> Change:
    """Change the player of a seat. The log records it immediately, because the new player may never move."""
    seat: Seat = replace(table.seats[number], orders="", missed=False, **player)  # type: ignore[arg-type]  # the fields of a seat
    row = play.with_host_at_table(table.row.with_seat(number, seat))
    return Change(row, (Substituted(number, play.player_of(seat)),))
