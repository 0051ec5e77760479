"""Duplicate matches: open a second table for the same deals, and compare the results of both."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.engine.events import HandEnded
from bot.table import lobby
from bot.table.guild import Opener
from bot.table.play import Change
from bot.table.refusals import HasDuplicate, NoSuchTable, PlaysAtDuplicate
from bot.table.snapshot import Table


def create_duplicate(table: Table, channel_id: int, person: lobby.Person, opener: Opener, now: int) -> Change:
    """Open a second table for the deals of a table in its lobby (`now`: UTC seconds). Both matches are casual."""
    row = table.row
    if row.daily is not None:
        raise NoSuchTable
    lobby.require_lobby(row)
    if row.duplicate_of is not None:
        raise HasDuplicate(row.duplicate_of)
    if table.seat_of(person.user_id) is not None:
        raise PlaysAtDuplicate(row.id)
    lobby.require_may_join(row, person.user_id)
    second = lobby.new_lobby(lobby.NewTable(row.guild_id, channel_id, person, lobby.TableSetup.of(row)), row.seed, now)
    row = replace(lobby.stop_awaiting(row, person.user_id), deals_secret=True)
    return Change(row, also_create=(replace(second, duplicate_of=row.id, deals_secret=True), opener))


def users_at(table: Table) -> set[int]:
    """The users who own or play a seat."""
    people = {person for seat in table.seats for person in (seat.user_id, seat.substitute_id)}
    return {person for person in people if person is not None}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of both tables of a duplicate match. The table that started first comes first."""

    tables: tuple[Table, Table]
    hands: tuple[tuple[HandEnded, HandEnded], ...]
    """The hands that both tables have completed."""

    def points(self, seat: int) -> list[tuple[int, int]]:
        """A seat's penalty points at both tables, by hand."""
        return [(one.points[seat], other.points[seat]) for one, other in self.hands]

    def is_announced_at(self, table: Table) -> bool:
        """True if the comparison is posted for this table. If both tables share a place, only the first one has it."""
        first, second = self.tables
        return table.id == first.id or first.row.place_id != second.row.place_id


def compare(tables: tuple[Table, Table], hands: tuple[Sequence[HandEnded], Sequence[HandEnded]]) -> Comparison:
    """Pair the completed hands of two tables that have played the same deals."""
    return Comparison(tables, tuple(zip(*hands, strict=False)))
