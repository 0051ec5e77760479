"""Actions at a table before the first deal. Each function takes the table's row and returns the changed one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Final, Self

from bot.engine import Options, commitment
from bot.players.levels import Level
from bot.players.styles import Style
from bot.table.guild import TableDefaults
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
    OutdatedAction,
    RemovedByHost,
    SeatsAreEmpty,
    TableIsClosed,
    TableIsFull,
    TooManyInvited,
)

DEFAULT_TABLE_SETTINGS: Final = TableSettings()
AI_NAMES: Final = (
    *("Jade", "Bamboo", "Lotus", "Plum", "Lantern", "Ginkgo", "Cinnabar", "Teapot"),
    *("Bonsai", "Persimmon", "Lychee", "Pagoda", "Abacus", "Gong", "Kite", "Porcelain"),
)
_MIXED: Final = (Style.BOLD, Style.STINGY, Style.HOARDER, Style.STEADY)
"""The styles in the order of the names, so that the AI players of a table differ."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user who takes a seat."""

    user_id: int
    name: str

    def seated(self) -> Seat:
        """The seat of this user."""
        return Seat(self.name, self.user_id)


@dataclass(frozen=True, slots=True)
class TableSetup:
    """The game and the settings of a table."""

    size: int
    edition: str
    options: Options
    pace: Pace
    settings: TableSettings = DEFAULT_TABLE_SETTINGS

    @classmethod
    def of(cls, row: TableRow) -> Self:
        """The setup of an existing table."""
        return cls(row.size, row.edition, row.options, row.pace, row.settings)


def solo_setup(default: TableDefaults, level: Level | None = None) -> TableSetup:
    """The setup of a match against AI players, from the defaults of its guild: without a time limit."""
    options = Options.of(default.edition, {"target": default.target, "last_card": default.last_card})
    settings = replace(default.settings, ai_level=level or default.ai_level)
    return TableSetup(default.size, default.edition, options, Pace.NONE, settings)


@dataclass(frozen=True, slots=True)
class NewTable:
    """The values for a new table."""

    guild_id: int
    channel_id: int
    host: Person
    setup: TableSetup
    with_ai: bool = False
    """AI players take all other seats, and the match starts at once."""
    in_channel: bool = True


def new_lobby(new: NewTable, seed: bytes, now: int, ai_names: Collection[str] = ()) -> TableRow:
    """A new table with its host seated; its `id` is 0 until it's stored (`now`: UTC seconds).

    `ai_names` are those of AI players at other tables of the channel.
    """
    setup = new.setup
    row = TableRow(
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
        commitment=commitment(seed),
        created_at=now,
        seats=(new.host.seated(),),
        starts_itself=new.with_ai,
        in_channel=new.in_channel,
        first_message_id=None if new.in_channel else 0,
    )
    return fill_with_ai(row, row.host_id, ai_names) if new.with_ai else row


def rematch(
    old: TableRow, person: Person, seed: bytes, now: int, ai_names: Collection[str] = (), *, options_first: bool
) -> TableRow:
    """A new table for the same players and the same game. The AI players take their seats immediately.

    They keep their names unless AI players at other tables of the channel have them (`ai_names`). Seats of deleted
    players stay free.
    """
    people = tuple(seat.user_id for seat in old.seats if seat.user_id is not None)
    in_channel = old.in_channel or options_first
    row = new_lobby(
        NewTable(old.guild_id, old.channel_id, person, TableSetup.of(old), in_channel=in_channel), seed, now
    )
    for seat in old.seats:
        if seat.user_id is None and seat.name:
            row = _with_ai(row, ai_names, seat)
    row = replace(row, parent_id=old.parent_id, rematch_of=old.id, starts_itself=not options_first)
    return invite(row, person.user_id, people)


def starts_now(row: TableRow) -> bool:
    """True if a rematch or a match against AI players can start: all players are there, and its message is posted.

    A table that isn't in its channel needs no message.
    """
    seated = {seat.user_id for seat in row.seats}
    is_complete = len(row.seats) == row.size and seated.issuperset(row.invited)
    return row.status is Status.LOBBY and row.starts_itself and is_complete and row.first_message_id is not None


def require_lobby(row: TableRow) -> None:
    """Raise `HasStarted` or `TableIsClosed` unless the table is in its lobby."""
    if row.status is Status.PLAYING:
        raise HasStarted
    if row.status is not Status.LOBBY:
        raise TableIsClosed


