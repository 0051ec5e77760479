"""TODO."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.engine.events import HandEnded
from bot.table import lobby
from bot.table.play import Change
from bot.table.refusals import HasDuplicate, NoSuchTable, PlaysAtDuplicate
from bot.table.snapshot import Table


def doubled(table: Table, channel_id: int, person: lobby.Person, now: int) -> Change:
    """Have somebody open a second table for the deals of one that is in its lobby yet (`now`: UTC seconds)."""
    row = table.row
    if row.daily is not None:
        raise NoSuchTable
    lobby.require_lobby(row)
    if row.duplicate_of is not None:
        raise HasDuplicate(row.duplicate_of)
    if table.seat_of(person.user_id) is not None:
        raise PlaysAtDuplicate(row.id)
    lobby.require_welcome(row, person.user_id)
    second = lobby.new_lobby(lobby.NewTable(row.guild_id, channel_id, person, lobby.TableSetup.of(row)), row.seed, now)
    row = replace(lobby.arrived(row, person.user_id), deals_secret=True)
    return Change(row, also_create=replace(second, duplicate_of=row.id, deals_secret=True))


def _people(table: Table) -> set[int]:
    people = {person for seat in table.seats for person in (seat.user_id, seat.substitute_id)}
    return {person for person in people if person is not None}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a duplicate match has come out at its two tables, the one that began first first."""

    tables: tuple[Table, Table]
    hands: tuple[tuple[HandEnded, HandEnded], ...]
    """Those that were played to their end at both."""

    def points(self, seat: int) -> list[tuple[int, int]]:
        """The penalty points of a seat at both tables, hand by hand."""
        return [(one.points[seat], other.points[seat]) for one, other in self.hands]

    def is_told_at(self, table: Table) -> bool:
        """Whether one of the two tells of it where it stands; where both stand in one place, the first does."""
        first, second = self.tables
        return table.id == first.id or first.row.place_id != second.row.place_id


def compared(tables: tuple[Table, Table], hands: tuple[Sequence[HandEnded], Sequence[HandEnded]]) -> Comparison:
    """Compare two tables that have played the same deals, hand by hand as far as both came."""
    return Comparison(tables, tuple(zip(*hands, strict=False)))
