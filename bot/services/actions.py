"""What happens at a table once it plays, each as a function of the table. They decide; `tables` commits."""

from dataclasses import dataclass, replace

from bot.engine import Abandon, Deal, MatchStarted, Substitute, advance, commitment
from bot.engine.events import Event, MatchEnded, Substituted
from bot.engine.moves import Move
from bot.services import lobby
from bot.services.refusals import HasConceded, HasNotStarted, HasStarted, MomentHasPassed, NotSeated, TableIsClosed
from bot.services.table import Table
from bot.storage.rows import Status, TableRow


@dataclass(frozen=True, slots=True)
class Change:
    """What an action makes of a table: the row without its new revision, and what happened in the match."""

    row: TableRow
    events: tuple[Event, ...] = ()


def start(table: Table, user_id: int) -> Change:
    """Begin the match as the host, all seats taken, and deal the first hand."""
    row = table.row
    lobby.require_lobby(row)
    lobby.require_host(row, user_id)
    lobby.require_complete(row)
    match = MatchStarted(
        row.edition,
        row.options,
        tuple(seat.name for seat in row.seats),
        _eldest(row),
        commitment(row.seed),
        "-".join(seat.join_id for seat in row.seats),
    )
    events: tuple[Event, ...] = (match, *_robots(row))
    events += _advanced(Table(row).after(events), Deal(row.seed))
    return Change(replace(row, status=Status.PLAYING), events)


def move(table: Table, made: Move) -> Change:
    """Make a move of a seat, and whatever the table itself has to do then."""
    return _ended(table.row, _advanced(table, made))


def require_moment(table: Table, moment: int) -> None:
    """Raise `MomentHasPassed` for a click that means an earlier turn."""
    if table.moment != moment:
        raise MomentHasPassed


def require_playing(table: Table) -> None:
    """Raise what forbids moves."""
    if table.row.status is Status.LOBBY:
        raise HasNotStarted
    if table.row.status is not Status.PLAYING:
        raise TableIsClosed


def require_over(table: Table) -> None:
    """Raise what forbids a rematch."""
    if table.row.status is Status.LOBBY:
        raise HasNotStarted
    if table.row.status is Status.PLAYING:
        raise HasStarted


def active_seat(table: Table, user_id: int) -> int:
    """The seat that this person plays. Raises `NotSeated` or `HasConceded`."""
    seat = table.seat_of(user_id)
    if seat is None:
        raise NotSeated
    if table.seats[seat].person is None:
        raise HasConceded
    return seat


def concede(table: Table, user_id: int) -> Change:
    """Give the seat to a robot; without people left, abandon the match."""
    require_playing(table)
    number = active_seat(table, user_id)
    seat = replace(table.seats[number], robot=lobby.ROBOT_LEVEL)
    row = replace(table.row, seats=(*table.seats[:number], seat, *table.seats[number + 1 :]))
    events = _advanced(table, Substitute(number, f"ai:{lobby.ROBOT_LEVEL}"))
    if all(seat.person is None for seat in row.seats):
        over = _advanced(table.after(events), Abandon("conceded", row.seed))
        return Change(replace(row, status=Status.CLOSED), events + over)
    return Change(row, events)


def close(table: Table, user_id: int, *, may_manage: bool) -> Change:
    """End a table at once, as its host or as somebody who manages the server."""
    if not table.row.status.is_open:
        raise TableIsClosed
    if not may_manage:
        lobby.require_host(table.row, user_id)
    row = replace(table.row, status=Status.CLOSED)
    if table.state is None:
        return Change(row)
    return Change(row, _advanced(table, Abandon("closed", row.seed)))


def _robots(row: TableRow) -> tuple[Event, ...]:
    """Who is played by a robot from the first deal on."""
    return tuple(
        Substituted(number, f"ai:{seat.robot}") for number, seat in enumerate(row.seats) if seat.robot is not None
    )


def _eldest(row: TableRow) -> int:
    """R22: the eldest is whoever has the oldest Discord account, which has the lowest id."""
    people = [(seat.user_id, number) for number, seat in enumerate(row.seats) if seat.user_id is not None]
    return min(people)[1]


def _advanced(table: Table, made: Move) -> tuple[Event, ...]:
    if table.state is None:
        raise HasNotStarted
    return advance(table.state, made, table.row.seed)[1]


def _ended(row: TableRow, events: tuple[Event, ...]) -> Change:
    over = any(isinstance(event, MatchEnded) for event in events)
    return Change(replace(row, status=Status.OVER) if over else row, events)
