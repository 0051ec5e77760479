"""Deadlines, turn clocks and time banks, computed from a table's stored values."""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from bot.engine.events import Event, Undone
from bot.table import standing_orders
from bot.table.ai_pause import ai_pause
from bot.table.model import ClockStage, Deadline, DeadlineKind, LastTurn, Pace, Seat, Status, TableRow, TurnClock
from bot.table.quiet_hours import first_free_moment
from bot.table.snapshot import Table
from bot.table.user import UserSettings

SECOND: Final = 1000
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR

LAST_CARD_DELAY: Final = 4
"""The factor by which AI players wait longer while a player can still declare their last card."""
LOBBY_TIMEOUT: Final = 3 * DAY
"""The time that a lobby stays open without a press."""
MATCH_TIMEOUT: Final = 30 * DAY
"""The time that a match stays open without a move, at any pace."""

LEAST_BEFORE_CLOSING: Final = DAY // 2
"""The time that a lobby or match stays open at least after the app was off."""
LONG_DOWNTIME: Final = HOUR
"""A shorter downtime doesn't move the end of a table that passes after it: updates would keep lobbies open for ever."""


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time in which the app didn't serve a guild (UTC milliseconds)."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class PaceTimes:
    """The times for a pace, in milliseconds."""

    turn: int
    """The time for a turn, and the largest time bank."""
    refill: int
    """The time that a turn adds to the time bank."""
    reminder: int
    """The time between the reminder and the end of the turn."""
    answer: int
    """The time for the table to answer what to do about a late player."""
    nudge: int
    """The time between two nudges."""