def require_host(row: TableRow, user_id: int) -> None:
    """Raise `HostOnly` unless the user is the host."""
    if user_id != row.host_id:
        raise HostOnly(row.host_id)


def join(row: TableRow, person: Person) -> TableRow:
    """Add a player. If all seats are taken, they replace an AI player."""
    require_lobby(row)
    if row.has_owner(person.user_id):
        raise AlreadySeated
    require_may_join(row, person.user_id)
    if len(row.seats) == row.size:
        row = _without_last_ai(row)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    return replace(stop_awaiting(row, person.user_id), seats=(*row.seats, person.seated()))


def stop_awaiting(row: TableRow, user_id: int) -> TableRow:
    """The row without a user in `awaited`."""
    return replace(row, awaited=tuple(person for person in row.awaited if person != user_id))


def require_may_join(row: TableRow, user_id: int) -> None:
    """Raise `RemovedByHost` or `NotInvited` if a user can't play at the table."""
    if user_id in row.removed:
        raise RemovedByHost(row.host_id)
    if row.settings.private and user_id not in (row.host_id, *row.invited):
        raise NotInvited(row.host_id)


def add_ai(row: TableRow, user_id: int, ai_names: Collection[str] = ()) -> TableRow:
    """Add an AI player. `ai_names` are those of AI players at other tables of the channel."""
    require_lobby(row)
    require_host(row, user_id)
    if len(row.seats) == row.size:
        raise TableIsFull(row.size)
    return _with_ai(row, ai_names)


def set_ai_player(row: TableRow, user_id: int, name: str, level: Level, style: Style | None) -> TableRow:
    """Set the level of an AI player, and its style unless that is None, as the host."""
    require_lobby(row)
    require_host(row, user_id)
    number = next((number for number, seat in enumerate(row.seats) if seat.is_ai and seat.name == name), None)
    if number is None:
        raise OutdatedAction
    seat = row.seats[number]
    return row.with_seat(number, replace(seat, ai_level=level, ai_style=seat.ai_style if style is None else style))


def _with_ai(row: TableRow, ai_names: Collection[str], earlier: Seat | None = None) -> TableRow:
    """Seat an AI player with the first name that is free: a new one, or one of an `earlier` match."""
    taken = {*ai_names, *(seat.name for seat in row.seats)}
    numbered = (f"{name} {number}" for number in count(2) for name in AI_NAMES)
    wanted = () if earlier is None else (earlier.name,)
    name = next(name for name in chain(wanted, AI_NAMES, numbered) if name not in taken)
    ai_player = Seat(name, ai_level=row.settings.ai_level, ai_style=style_of(name))
    if earlier is not None:
        ai_player = replace(ai_player, ai_level=earlier.ai_level or ai_player.ai_level, ai_style=earlier.ai_style)
    return replace(row, seats=(*row.seats, ai_player))


def style_of(name: str) -> Style:
    """The style of an AI player with this name, unless the host chooses another."""
    return _MIXED[AI_NAMES.index(name.split(maxsplit=1)[0]) % len(_MIXED)]


def fill_with_ai(row: TableRow, user_id: int, ai_names: Collection[str] = ()) -> TableRow:
    """Give every free seat to an AI player, like `add_ai`."""
    while len(row.seats) < row.size:
        row = add_ai(row, user_id, ai_names)
    return row


def with_steady_ai(row: TableRow) -> TableRow:
    """Make all AI players steady."""
    return replace(row, seats=tuple(replace(seat, ai_style=Style.STEADY) for seat in row.seats))


def remove_ai(row: TableRow, user_id: int) -> TableRow:
    """Remove the last AI player."""
    require_lobby(row)
    require_host(row, user_id)
    fewer = _without_last_ai(row)
    if fewer is row:
        raise NoAiToRemove
    return fewer


