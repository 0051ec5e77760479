"""Actions of players together or on each other in a running match. Each function returns the change."""

from dataclasses import replace

from bot.engine import TakeBack
from bot.table import lobby, play
from bot.table.limits import UNDOS
from bot.table.model import ClockStage, Pace, Status, TableRow, TurnClock
from bot.table.play import Change
from bot.table.refusals import (
    NobodyToNudge,
    NotPaused,
    NudgedRecently,
    OutdatedAction,
    TableIsClosed,
    TooManyUndos,
    UndoNotAllowed,
)
from bot.table.snapshot import Table
from bot.table.standing_orders import NONE, ORDERS, PASS, cycle_of
from bot.table.timing import DAY, nudge_interval


def agree_to_pause(table: Table, user_id: int, *, agrees: bool = True) -> Change:
    """Agree to a pause, or take it back."""
    play.acting_seat(table, user_id)
    return Change(replace(table.row, pausing=_agreeing(table.row.pausing, user_id, agrees=agrees)))


def resume(table: Table, user_id: int) -> Change:
    """Resume a paused match, as any of its players."""
    play.require_playing(table)
    play.active_seat(table, user_id)
    if table.row.paused_at is None:
        raise NotPaused
    return Change(replace(table.row, paused_at=None))


def agree_to_end(table: Table, user_id: int, *, agrees: bool = True) -> Change:
    """Agree to end the match, or take it back."""
    play.require_playing(table)
    play.active_seat(table, user_id)
    return Change(replace(table.row, ending=_agreeing(table.row.ending, user_id, agrees=agrees)))


def still_to_agree(table: Table, user_id: int) -> list[int]:
    """The other users who have to agree before the match ends, by seat."""
    return [user for user in _who_must_agree(table.row) if user != user_id and user not in table.row.ending]


def _who_must_agree(row: TableRow) -> list[int]:
    """The players, and the owners who can come back.

    Without the owners, the last player at the table could end a match that they are losing while the others are away
    for a few minutes.
    """
    users = [user for seat in row.seats for user in (seat.player_id, seat.user_id if seat.is_absent else None)]
    return [user for user in users if user is not None]


def require_may_close(table: Table, user_id: int, *, may_manage: bool) -> None:
    """Raise `TableIsClosed`, or `HostOnly` unless the user is the host or a manager of the guild."""
    if not table.row.status.is_open:
        raise TableIsClosed
    if not may_manage:
        lobby.require_host(table.row, user_id)


def close(table: Table, user_id: int, *, may_manage: bool, status: Status | None = None) -> Change:
    """Close a table as a manager of the guild, or as its host, who needs consent once cards are dealt.

    `status`: the table's when the user was asked. Raises `OutdatedAction` if it has changed, because then closing costs
    something else.
    """
    require_may_close(table, user_id, may_manage=may_manage)
    if status not in (None, table.row.status):
        raise OutdatedAction
    if may_manage or table.row.status is Status.LOBBY:
        over = play.abandon(table, "closed", user_id)
        return replace(over, row=_with_conceded(over.row, user_id)) if concedes_by_closing(table.row, user_id) else over
    return agree_to_end(table, user_id)


def concedes_by_closing(row: TableRow, user_id: int) -> bool:
    """True if a server manager who ends a match concedes it: they own a seat in it, and so does another person."""
    here = [seat.user_id for seat in row.seats if seat.user_id is not None and not seat.conceded]
    return row.status is Status.PLAYING and user_id in here and len(here) > 1


def _with_conceded(row: TableRow, user_id: int) -> TableRow:
    """The row with a conceded seat. Results depend on it, and unlike the closer's id it stays after a deletion."""
    return replace(
        row, seats=tuple(replace(seat, conceded=seat.conceded or seat.user_id == user_id) for seat in row.seats)
    )


def apply_consent(table: Table, change: Change, now: int) -> Change:
    """Add the end or pause that all players have agreed to.

    Checked after every change, because a player who leaves may have been the last who did not agree. A pause needs
    only those who play: an absent owner can come back and resume at any time.
    """
    row = change.row
    people = {seat.player_id for seat in row.seats} - {None}
    if row.status is not Status.PLAYING or not people:
        return change
    if set(_who_must_agree(row)) <= set(row.ending):
        over = play.abandon(replace(table, row=row).after(change.events), "agreed")
        return Change(over.row, change.events + over.events)
    if row.paused_at is None and people <= set(row.pausing):
        return replace(change, row=replace(row, pausing=(), paused_at=now))
    return change


def nudge(table: Table, user_id: int, now: int, off: int = 0) -> Change:
    """Nudge the player to act. Raises `NudgedRecently` if the last nudge was too recent.

    If the table already waits for the player, it's asked again how to go on. Without a time limit it's asked once the
    turn has lasted a day, without the time in which the app was off (`off`: milliseconds).
    """
    play.acting_seat(table, user_id)
    row = table.row
    if row.clock is None or table.turn is None or table.seats[table.turn].player_id == user_id:
        raise NobodyToNudge
    if now < next_nudge(row, row.clock):
        raise NudgedRecently(next_nudge(row, row.clock))
    waits = row.clock.stage is ClockStage.WAITING
    asks = waits or (row.pace is Pace.NONE and now - row.clock.began - off >= DAY)
    clock = replace(row.clock, stage=ClockStage.ASKED) if asks else row.clock
    return Change(replace(row, nudged_at=now, clock=clock))


def next_nudge(row: TableRow, clock: TurnClock) -> int:
    """When the player to act can be nudged next (UTC milliseconds)."""
    return (row.nudged_at or clock.began) + nudge_interval(row.pace)


def undo(table: Table, user_id: int, moment: int) -> Change:
    """Take back the user's own play or pass, if the table allows it and nobody has acted since.

    A move made by the table stays, because the player's time was up. The number of undos is limited because the end of
    a hand reads all its lines.
    """
    seat = play.acting_seat(table, user_id)
    if not table.row.allows_undo:
        raise UndoNotAllowed
    play.require_moment(table, moment)
    if table.seats[seat].missed:
        raise OutdatedAction
    if table.undone.count(seat) >= UNDOS:
        raise TooManyUndos(UNDOS)
    made = play.move(table, TakeBack(seat))
    without_orders = replace(made.row.seats[seat], orders=NONE, ordered_at=None)  # they would pass again at once
    return replace(made, row=made.row.with_seat(seat, without_orders))


def give_orders(table: Table, user_id: int, order: str, now: int, cycle: str = "") -> Change:
    """Set a standing order; `NONE` cancels it. `PASS` is for one `cycle` (see `cycle_of`)."""
    seat = play.acting_seat(table, user_id)
    if order not in ORDERS or (order == PASS and (table.public is None or cycle != cycle_of(table.public))):
        raise OutdatedAction
    return _with_orders(table, seat, order, now)


def carry_out(table: Table) -> Change:
    """Pass as the standing order of the seat to act says. If the rules forbid it, cancel the order."""
    if table.turn is None or table.state is None:
        raise OutdatedAction
    return play.try_pass(table, table.turn) or _with_orders(table, table.turn, NONE, None)


def _agreeing(people: tuple[int, ...], user_id: int, *, agrees: bool) -> tuple[int, ...]:
    """Those who agree, with or without a user. A second press of the same button changes nothing."""
    others = tuple(person for person in people if person != user_id)
    return (*others, user_id) if agrees else others


def _with_orders(table: Table, number: int, order: str, now: int | None) -> Change:
    seat = replace(table.seats[number], orders=order, ordered_at=now)
    return Change(table.row.with_seat(number, seat))
