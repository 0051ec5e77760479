"""Compute what an action should do to a table, with the moves of AI players that follow."""

from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate

from bot.engine.events import Event, Undone
from bot.table import consent, due_actions, standing_orders
from bot.table.model import TurnClock
from bot.table.play import Args, Change
from bot.table.snapshot import Table


def change_of(
    action: Callable[Concatenate[Table, Args], Change], *facts: Args.args, **named: Args.kwargs
) -> Callable[[Table], Change]:
    """An action with all arguments but the table."""
    return lambda table: action(table, *facts, **named)


def ai_to_move(table: Table) -> str | None:
    """The level of the AI player to act, or None."""
    if table.turn is None or table.row.paused_at is not None or not table.row.status.is_open:
        return None
    return table.seats[table.turn].ai_level


def apply_change(table: Table, change: Change) -> tuple[Table, tuple[Event, ...]]:
    """The table after a change, with what all players have agreed to, and the events."""
    change = consent.apply_consent(table, change, 0)
    after = replace(table, row=change.row).after(change.events)
    if (table.moment, table.person_to_act) != (after.moment, after.person_to_act):
        public = table.public(), after.public()
        seats = tuple(
            replace(seat, orders=standing_orders.remaining_order(seat.orders, *public)) for seat in after.seats
        )
        clock = None if after.person_to_act is None else _clock(table, change)
        after = replace(after, row=replace(after.row, seats=seats, clock=clock, nudged_at=None))
    return after, change.events


def _clock(table: Table, change: Change) -> TurnClock:
    """A new clock, or after an undo the clock of the resumed turn."""
    last = table.row.last_turn if any(isinstance(event, Undone) for event in change.events) else None
    return TurnClock(0) if last is None else last.clock


def outcome(table: Table, change: Change) -> tuple[Table, tuple[Event, ...]]:
    """The table after a change and the moves of AI players that follow, and all events."""
    table, events = apply_change(table, change)
    while ai_to_move(table) is not None:
        table, more = apply_change(table, due_actions.ai_moves(table))
        events += more
    return table, events


def comparable(table: Table) -> object:
    """The parts of a table that don't depend on time."""
    row = table.row
    seats = [replace(seat, bank=0, ordered_at=None) for seat in row.seats]
    stage = None if row.clock is None else row.clock.stage
    return row.status, seats, row.size, row.settings, row.pausing, row.ending, row.paused_at is None, stage, row.ended
