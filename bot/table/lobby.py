"""What happens at a table before the first deal, each as a function of its row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.engine import Options
from bot.table.limits import INVITED
from bot.table.model import Pace, Seat, Status, TableRow, TableSettings
from bot.table.refusals import (
    AlreadySeated,
    GameFixedByDuplicate,
    HasStarted,
    HostOnly,
    NoAiToRemove,
    NoCutAtDuplicate,
    NotInvited,
    NotSeated,
    RemovedByHost,
    SeatsAreEmpty,
    TableIsClosed,
    TableIsFull,
    TooManyInvited,
)

DEFAULT_TABLE_SETTINGS: Final = TableSettings()
AI_LEVEL: Final = "simple"
AI_NAMES: Final = ("Jade", "Bamboo", "Lotus", "Plum")


@dataclass(frozen=True, slots=True)
class Person:
    """A user who takes a seat."""

    user_id: int
    name: str

    def seated(self) -> Seat:
        """The seat that they take."""
        return Seat(self.name, self.user_id)


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What is to be played."""

    size: int
    edition: str
    options: Options
    pace: Pace
    settings: TableSettings = DEFAULT_TABLE_SETTINGS

    @classmethod
    def of(cls, row: TableRow) -> Self:
        """What is to be played at a table as it is."""
        return cls(row.size, row.edition, row.options, row.pace, row.settings)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened."""

    guild_id: int
    channel_id: int
    host: Person
    setup: TableSetup


def new_lobby(new: NewTable, seed: bytes, now: int) -> TableRow:
    """Lay a new table (its number is not known yet); `now` in UTC seconds."""
    setup = new.setup
    return TableRow(
        id=0,
        guild_id=new.guild_id,
        channel_id=new.channel_id,
        host_id=new.host.user_id,
        status=Status.LOBBY,
        size=setup.size,
        edition=setup.edition,
        options=setup.options,
        pace=setup.pace,
        settings=setup.settings,
        seed=seed,
        created_at=now,
        seats=(new.host.seated(),),
    )


def rematch(old: TableRow, person: Person, seed: bytes, now: int, *, options_first: bool) -> TableRow:
    """Lay a table for the same people and the same game; the robots of before sit down at once.

    The seat of a former player is free.
    """
    people = tuple(seat.user_id for seat in old.seats if seat.user_id is not None)
    if person.user_id not in people:
        raise NotSeated
    row = new_lobby(NewTable(old.guild_id, old.channel_id, person, TableSetup.of(old)), seed, now)
    ai_players = tuple(Seat(seat.name, ai_level=AI_LEVEL) for seat in old.seats if seat.user_id is None and seat.name)
    row = replace(row, seats=row.seats + ai_players, rematch_of=old.id, starts_itself=not options_first)
    return invited(row, person.user_id, people)


def starts_now(row: TableRow) -> bool:
    """Whether a rematch starts by itself: all who played before sit there, and the table's message is posted."""
    seated = {seat.user_id for seat in row.seats}
    is_complete = len(row.seats) == row.size and seated.issuperset(row.invited)
    return row.status is Status.LOBBY and row.starts_itself and is_complete and row.first_message_id is not None


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
    require_welcome(row, person.user_id)
    if len(row.seats) == row.size:
        row = _without_last_ai(row)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    return replace(arrived(row, person.user_id), seats=(*row.seats, person.seated()))


def arrived(row: TableRow, user_id: int) -> TableRow:
    """Wait for somebody no more, as they have come."""
    return replace(row, awaited=tuple(person for person in row.awaited if person != user_id))


def require_welcome(row: TableRow, user_id: int) -> None:
    """Raise what keeps somebody from playing at a table: they were sent away, or it is private."""
    if user_id in row.removed:
        raise RemovedByHost(row.host_id)
    if row.settings.private and user_id not in (row.host_id, *row.invited):
        raise NotInvited(row.host_id)


def with_ai(row: TableRow, user_id: int) -> TableRow:
    """Seat a robot in the next free seat."""
    require_lobby(row)
    require_host(row, user_id)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    taken = {seat.name for seat in row.seats}
    name = next(name for name in AI_NAMES if name not in taken)
    return replace(row, seats=(*row.seats, Seat(name, ai_level=AI_LEVEL)))


def without_ai(row: TableRow, user_id: int) -> TableRow:
    """Send the last robot away."""
    require_lobby(row)
    require_host(row, user_id)
    fewer = _without_last_ai(row)
    if fewer is row:
        raise NoAiToRemove
    return fewer


