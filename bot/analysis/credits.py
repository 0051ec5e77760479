"""Finds who played each seat in a hand, and who was absent at the end of a match.

Statistics of a hand go to the player who made most of its moves; a match and its rating always go to the seat's owner.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.engine import State
from bot.engine.events import AI, Abandoned, Event, Substituted
from bot.table.model import Seat, TableRow
from bot.table.snapshot import GENTLE

Substitutes: TypeAlias = Mapping[tuple[int, str], int]
"""User ids by seat and the name in the log."""


@dataclass(frozen=True, slots=True)
class Credit:
    """The user who gets the credit for a seat in one hand."""

    user_id: int | None
    """The user who made most of the moves; None if AI players or the table made half of them or more."""
    owner_moves: int
    by_owner: bool
    """True if the owner made at least half of the moves, or is an AI player."""


def credits_of(moves: Sequence[Counter[str]], seats: Sequence[Seat], substitutes: Substitutes) -> tuple[Credit, ...]:
    """The credits of a finished hand, by seat. `moves` is the number of moves by the names in the log."""
    return tuple(_credit(number, seat, moves[number], substitutes) for number, seat in enumerate(seats))


def _credit(number: int, seat: Seat, moves: Counter[str], substitutes: Substitutes) -> Credit:
    people = Counter({name: made for name, made in moves.items() if not name.startswith(AI)})
    owner_moves = people[seat.name]
    by_people = 2 * people.total() > moves.total()
    most = max(people, key=lambda name: (people[name], name == seat.name), default="")
    user_id = seat.user_id if most == seat.name else substitutes.get((number, most))
    return Credit(user_id if by_people else None, owner_moves, seat.is_ai or 2 * owner_moves >= moves.total())


def absent_at_end(state: State, seats: Sequence[Seat], last_hand: Sequence[Credit]) -> frozenset[int]:
    """The seats of a finished match whose human owners didn't finish it.

    Another player has the seat at the end, or the owner made no move in the last hand.
    """
    gone = _held_by_others(state, seats) | {seat for seat, credit in enumerate(last_hand) if not credit.owner_moves}
    return frozenset(number for number, seat in enumerate(seats) if not seat.is_ai and number in gone)


def absent_from_abandoned(row: TableRow, state: State, events: Sequence[Event]) -> frozenset[int] | None:
    """The seats that lose an abandoned match by absence; None if it has no result (see `rating`).

    `state` precedes the end of the match, and `events` includes the event that ended it. If all players concede, the
    last one to do so wins. If nobody continues the match, the seat to move and all seats held by other players lose.
    An end by agreement, by a server manager or during a pause has a result only if players have conceded: they lose.
    """
    reason = next(event.reason for event in events if isinstance(event, Abandoned))
    match reason:
        case "conceded":
            last = next(event.seat for event in reversed(events) if isinstance(event, Substituted))
            return frozenset(range(state.size)) - {last}
        case "deserted" if row.paused_at is None:
            return _held_by_others(state, row.seats) | _to_move(state)
        case "agreed" | "closed" | "deserted":
            return frozenset(number for number, seat in enumerate(row.seats) if seat.conceded) or None
        case _:
            return None


def _held_by_others(state: State, seats: Sequence[Seat]) -> frozenset[int]:
    """The seats that another player has taken over. A move by the table takes none, and returns none to its owner."""
    owners = state.match.seats
    return frozenset(
        number
        for number, player in enumerate(state.players)
        if (seats[number].substitute_id is not None if player == GENTLE else player != owners[number])
    )


def _to_move(state: State) -> frozenset[int]:
    return frozenset() if state.turn is None else frozenset({state.turn})
