"""When something happens by itself at a table: all of it follows from what is stored of the table."""

from dataclasses import dataclass, replace
from typing import Final

from bot.engine import PublicView
from bot.table import standing_orders
from bot.table.model import ClockStage, Deadline, DeadlineKind, Pace, Seat, Status, TableRow, TurnClock
from bot.table.quiet_hours import moved
from bot.table.snapshot import Table
from bot.table.user import UserSettings

SECOND: Final = 1000
HOUR: Final = 3600 * SECOND
DAY: Final = 24 * HOUR

PATIENCE: Final = 4
"""How many times longer a robot waits while a person may still say "Last card!"."""
LOBBY_TERM: Final = 3 * DAY
"""How long a lobby waits for the next press."""
MATCH_TERM: Final = 30 * DAY
"""How long a match waits for the next move, whatever its pace."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a pace comes to, in milliseconds."""

    turn: int
    """How long a turn may take; and the most that a time bank holds."""
    refill: int
    """What a turn adds to the time bank."""
    reminder: int
    """How long before its end the player is reminded."""
    answer: int
    """How long the table may take to say what to do when time is up."""
    nudge: int
    """How long after one nudge the next may come."""


TERMS: Final = {
    Pace.LIVE: Terms(120 * SECOND, 10 * SECOND, 30 * SECOND, 60 * SECOND, 60 * SECOND),
    Pace.QUICK: Terms(HOUR, HOUR // 12, HOUR // 4, HOUR // 4, HOUR // 4),
    Pace.DAY: Terms(DAY, 2 * HOUR, 4 * HOUR, 3 * HOUR, 3 * HOUR),
    Pace.SLOW: Terms(3 * DAY, 6 * HOUR, 12 * HOUR, 12 * HOUR, 6 * HOUR),
}
NUDGE_WITHOUT_PACE: Final = HOUR


def nudge_term(pace: Pace) -> int:
    """How long after one nudge the next may come, in milliseconds."""
    return TERMS[pace].nudge if pace in TERMS else NUDGE_WITHOUT_PACE


def full_bank(pace: Pace) -> int:
    """What a time bank holds at the start, in milliseconds."""
    return TERMS[pace].turn if pace in TERMS else 0


def started(pace: Pace, bank: int, now: int, settings: UserSettings) -> TurnClock:
    """The clock of a person's turn that begins `now`."""
    terms = TERMS.get(pace)
    return TurnClock(now) if terms is None else _ending(TurnClock(now), now + terms.turn + bank, pace, settings)


def _ending(clock: TurnClock, due: int, pace: Pace, settings: UserSettings) -> TurnClock:
    """The clock with this end, or where that falls into quiet hours or holidays with one some time after them.

    That is as long after them as there is between a reminder and the end. A reminder moves, too.
    Whoever sits down to a live match is awake, so nothing moves there.
    """
    if pace is Pace.LIVE:
        return replace(clock, due=due)
    reminder = TERMS[pace].reminder
    free = moved(due, settings)
    if free != due:
        due = moved(free + reminder, settings)
    remind = min(due, moved(due - reminder, settings))
    return replace(clock, due=due, remind=None if remind == due - reminder else remind)


def reminded(clock: TurnClock, pace: Pace, now: int, settings: UserSettings) -> TurnClock:
    """The clock of a turn whose player is reminded `now`: what comes late moves the end by as much."""
    if clock.due is None:
        return clock
    return _ending(clock, clock.due + max(0, now - _reminder(clock, TERMS[pace])), pace, settings)


def resumed(clock: TurnClock, pace: Pace, by: int, settings: UserSettings) -> TurnClock:
    """A clock that goes on after it was stopped for so many milliseconds.

    Where its end moves for quiet hours or holidays, the player is reminded again.
    """
    clock = shifted(clock, by)
    if clock.due is None or clock.is_up:
        return clock
    new = _ending(clock, clock.due, pace, settings)
    return new if new.due == clock.due else replace(new, stage=ClockStage.RUNNING)


def settled(seat: Seat, clock: TurnClock, pace: Pace, now: int) -> Seat:
    """A seat after its turn: what the turn took beyond the pace goes from its bank, and the bank refills a little.

    By how much the deadline was moved, for quiet hours and holidays, costs nothing.
    """
    terms = TERMS.get(pace)
    if terms is None or clock.due is None:
        return seat
    moved_by = clock.due - (clock.began + terms.turn + seat.bank)
    used = now - clock.began - terms.turn - moved_by
    left = seat.bank - max(0, min(seat.bank, used))
    return replace(seat, bank=min(terms.turn, left + terms.refill))


def shifted(clock: TurnClock, by: int) -> TurnClock:
    """The clock with all its moments so many milliseconds later."""
    due, remind, since = (None if at is None else at + by for at in (clock.due, clock.remind, clock.since))
    return replace(clock, began=clock.began + by, due=due, remind=remind, since=since)


@dataclass(frozen=True, slots=True)
class Timing:
    """How long robots take, in milliseconds; how long people may take is the table's pace."""

    ai_delay: int = 1500

    @property
    def at_most(self) -> dict[DeadlineKind, int]:
        """How long what happens without anybody may be waited for."""
        return {DeadlineKind.AI: self.ai_delay * PATIENCE, DeadlineKind.ORDERS: standing_orders.DELAY}

    def next(self, table: Table, now: int) -> Deadline | None:
        """What is due next at a table that changes `now` (UTC milliseconds)."""
        row = table.row
        if row.status is Status.LOBBY:
            return Deadline(row.id, DeadlineKind.CLOSE, now + LOBBY_TERM)
        public = table.public()
        if public is None or table.turn is None or not row.status.is_open:
            return None
        if row.paused_at is not None:
            return Deadline(row.id, DeadlineKind.CLOSE, row.paused_at + MATCH_TERM)
        if all(seat.person is None for seat in table.seats):  # robots alone wait for somebody to come back
            return Deadline(row.id, DeadlineKind.CLOSE, now + MATCH_TERM)
        seat = table.seats[table.turn]
        if seat.ai_level is not None:
            wait = self.ai_delay * (PATIENCE if _somebody_may_declare(table, public) else 1)
            return Deadline(row.id, DeadlineKind.AI, now + wait)
        clock = row.clock or TurnClock(now)
        if standing_orders.applies(seat.orders, public):
            return Deadline(row.id, DeadlineKind.ORDERS, max(clock.began, seat.ordered_at or 0) + standing_orders.DELAY)
        return _of_a_person(row, clock)


def _of_a_person(row: TableRow, clock: TurnClock) -> Deadline:
    terms = TERMS.get(row.pace)
    since = clock.began if clock.since is None else clock.since
    if terms is not None and clock.due is not None:
        match clock.stage:
            case ClockStage.RUNNING:
                return Deadline(row.id, DeadlineKind.REMIND, _reminder(clock, terms))
            case ClockStage.REMINDED:
                return Deadline(row.id, DeadlineKind.TURN, clock.due)
            case ClockStage.ASKED | ClockStage.CALLED:
                return Deadline(row.id, DeadlineKind.ANSWER, since + terms.answer)
    return Deadline(row.id, DeadlineKind.CLOSE, since + MATCH_TERM)


def _reminder(clock: TurnClock, terms: Terms) -> int:
    """When the player is reminded of a turn that ends."""
    return clock.remind or max(clock.began, (clock.due or 0) - terms.reminder)


def acts_alone_at(row: TableRow) -> int | None:
    """When the table decides about a late turn by itself, if nobody does (UTC milliseconds); None: never."""
    due = None if row.clock is None else _of_a_person(row, row.clock)
    return due.due_at if due is not None and due.kind is DeadlineKind.ANSWER else None


def _somebody_may_declare(table: Table, public: PublicView) -> bool:
    return any(table.seats[seat].person is not None for seat in public.owing)
