"""The things at a table that wait for a user."""

from enum import Enum

from bot.table.model import ClockStage, Status
from bot.table.snapshot import Table


class PendingItem(Enum):
    """Something that a user can do, and that others may be waiting for."""

    START = "start"
    """All seats are taken, and the user is the host."""
    REMATCH = "rematch"
    """Others from the last match wait for the user to join."""
    INVITATION = "invitation"
    """The host has invited the user."""
    TURN = "turn"
    SEAT = "seat"
    """A substitute plays the user's seat."""
    QUESTION = "question"
    """The table is asked what to do about a late player."""
    PAUSE = "pause"
    """Others have agreed to a pause."""
    END = "end"
    """Others have agreed to end the match."""


def pending_for(table: Table, user_id: int) -> list[PendingItem]:
    """The items that wait for a user at a table, the most urgent first."""
    match table.row.status:
        case Status.LOBBY:
            return _before_the_start(table, user_id)
        case Status.PLAYING:
            return _in_a_match(table, user_id)
    return []


def _before_the_start(table: Table, user_id: int) -> list[PendingItem]:
    row = table.row
    if len(row.seats) == row.size and row.host_id == user_id:
        return [PendingItem.START]
    if user_id not in row.awaited:
        return []
    return [PendingItem.REMATCH if row.starts_itself else PendingItem.INVITATION]


def _in_a_match(table: Table, user_id: int) -> list[PendingItem]:
    row, number = table.row, table.seat_of(user_id)
    if number is None:
        return []
    seat = table.seats[number]
    if seat.player_id != user_id:
        return [PendingItem.SEAT] if seat.is_absent else []
    goes_on, is_mine = row.paused_at is None, table.turn == number
    is_asked = row.clock is not None and row.clock.stage is ClockStage.ASKED
    found = {
        PendingItem.TURN: goes_on and is_mine,
        PendingItem.QUESTION: goes_on and is_asked and not is_mine,
        PendingItem.PAUSE: bool(row.pausing) and user_id not in row.pausing,
        PendingItem.END: bool(row.ending) and user_id not in row.ending,
    }
    return [wait for wait, is_so in found.items() if is_so]