def configured(row: TableRow, user_id: int, setup: TableSetup) -> TableRow:
    """Change what is to be played; people who sit keep their seats.

    Where another table plays the same deals, the game stays the same at both, and all but the game may differ.
    """
    require_lobby(row)
    require_host(row, user_id)
    game = (setup.size, setup.edition, setup.options)
    if row.duplicate_of is not None and game != (row.size, row.edition, row.options):
        raise GameFixedByDuplicate(row.duplicate_of)
    while len(row.seats) > setup.size:
        fewer = _without_last_ai(row)
        if fewer is row:
            raise TableIsFull(setup.size)
        row = fewer
    return replace(
        row,
        size=setup.size,
        edition=setup.edition,
        options=setup.options,
        pace=setup.pace,
        settings=setup.settings,
        starts_itself=False,
    )


def invited(row: TableRow, user_id: int, guests: Sequence[int]) -> TableRow:
    """Ask people to a table, as its host; who was invited before stays so, who was sent away may come again.

    Who has no seat yet is awaited: asked once, until they come.
    """
    require_lobby(row)
    require_host(row, user_id)
    asked = tuple(dict.fromkeys((*row.invited, *guests)))
    if len(asked) > INVITED.number:
        raise TooManyInvited(INVITED.number)
    new = newly_awaited(row, guests)
    return replace(
        row,
        invited=asked,
        awaited=row.awaited + new,
        invitations=row.invitations + bool(new),
        removed=tuple(each for each in row.removed if each not in asked),
    )


def newly_awaited(row: TableRow, guests: Sequence[int]) -> tuple[int, ...]:
    """The guests who are called to a table by an invitation: those who neither sit there nor are awaited already."""
    known = {*(seat.user_id for seat in row.seats), *row.awaited}
    return tuple(guest for guest in dict.fromkeys(guests) if guest not in known)


def removed(row: TableRow, user_id: int, guest_id: int) -> TableRow:
    """Send a person away, as the host; they do not come again unless they are invited."""
    require_lobby(row)
    require_host(row, user_id)
    if guest_id == user_id or all(seat.user_id != guest_id for seat in row.seats):
        raise NotSeated
    return replace(
        row,
        seats=tuple(seat for seat in row.seats if seat.user_id != guest_id),
        invited=tuple(person for person in row.invited if person != guest_id),
        removed=(*row.removed, guest_id),
    )


def left(row: TableRow, user_id: int) -> TableRow:
    """Leave a table; the next player becomes host, and a table without people is closed."""
    require_lobby(row)
    if all(seat.user_id != user_id for seat in row.seats):
        raise NotSeated
    row = replace(row, seats=tuple(seat for seat in row.seats if seat.user_id != user_id))
    hosts = possible_hosts(row)
    if not hosts:
        return replace(row, status=Status.CLOSED)
    return replace(row, host_id=row.host_id if row.host_id in hosts else hosts[0])


def possible_hosts(row: TableRow) -> list[int]:
    """The users who may host a table, the first in line first: those who play before owners who may come back."""
    playing = [seat.person for seat in row.seats if seat.person is not None]
    returning = [seat.user_id for seat in row.seats if seat.is_absent and seat.user_id is not None]
    return [*playing, *returning]


def cut(row: TableRow, user_id: int, number: int | None) -> TableRow:
    """Cut the deck as a player of this table; `number` (1-63) replaces an earlier cut, None takes it back."""
    require_may_cut(row, user_id)
    return replace(row, seats=tuple(replace(s, cut=number) if s.user_id == user_id else s for s in row.seats))


def require_may_cut(row: TableRow, user_id: int) -> None:
    """Raise what keeps a user from cutting the deck."""
    require_lobby(row)
    if row.follows is not None:
        raise NoCutAtDuplicate(row.follows)
    if all(seat.user_id != user_id for seat in row.seats):
        raise NotSeated


def require_complete(row: TableRow) -> None:
    """Raise `SeatsAreEmpty` while seats are free."""
    if len(row.seats) < row.size:
        raise SeatsAreEmpty(row.size - len(row.seats))


def _without_last_ai(row: TableRow) -> TableRow:
    """The row without its last robot; the same row if there is none."""
    ai_players = [number for number, seat in enumerate(row.seats) if seat.ai_level is not None]
    if not ai_players:
        return row
    seats = tuple(seat for number, seat in enumerate(row.seats) if number != ai_players[-1])
    return replace(row, seats=seats)
