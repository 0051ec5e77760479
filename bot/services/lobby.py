"""What happens at a table before the first deal, each as a function of its row."""

from dataclasses import dataclass, replace
from typing import Final

from bot.engine import Options
from bot.services.refusals import (
    AlreadySeated,
    HasStarted,
    HostOnly,
    NoRobotThere,
    NotSeated,
    SeatsAreEmpty,
    TableIsClosed,
    TableIsFull,
)
from bot.storage.rows import Pace, Seat, Status, TableRow

ROBOT_LEVEL: Final = "simple"
ROBOT_NAMES: Final = ("Jade", "Bamboo", "Lotus", "Plum")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes a seat; `join_id` is Discord's id of the click that did it."""

    user_id: int
    name: str
    join_id: str

    def seated(self) -> Seat:
        """The seat that they take."""
        return Seat(self.name, self.user_id, join_id=self.join_id)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be played."""

    size: int
    edition: str
    options: Options
    pace: Pace


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened."""

    guild_id: int
    channel_id: int
    host: Person
    wishes: Wishes


def laid(new: NewTable, seed: bytes, now: int) -> TableRow:
    """Lay a new table (its number is not known yet); `now` in UTC seconds."""
    wishes = new.wishes
    return TableRow(
        id=0,
        guild_id=new.guild_id,
        channel_id=new.channel_id,
        host_id=new.host.user_id,
        status=Status.LOBBY,
        size=wishes.size,
        edition=wishes.edition,
        options=wishes.options,
        pace=wishes.pace,
        seed=seed,
        created_at=now,
        seats=(new.host.seated(),),
    )


def rematch(row: TableRow, person: Person) -> NewTable:
    """A table of the same kind in the same place."""
    wishes = Wishes(row.size, row.edition, row.options, row.pace)
    return NewTable(row.guild_id, row.channel_id, person, wishes)


def is_rematch(row: TableRow, of: TableRow) -> bool:
    """Whether this is a lobby that was opened after the table `of`, for the same again."""
    is_later = row.status is Status.LOBBY and row.id > of.id and row.channel_id == of.channel_id
    return is_later and (row.size, row.edition, row.options, row.pace) == (of.size, of.edition, of.options, of.pace)


def require_lobby(row: TableRow) -> None:
    """Raise what forbids changing seats and options."""
    if row.status is Status.PLAYING:
        raise HasStarted
    if row.status is not Status.LOBBY:
        raise TableIsClosed


def require_host(row: TableRow, user_id: int) -> None:
    """Raise `HostOnly` to anybody else."""
    if user_id != row.host_id:
        raise HostOnly(row.host_id)


def joined(row: TableRow, person: Person) -> TableRow:
    """Seat a person; where all seats are taken, a robot gets up for them."""
    require_lobby(row)
    if any(seat.user_id == person.user_id for seat in row.seats):
        raise AlreadySeated
    if len(row.seats) == row.size:
        row = _without_last_robot(row)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    return replace(row, seats=(*row.seats, person.seated()))


def with_robot(row: TableRow, user_id: int) -> TableRow:
    """Seat a robot in the next free seat."""
    require_lobby(row)
    require_host(row, user_id)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    taken = {seat.name for seat in row.seats}
    name = next(name for name in ROBOT_NAMES if name not in taken)
    return replace(row, seats=(*row.seats, Seat(name, robot=ROBOT_LEVEL)))


def without_robot(row: TableRow, user_id: int) -> TableRow:
    """Send the last robot away."""
    require_lobby(row)
    require_host(row, user_id)
    fewer = _without_last_robot(row)
    if fewer is row:
        raise NoRobotThere
    return fewer


def configured(row: TableRow, user_id: int, wishes: Wishes) -> TableRow:
    """Change what is to be played; people who sit keep their seats."""
    require_lobby(row)
    require_host(row, user_id)
    while len(row.seats) > wishes.size:
        fewer = _without_last_robot(row)
        if fewer is row:
            raise TableIsFull(wishes.size)
        row = fewer
    return replace(row, size=wishes.size, edition=wishes.edition, options=wishes.options, pace=wishes.pace)


def left(row: TableRow, user_id: int) -> TableRow:
    """Get up; the next person becomes host, and a table without people is closed."""
    require_lobby(row)
    if all(seat.user_id != user_id for seat in row.seats):
        raise NotSeated
    seats = tuple(seat for seat in row.seats if seat.user_id != user_id)
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    if not people:
        return replace(row, seats=seats, status=Status.CLOSED)
    return replace(row, seats=seats, host_id=row.host_id if row.host_id in people else people[0])


def require_complete(row: TableRow) -> None:
    """Raise `SeatsAreEmpty` while seats are free."""
    if len(row.seats) < row.size:
        raise SeatsAreEmpty(row.size - len(row.seats))


def _without_last_robot(row: TableRow) -> TableRow:
    """The row without its last robot; the same row if there is none."""
    robots = [number for number, seat in enumerate(row.seats) if seat.robot is not None]
    if not robots:
        return row
    seats = tuple(seat for number, seat in enumerate(row.seats) if number != robots[-1])
    return replace(row, seats=seats)
