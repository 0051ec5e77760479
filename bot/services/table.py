"""A table as the services hold it in memory: what is stored of it, and the match folded from its log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from bot.engine import Phase, PublicView, State, View, evolve, public_view, view
from bot.engine.events import Declared, Event, Substituted
from bot.services.refusals import NotSeated
from bot.storage.rows import Seat, TableRow


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment."""

    row: TableRow
    state: State | None = None
    """The match; None in the lobby. It holds every hand and is nobody's but the services'."""
    length: int = 0
    """How many events the log has."""
    moment: int = 0
    """The length of the log when the present turn began: a click that means an earlier one is not obeyed."""

    @classmethod
    def replayed(cls, row: TableRow, events: Sequence[Event]) -> "Table":
        """The table as its row and its log make it."""
        return cls(row).after(events)

    def after(self, events: Iterable[Event]) -> "Table":
        """The table once `events` have happened."""
        new = tuple(events)
        if not new:
            return self
        steps = [number for number, event in enumerate(new, 1) if not isinstance(event, Declared | Substituted)]
        moment = self.length + steps[-1] if steps else self.moment
        return replace(self, state=reduce(evolve, new, self.state), length=self.length + len(new), moment=moment)

    @property
    def id(self) -> int:
        """The number of the table."""
        return self.row.id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits there, in playing order."""
        return self.row.seats

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a person, also of one who conceded."""
        return next((number for number, seat in enumerate(self.seats) if seat.user_id == user_id), None)

    def view_of(self, user_id: int) -> View:
        """All that this person may know of the match. Raises `NotSeated`."""
        seat = self.seat_of(user_id)
        if seat is None or self.state is None:
            raise NotSeated
        return view(self.state, seat)

    def public(self) -> PublicView | None:
        """What everybody may know of the match; None in the lobby."""
        return None if self.state is None else public_view(self.state)

    @property
    def turn(self) -> int | None:
        """The seat that is to act."""
        return None if self.state is None or self.state.phase is Phase.OVER else self.state.turn
