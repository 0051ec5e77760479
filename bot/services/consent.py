"""What players of a running match may do together or to each other, each as a function of the table."""

from dataclasses import replace

from bot.engine import TakeBack
from bot.services import actions
from bot.services.actions import Change
from bot.services.orders import NONE, ORDERS
from bot.services.refusals import (
    MomentHasPassed,
    NothingToNudge,
    NotPaused,
    NudgedOfLate,
    UndoNotAllowed,
)
from bot.services.table import Table
from bot.services.timing import DAY, nudge_term, shifted
from bot.storage.rows import Pace, Stage, TableRow


def agree_to_pause(table: Table, user_id: int, now: int) -> Change:
    """Wish for a pause, or take the wish back; with everybody's wish the match is paused."""
    _require_going_on(table, user_id)
    pausing = _toggled(table.row.pausing, user_id)
    if _is_everybody(table, pausing):
        return Change(replace(table.row, pausing=(), paused_at=now))
    return Change(replace(table.row, pausing=pausing))


def resume(table: Table, user_id: int, now: int) -> Change:
    """Go on after a pause; anybody who plays may say so."""
    actions.require_playing(table)
    actions.active_seat(table, user_id)
    if table.row.paused_at is None:
        raise NotPaused
    clock = shifted(table.row.clock, now - table.row.paused_at)
    return Change(replace(table.row, paused_at=None, clock=clock))


def agree_to_end(table: Table, user_id: int) -> Change:
    """Wish to end the match, or take the wish back; with everybody's wish it is abandoned."""
    actions.require_playing(table)
    actions.active_seat(table, user_id)
    ending = _toggled(table.row.ending, user_id)
    if _is_everybody(table, ending):
        return actions.abandon(table, "agreed")
    return Change(replace(table.row, ending=ending))


def nudge(table: Table, user_id: int, now: int) -> Change:
    """Ask whoever is to act to do so, now and then at most.

    Where turns have no end, a nudge after a day asks the table what to do.
    """
    _require_going_on(table, user_id)
    row = table.row
    if row.clock is None or table.turn is None or table.seats[table.turn].person == user_id:
        raise NothingToNudge
    may_again = (row.nudged_at or row.clock.began) + nudge_term(row.pace)
    if now < may_again:
        raise NudgedOfLate(may_again)
    asks = row.pace is Pace.NONE and now - row.clock.began >= DAY
    clock = replace(row.clock, stage=Stage.ASKED) if asks else row.clock
    return Change(replace(row, nudged_at=now, clock=clock))


def undo(table: Table, user_id: int, moment: int) -> Change:
    """Take the own play or pass back, if the table allows it and nobody has acted since."""
    _require_going_on(table, user_id)
    if not table.row.customs.undo:
        raise UndoNotAllowed
    seat = actions.active_seat(table, user_id)
    actions.require_moment(table, moment)
    return actions.move(table, TakeBack(seat))


def give_orders(table: Table, user_id: int, order: str) -> Change:
    """Have something done without being asked; `NONE` calls it off."""
    _require_going_on(table, user_id)
    if order not in ORDERS:
        raise MomentHasPassed
    return _with_orders(table, actions.active_seat(table, user_id), order)


def carry_out(table: Table) -> Change:
    """Pass, as the standing order of whoever is to act says; where the rules forbid it, call the order off."""
    if table.turn is None or table.state is None:
        raise MomentHasPassed
    return actions.passed(table, table.turn) or _with_orders(table, table.turn, NONE)


def _require_going_on(table: Table, user_id: int) -> None:
    actions.require_going_on(table)
    actions.active_seat(table, user_id)


def _toggled(people: tuple[int, ...], user_id: int) -> tuple[int, ...]:
    if user_id in people:
        return tuple(person for person in people if person != user_id)
    return (*people, user_id)


def _is_everybody(table: Table, people: tuple[int, ...]) -> bool:
    return {seat.person for seat in table.seats} - {None} <= set(people)


def _with_orders(table: Table, number: int, order: str) -> Change:
    row: TableRow = table.row
    seat = replace(row.seats[number], orders=order)
    return Change(replace(row, seats=(*row.seats[:number], seat, *row.seats[number + 1 :])))
