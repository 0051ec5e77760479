"""A table as the services hold it in memory: what is stored of it, and the match folded from its log."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.engine import Phase, PublicView, State, View, evolve, public_view, view
from bot.engine.events import Dealt, Declared, Event, Played, Substituted, Undone
from bot.table.model import Seat, TableRow
from bot.table.refusals import NotSeated


def is_gang(event: Event) -> bool:
    """Whether a gang was laid: four cards or more of one number (R10)."""
    return isinstance(event, Played) and len(event.cards) >= 4 and len({card.rank for card in event.cards}) == 1


@dataclass(frozen=True, slots=True)
class HandStart:
    """A match just before a hand was dealt: from here that hand can be folded alone."""

    state: State = field(repr=False)
    length: int
    """How many events the log had."""

    @property
    def hand(self) -> int:
        """The number of the hand that is dealt next."""
        return self.state.hand_number + 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment."""

    row: TableRow
    state: State | None = None
    """The match; None in the lobby and in lists. It holds all hands, so only services may use it."""
    length: int = 0
    """How many events the log has."""
    moment: int = 0
    """The length of the log when the present turn began: a click that means an earlier one is not obeyed."""
    gangs: int = 0
    """How many gangs have been laid in the match."""
    undone: tuple[int, ...] = ()
    """The seats that have taken a move back in this hand, each as often as it did."""
    starts: tuple[HandStart, ...] = ()
    """Where the last two hands began; no more, so that memory does not grow with the match."""

    @classmethod
    def replayed(cls, row: TableRow, events: Sequence[Event]) -> "Table":
        """The table as its row and its log make it."""
        return cls(row).after(events)

    def after(self, events: Iterable[Event]) -> "Table":
        """The table once `events` have happened."""
        new = tuple(events)
        if not new:
            return self
        state, starts, undone = self.state, self.starts, self.undone
        for number, event in enumerate(new, self.length):
            if isinstance(event, Dealt) and state is not None:
                starts, undone = (*starts, HandStart(state, number))[-2:], ()
            elif isinstance(event, Undone):
                undone = (*undone, event.seat)
            state = evolve(state, event)
        steps = [number for number, event in enumerate(new, 1) if not isinstance(event, Declared | Substituted)]
        moment = self.length + steps[-1] if steps else self.moment
        return replace(
            self,
            row=replace(self.row, turn=None if state is None else _turn(state)),
            state=state,
            length=self.length + len(new),
            moment=moment,
            gangs=self.gangs + sum(map(is_gang, new)),
            undone=undone,
            starts=starts,
        )

    def start_of(self, hand: int) -> HandStart | None:
        """Where a hand began; None unless it is one of the last two."""
        return next((start for start in self.starts if start.hand == hand), None)

    @property
    def id(self) -> int:
        """The number of the table."""
        return self.row.id

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits there, in playing order."""
        return self.row.seats

    def seat_of(self, user_id: int) -> int | None:
        """The seat that a person owns or sits in, also of one who conceded."""
        return next((n for n, seat in enumerate(self.seats) if user_id in (seat.user_id, seat.substitute_id)), None)

    @property
    def urgency(self) -> tuple[bool, int, int]:
        """Sorts tables: the soonest deadline first, then those without one, the oldest first."""
        due = self.row.clock.due if self.row.clock is not None else None
        return (due is None, due or 0, self.id)

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
        return self.row.turn if self.state is None else _turn(self.state)

    @property
    def person_to_act(self) -> int | None:
        """Who is to act, if it is a person."""
        return None if self.turn is None or not self.row.status.is_open else self.seats[self.turn].person


def _turn(state: State) -> int | None:
    return None if state.phase is Phase.OVER else state.turn
