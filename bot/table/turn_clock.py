"""Update the turn's clock, the time banks and the standing orders after a change at a table."""

from dataclasses import replace
from typing import TypeAlias

from bot.engine.events import Event, Undone
from bot.table import standing_orders
from bot.table.model import ClockStage, LastTurn, Seat, TableRow, TurnClock
from bot.table.snapshot import Table
from bot.table.timing import charge_bank, remind_clock, resume_clock, shift_clock, start_clock
from bot.table.user import UserSettings

Seats: TypeAlias = tuple[Seat, ...]


def after_downtime(row: TableRow, lost: int, now: int, settings: UserSettings) -> TableRow:
    """The table's row after the app was off for `lost` milliseconds before `now`, which count like a pause."""
    paused_at = None if row.paused_at is None else row.paused_at + lost
    if row.clock is None:
        return replace(row, paused_at=paused_at)
    clock = replace(row.clock, paused=row.clock.paused + lost, off=row.clock.off + lost, off_until=now)
    return replace(row, clock=resume_clock(clock, row.pace, lost, settings), paused_at=paused_at)


def updated_clock(
    before: Table, after: Table, events: tuple[Event, ...], now: int, settings: UserSettings, off: int = 0
) -> TableRow:
    """The table's row after a change, with the clock of its turn (`now`: UTC milliseconds).

    `off`: milliseconds of the turn before the change in which the app was off and that its clock doesn't know of.
    `settings` are those of the user to act after the change. While a match is paused, no time passes.
    """
    row = after.row
    now = now if row.paused_at is None else row.paused_at
    if (before.moment, before.user_to_act) == (after.moment, after.user_to_act):
        return row if row.clock is None else replace(row, clock=_same_turn(row.clock, before.row, row, now, settings))
    seats = row.seats
    if any(seat.orders != standing_orders.NONE for seat in seats):
        public = before.public, after.public
        seats = tuple(replace(seat, orders=standing_orders.remaining_order(seat.orders, *public)) for seat in seats)
    if (last := row.last_turn) is not None and any(isinstance(event, Undone) for event in events):
        return _restore_turn(replace(row, seats=seats, clock=None, nudged_at=None), last, after, now, settings)
    seats, last = _end_turn(seats, before, after, now, off)
    clock = _start_turn(seats, after, now, settings)
    return replace(row, seats=seats, clock=clock, last_turn=last, nudged_at=None)


def _same_turn(clock: TurnClock, before: TableRow, after: TableRow, now: int, settings: UserSettings) -> TurnClock:
    """The clock of the same turn, which may have reached another stage, or continues after a pause."""
    if before.paused_at is not None and after.paused_at is None:
        by = now - before.paused_at
        return resume_clock(replace(clock, paused=clock.paused + by, off_until=now), after.pace, by, settings)
    if before.clock is None or before.clock.stage is clock.stage:
        return clock
    is_answer = clock.stage in (ClockStage.WAITING, ClockStage.CALLED)
    clock = replace(clock, since=now, answers=clock.answers + 1 if is_answer else 0)
    return remind_clock(clock, after.pace, now, settings) if clock.stage is ClockStage.REMINDED else clock


def _end_turn(seats: Seats, before: Table, after: Table, now: int, off: int) -> tuple[Seats, LastTurn | None]:
    """Charge the time of the previous turn to its bank. Also returns its clock, in case the move is taken back."""
    clock, number = before.row.clock, before.turn
    last = after.row.last_turn if before.moment == after.moment else None  # only the player has changed
    if clock is None or number is None:
        return seats, last
    seat = seats[number]
    if before.moment != after.moment:
        last = LastTurn(shift_clock(clock, -now), seat.bank)
    charged = charge_bank(seat, clock, after.row.pace, now - off)
    return (*seats[:number], charged, *seats[number + 1 :]), last


def _start_turn(seats: Seats, table: Table, now: int, settings: UserSettings) -> TurnClock | None:
    """The clock of a turn that begins. AI players need none."""
    if table.turn is None or table.user_to_act is None:
        return None
    return start_clock(table.row.pace, seats[table.turn].bank, now, settings)


def _restore_turn(row: TableRow, last: LastTurn, table: Table, now: int, settings: UserSettings) -> TableRow:
    """Restore the turn whose move was taken back, with the time that it had left."""
    if table.turn is None or table.user_to_act is None:
        return row
    row = row.with_seat(table.turn, replace(row.seats[table.turn], bank=last.bank))
    clock = replace(last.clock, paused=0, off=0, off_until=None)  # in the log, the turn's time starts again
    return replace(row, clock=resume_clock(clock, row.pace, now, settings), last_turn=None)