def configure(row: TableRow, user_id: int, setup: TableSetup) -> TableRow:
    """Change the setup. Players keep their seats. A new level of AI players is also that of those already there.

    Both tables of a duplicate match keep the same game.
    """
    require_lobby(row)
    require_host(row, user_id)
    game = (setup.size, setup.edition, setup.options, setup.settings.rated)
    if row.duplicate_of is not None and game != (row.size, row.edition, row.options, row.settings.rated):
        raise GameFixedByDuplicate(row.duplicate_of)
    while len(row.seats) > setup.size:
        fewer = _without_last_ai(row)
        if fewer is row:
            raise TableIsFull(setup.size)
        row = fewer
    seats = row.seats
    if setup.settings.ai_level != row.settings.ai_level:
        seats = tuple(replace(seat, ai_level=setup.settings.ai_level) if seat.is_ai else seat for seat in seats)
    return replace(
        row,
        seats=seats,
        size=setup.size,
        edition=setup.edition,
        options=setup.options,
        pace=setup.pace,
        settings=setup.settings,
        starts_itself=False,
    )


def invite(row: TableRow, user_id: int, guests: Sequence[int]) -> TableRow:
    """Invite users as the host. Earlier invitations stay, and removed users can join again.

    Users without a seat become `awaited`, so that they're notified only once.
    """
    require_lobby(row)
    require_host(row, user_id)
    asked = tuple(dict.fromkeys((*row.invited, *guests)))
    if len(asked) > INVITED:
        raise TooManyInvited(INVITED)
    new = newly_invited(row, guests)
    return replace(
        row,
        invited=asked,
        awaited=row.awaited + new,
        invitations=row.invitations + bool(new),
        removed=tuple(each for each in row.removed if each not in asked),
    )


def newly_invited(row: TableRow, guests: Sequence[int]) -> tuple[int, ...]:
    """The guests whom an invitation notifies: those who aren't seated and not awaited already."""
    known = {*(seat.user_id for seat in row.seats), *row.awaited}
    return tuple(guest for guest in dict.fromkeys(guests) if guest not in known)


def remove(row: TableRow, user_id: int, guest_id: int) -> TableRow:
    """Remove a player as the host. They can't join again unless they're invited."""
    require_lobby(row)
    require_host(row, user_id)
    if guest_id == user_id or not row.has_owner(guest_id):
        raise NotSeated
    return replace(
        row,
        seats=tuple(seat for seat in row.seats if seat.user_id != guest_id),
        invited=tuple(person for person in row.invited if person != guest_id),
        removed=(*row.removed, guest_id),
    )


def leave(row: TableRow, user_id: int) -> TableRow:
    """Leave a table. If the host leaves, the next player becomes host; without players, the table closes."""
    require_lobby(row)
    if not row.has_owner(user_id):
        raise NotSeated
    row = replace(row, seats=tuple(seat for seat in row.seats if seat.user_id != user_id))
    hosts = possible_hosts(row)
    if not hosts:
        return replace(row, status=Status.CLOSED)
    return replace(row, host_id=row.host_id if row.host_id in hosts else hosts[0])


def possible_hosts(row: TableRow) -> list[int]:
    """The users who can host a table, in order: players first, then absent owners."""
    playing = [seat.player_id for seat in row.seats if seat.player_id is not None]
    returning = [seat.user_id for seat in row.seats if seat.is_absent and seat.user_id is not None]
    return [*playing, *returning]


def cut(row: TableRow, user_id: int, number: int | None) -> TableRow:
    """Cut the deck at `number` (1-63), or take the cut back with None."""
    require_may_cut(row, user_id)
    if not row.has_owner(user_id):
        raise NotSeated
    return replace(row, seats=tuple(replace(s, cut=number) if s.user_id == user_id else s for s in row.seats))


def require_may_cut(row: TableRow, user_id: int) -> None:
    """Raise a refusal if a user can't cut the deck, even after joining."""
    require_lobby(row)
    if row.first_table_id is not None:
        raise NoCutAtDuplicate(row.first_table_id)
    if not row.has_owner(user_id):
        require_may_join(row, user_id)
        if len(row.seats) == row.size and _without_last_ai(row) is row:
            raise TableIsFull(row.size)


def require_complete(row: TableRow) -> None:
    """Raise `SeatsAreEmpty` unless all seats are taken."""
    if len(row.seats) < row.size:
        raise SeatsAreEmpty(row.size - len(row.seats))


def _without_last_ai(row: TableRow) -> TableRow:
    """The row without its last AI player; the same object if it has none."""
    ai_players = [number for number, seat in enumerate(row.seats) if seat.ai_level is not None]
    if not ai_players:
        return row
    seats = tuple(seat for number, seat in enumerate(row.seats) if number != ai_players[-1])
    return replace(row, seats=seats)