PACE_TIMES: Final = {
    Pace.LIVE: PaceTimes(120 * SECOND, 10 * SECOND, 30 * SECOND, 60 * SECOND, 60 * SECOND),
    Pace.QUICK: PaceTimes(HOUR, HOUR // 12, HOUR // 4, HOUR // 4, HOUR // 4),
    Pace.DAY: PaceTimes(DAY, 2 * HOUR, 4 * HOUR, 3 * HOUR, 3 * HOUR),
    Pace.SLOW: PaceTimes(3 * DAY, 6 * HOUR, 12 * HOUR, 12 * HOUR, 6 * HOUR),
}
NUDGE_WITHOUT_PACE: Final = HOUR
REMIND_AFTER: Final = DAY
REMIND_EVERY: Final = 2 * DAY
"""When the player to act is reminded at a table without a time limit: first, and then again."""
MAX_REMINDERS: Final = 5
ASKS_AT_REMINDER: Final = 3
"""The reminder at which such a table is asked how to go on."""
Seats: TypeAlias = tuple[Seat, ...]


def nudge_interval(pace: Pace) -> int:
    """The time between two nudges, in milliseconds."""
    return PACE_TIMES[pace].nudge if pace in PACE_TIMES else NUDGE_WITHOUT_PACE


def full_bank(pace: Pace) -> int:
    """The time bank at the start of a match, in milliseconds."""
    return PACE_TIMES[pace].turn if pace in PACE_TIMES else 0


def heeds_quiet_hours(pace: Pace) -> bool:
    """True if no turn ends in the quiet hours and holidays of its player.

    Live matches ignore them, because their players are there.
    """
    return pace in PACE_TIMES and pace is not Pace.LIVE


def start_clock(pace: Pace, bank: int, now: int, settings: UserSettings) -> TurnClock:
    """The clock of a player's turn that begins at `now`."""
    terms = PACE_TIMES.get(pace)
    return TurnClock(now) if terms is None else _with_end(TurnClock(now), now + terms.turn + bank, pace, settings)


def _with_end(clock: TurnClock, due: int, pace: Pace, settings: UserSettings) -> TurnClock:
    """The clock with this end, moved out of quiet hours and holidays if the pace heeds them.

    A moved turn ends one reminder interval after them. The reminder is moved as well.
    """
    if not heeds_quiet_hours(pace):
        return replace(clock, due=due)
    reminder = PACE_TIMES[pace].reminder
    free = first_free_moment(due, settings)
    if free != due:
        due = first_free_moment(free + reminder, settings)
    remind = min(due, first_free_moment(due - reminder, settings))
    return replace(clock, due=due, remind=None if remind == due - reminder else remind)


def _remind_clock(clock: TurnClock, pace: Pace, now: int, settings: UserSettings) -> TurnClock:
    """The clock after a reminder at `now`. A late reminder moves the end by as much."""
    if clock.due is None:
        return clock
    return _with_end(clock, clock.due + max(0, now - _reminder(clock, PACE_TIMES[pace])), pace, settings)


def _resume_clock(clock: TurnClock, pace: Pace, by: int, settings: UserSettings) -> TurnClock:
    """The clock after a stop of `by` milliseconds.

    If its end has to move out of quiet hours or holidays, the player is reminded again.
    """
    clock = _shift_clock(clock, by)
    if clock.due is None or clock.is_up:
        return clock
    new = _with_end(clock, clock.due, pace, settings)
    return new if new.due == clock.due else replace(new, stage=ClockStage.RUNNING)


def time_lost(deadline: Deadline, pace: Pace, last: Downtime | None, off: int) -> int:
    """By how much a deadline moves, in milliseconds, because the app was off.

    A deadline that passed during the downtime moves by its length, and further if less than the time between a reminder
    and the end of a turn would be left after the start. A later deadline moves only as far as is needed to leave that
    time, and at most by `off`, the part of the turn that was lost. The end of an open table, which may have no turn,
    moves at most by the length of a long downtime.
    """
    if last is None or deadline.kind in (DeadlineKind.AI, DeadlineKind.ORDERS):
        return 0
    least = {DeadlineKind.REMIND: 0, DeadlineKind.CLOSE: LEAST_BEFORE_CLOSING}.get(deadline.kind)
    if least is None:
        least = PACE_TIMES[pace].reminder if pace in PACE_TIMES else 0
    missing, length = last.until + least - deadline.due_at, last.until - last.since
    if deadline.due_at <= last.until:
        return max(length, missing)
    if deadline.kind is DeadlineKind.CLOSE and length >= LONG_DOWNTIME:
        off = length
    return max(0, min(off, missing))


def charge_bank(seat: Seat, clock: TurnClock, pace: Pace, now: int) -> Seat:
    """The seat after its turn: time beyond the pace is taken from its bank, and the bank refills a little.

    Time by which quiet hours and holidays moved the deadline is free.
    """
    terms = PACE_TIMES.get(pace)
    if terms is None or clock.due is None:
        return seat
    moved_by = clock.due - (clock.began + terms.turn + seat.bank)
    used = now - clock.began - terms.turn - moved_by
    left = seat.bank - max(0, min(seat.bank, used))
    return replace(seat, bank=min(terms.turn, left + terms.refill))


def _shift_clock(clock: TurnClock, by: int) -> TurnClock:
    """The clock with all times moved by `by` milliseconds."""
    due, remind, since = (None if at is None else at + by for at in (clock.due, clock.remind, clock.since))
    return replace(clock, began=clock.began + by, due=due, remind=remind, since=since)


def after_downtime(row: TableRow, lost: int, now: int, settings: UserSettings) -> TableRow:
    """The table's row after the app was off for `lost` milliseconds before `now`, which count like a pause."""
    paused_at = None if row.paused_at is None else row.paused_at + lost
    if row.clock is None:
        return replace(row, paused_at=paused_at)
    clock = replace(row.clock, paused=row.clock.paused + lost, off=row.clock.off + lost, off_until=now)
    return replace(row, clock=_resume_clock(clock, row.pace, lost, settings), paused_at=paused_at)


def updated_clock(
    before: Table, after: Table, events: tuple[Event, ...], now: int, settings: UserSettings, off: int
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
        return _resume_clock(replace(clock, paused=clock.paused + by, off_until=now), after.pace, by, settings)
    if before.clock is None:
        return clock
    if is_another_reminder(before.clock, clock):
        return _clock_after_reminder(before.clock, clock, now, settings)
    if before.clock.stage is clock.stage:
        return clock
    is_answer = clock.stage in (ClockStage.WAITING, ClockStage.CALLED)
    clock = replace(clock, since=now, answers=clock.answers + 1 if is_answer else 0)
    return _remind_clock(clock, after.pace, now, settings) if clock.stage is ClockStage.REMINDED else clock


def is_another_reminder(before: TurnClock | None, after: TurnClock | None) -> bool:
    """True if a player is reminded at a table without a time limit."""
    return before is not None and after is not None and after.reminders > before.reminders


def _clock_after_reminder(before: TurnClock, clock: TurnClock, now: int, settings: UserSettings) -> TurnClock:
    """The clock after a reminder without a time limit. Reminders wait for the end of quiet hours and holidays."""
    free = first_free_moment(now, settings)
    if free != now:
        return replace(before, remind=free)
    return replace(clock, remind=now + REMIND_EVERY if clock.reminders < MAX_REMINDERS else None)


def _end_turn(seats: Seats, before: Table, after: Table, now: int, off: int) -> tuple[Seats, LastTurn | None]:
    """Charge the time of the previous turn to its bank. Also returns its clock, in case the move is taken back."""
    clock, number = before.row.clock, before.turn
    last = after.row.last_turn if before.moment == after.moment else None  # only the player has changed
    if clock is None or number is None:
        return seats, last
    seat = seats[number]
    if before.moment != after.moment:
        last = LastTurn(_shift_clock(clock, -now), seat.bank)
    charged = charge_bank(seat, clock, after.row.pace, now - off)
    return (*seats[:number], charged, *seats[number + 1 :]), last


def _start_turn(seats: Seats, table: Table, now: int, settings: UserSettings) -> TurnClock | None:
    """The clock of a turn that begins. AI players need none."""
    if table.turn is None or table.user_to_act is None:
        return None
    clock = start_clock(table.row.pace, seats[table.turn].bank, now, settings)
    others_wait = any(seat.player_id not in (None, table.user_to_act) for seat in seats)
    return replace(clock, remind=now + REMIND_AFTER) if clock.due is None and others_wait else clock


def _restore_turn(row: TableRow, last: LastTurn, table: Table, now: int, settings: UserSettings) -> TableRow:
    """Restore the turn whose move was taken back, with the time that it had left."""
    if table.turn is None or table.user_to_act is None:
        return row
    row = row.with_seat(table.turn, replace(row.seats[table.turn], bank=last.bank))
    clock = replace(last.clock, paused=0, off=0, off_until=None)  # in the log, the turn's time starts again
    return replace(row, clock=_resume_clock(clock, row.pace, now, settings), last_turn=None)


@dataclass(frozen=True, slots=True)
class Timing:
    """The usual delay before AI players move, in milliseconds. The time for players depends on the pace."""

    ai_delay: int = 1500

    @property
    def max_delays(self) -> dict[DeadlineKind, int]:
        """The longest delays of deadlines that don't depend on players, in milliseconds."""
        longest = self.ai_delay * LAST_CARD_DELAY
        return {DeadlineKind.AI: longest, DeadlineKind.ORDERS: max(longest, standing_orders.DELAY)}

    def next(self, table: Table, now: int) -> Deadline | None:
        """The next deadline of a table that changes at `now` (UTC milliseconds)."""
        row = table.row
        if row.status is Status.LOBBY:
            return Deadline(row.id, DeadlineKind.CLOSE, now + LOBBY_TIMEOUT)
        public = table.public
        if public is None or table.turn is None or not row.status.is_open:
            return None
        if row.paused_at is not None:
            return Deadline(row.id, DeadlineKind.CLOSE, row.paused_at + MATCH_TIMEOUT)
        if all(seat.player_id is None for seat in table.seats):  # AI players alone wait for a player to come back
            return Deadline(row.id, DeadlineKind.CLOSE, now + MATCH_TIMEOUT)
        seat = table.seats[table.turn]
        may_declare = any(table.seats[owing].player_id is not None for owing in public.owing)
        if seat.ai_level is not None:
            factor = LAST_CARD_DELAY if may_declare else ai_pause(public, f"{row.id} {table.moment}")
            return Deadline(row.id, DeadlineKind.AI, now + round(self.ai_delay * factor))
        clock = row.clock or TurnClock(now)
        if table.follows_orders:
            wait = self.max_delays[DeadlineKind.ORDERS] if may_declare else standing_orders.DELAY
            return Deadline(row.id, DeadlineKind.ORDERS, max(clock.began, seat.ordered_at or 0) + wait)
        return _person_deadline(row, clock)


def _person_deadline(row: TableRow, clock: TurnClock) -> Deadline:
    terms = PACE_TIMES.get(row.pace)
    since = clock.began if clock.since is None else clock.since
    if terms is not None and clock.due is not None:
        match clock.stage:
            case ClockStage.RUNNING:
                return Deadline(row.id, DeadlineKind.REMIND, _reminder(clock, terms))
            case ClockStage.REMINDED:
                return Deadline(row.id, DeadlineKind.TURN, clock.due)
            case ClockStage.ASKED | ClockStage.CALLED:
                return Deadline(row.id, DeadlineKind.ANSWER, since + terms.answer)
    close = Deadline(row.id, DeadlineKind.CLOSE, since + MATCH_TIMEOUT)
    if clock.due is not None or clock.remind is None or clock.stage is ClockStage.CALLED:
        return close
    return min(Deadline(row.id, DeadlineKind.REMIND, clock.remind), close, key=lambda each: each.due_at)


def _reminder(clock: TurnClock, terms: PaceTimes) -> int:
    """When the player is reminded of the end of their turn."""
    return clock.remind or max(clock.began, (clock.due or 0) - terms.reminder)


def decides_automatically_at(row: TableRow) -> int | None:
    """When the table decides about a late turn if nobody answers (UTC milliseconds); None: never."""
    due = None if row.clock is None else _person_deadline(row, row.clock)
    return due.due_at if due is not None and due.kind is DeadlineKind.ANSWER else None
