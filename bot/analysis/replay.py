"""Replays of matches: of tables, up to the last finished hand, of imported records, and of practice hands."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from itertools import accumulate, islice, zip_longest
from typing import Final, Self

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.engine import Cards, MatchStarted, State, evolve
from bot.engine.events import AI, Abandoned, Dealt, Event, Gave, HandEnded, MatchEnded, Played, Substituted, Undone
from bot.engine.record import Line
from bot.table.days import day_of
from bot.table.model import Pace, Seat, Status, TableRow
from bot.table.refusals import DailyNotOver, DuplicateNotOver, Refusal
from bot.table.snapshot import GENTLE, Table

_ENDS: Final = MatchEnded | Abandoned
STEP: Final = 64
"""Events between two stored states of a match."""
_UNKNOWN_USER: Final = 0
"""In place of ids, which records don't contain."""


class Origin(StrEnum):
    """Where a match comes from. The values are in custom ids."""

    TABLE = "t"
    IMPORT = "i"
    """A record that a user has imported."""
    PRACTICE = "p"
    """A user's practice hand."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A match after one of its events."""

    number: int
    """The number of the moment, from 0."""
    hand: int
    """The number of the hand, from 1; 0 before the first."""
    event: Event
    table: Table
    """The table at that moment, without clocks."""
    hands: tuple[Cards, ...] = field(repr=False)
    leads: bool = False
    """True if the event is a lead."""


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedMatch:
    """The public part of a match: all of it if it is over, else up to the end of its last finished hand (R26).

    `ReplayedMatch.of` replays the log once. After that, computing a moment takes at most `STEP` events.
    """

    number: int
    """The number of the table, of the imported record, or of the practice hand."""
    lines: tuple[Line, ...] = field(repr=False)
    origin: Origin
    events: tuple[Event, ...] = field(repr=False)
    stops: tuple[int, ...] = field(repr=False)
    """The number of events before each moment's end. A `sub` line isn't a moment; a deal and its gift are one."""
    deals: Mapping[int, int] = field(repr=False)
    """The number of events before each deal, by the number of the hand."""
    states: tuple[State | None, ...] = field(repr=False)
    """The state before the first event, and after every `STEP` events."""
    ai_players: frozenset[int] = field(repr=False)
    """The seats that AI players have had from the start."""

    @classmethod
    def of(cls, number: int, lines: Iterable[Line], origin: Origin = Origin.TABLE) -> Self:
        """Replay a log. It takes about 10 µs per line, so use `Background` for long logs."""
        lines = tuple(lines)
        events = tuple(line.event for line in lines)
        deals = {event.hand: length for length, event in enumerate(events) if isinstance(event, Dealt)}
        before = events[: min(deals.values(), default=len(events))]
        subs = [event for event in before if isinstance(event, Substituted)]
        states = accumulate(events[1:], evolve, initial=evolve(None, events[0]))
        return cls(
            number=number,
            lines=lines,
            origin=origin,
            events=events,
            stops=tuple(_stops(events)),
            deals=deals,
            states=(None, *islice(states, STEP - 1, None, STEP)),
            ai_players=frozenset(event.seat for event in subs if event.by.startswith(AI)),
        )

    @property
    def is_over(self) -> bool:
        """True if the log includes the end of the match."""
        return isinstance(self.events[-1], _ENDS)

    @property
    def started(self) -> MatchStarted:
        """The first event: players and options."""
        return first_event(self.events)

    @property
    def revealed_seed(self) -> str:
        """The seed of the deals, in hex; empty while the match runs."""
        last = self.events[-1]
        return last.seed if isinstance(last, _ENDS) else ""

    def first_moments(self) -> dict[int, int]:
        """The number of the first moment of each hand, by the hand; hand 0 if nothing was dealt."""
        return {hand: bisect_right(self.stops, length) for hand, length in self.deals.items()} or {0: 0}

    def at(self, moment: int) -> Moment:
        """A moment by its number, limited to the first and the last."""
        number = max(0, min(moment, len(self.stops) - 1))
        length = self.stops[number]
        return self._moment(number, self.state_after(length), length)

    def moments(self) -> Iterator[Moment]:
        """All moments, in order."""
        state, before = self.states[0], 0
        for number, length in enumerate(self.stops):
            state, before = reduce(evolve, self.events[before:length], state), length
            yield self._moment(number, state, length)

    def has_ended(self, hand: int) -> bool:
        """True if a hand was played to its end."""
        return any(isinstance(event, HandEnded) for event in self.events_of(hand))

    def report(self, hand: int) -> HandReport | None:
        """The report of a hand; None if it hasn't ended."""
        events = self.events_of(hand)
        return next(hand_reports(events, self.state_after(self.deals[hand])), None) if events else None

    def events_of(self, hand: int) -> tuple[Event, ...]:
        """The events of a hand from its deal to the gift for the next one; empty if it wasn't dealt."""
        if hand not in self.deals:
            return ()
        following = self.deals.get(hand + 1, len(self.events))
        return self.events[self.deals[hand] : following + 2]

    def moment_before(self, length: int) -> int:
        """The number of the last moment of the first `length` events."""
        return max(0, bisect_right(self.stops, length) - 1)

    def state_after(self, length: int) -> State | None:
        """The state after `length` events."""
        full = length // STEP
        return reduce(evolve, self.events[full * STEP : length], self.states[full])

    def _moment(self, number: int, state: State | None, length: int) -> Moment:
        if state is None:
            raise ValueError("nothing has happened yet")
        event = self.events[length - 1]
        leads = isinstance(event, Played) and len(state.cycle.plays) == 1
        undone = (event.seat,) if isinstance(event, Undone) else ()
        table = Table(self._row(state.players), state, length, undone=undone)
        hands = state.hands or ((),) * state.size
        return Moment(number, state.hand_number, event, table, hands, leads)

    def _row(self, players: Sequence[str]) -> TableRow:
        return TableRow(
            id=self.number,
            guild_id=_UNKNOWN_USER,
            channel_id=_UNKNOWN_USER,
            host_id=_UNKNOWN_USER,
            status=Status.PLAYING,
            size=len(self.started.seats),
            edition=self.started.edition,
            options=self.started.options,
            pace=Pace.NONE,
            seed=b"",
            created_at=0,
            seats=tuple(self._seat(number, player) for number, player in enumerate(players)),
        )

    def _seat(self, number: int, player: str) -> Seat:
        """A seat and its player at the time."""
        name = self.started.seats[number]
        owner = None if number in self.ai_players else _UNKNOWN_USER
        if player in (name, GENTLE):
            return Seat(name, owner)
        if player.startswith(AI):
            return Seat(name, owner, ai_level=player.removeprefix(AI), ai_style=None)
        return Seat(name, owner, substitute_id=_UNKNOWN_USER, substitute_name=player)


def first_event(log: Sequence[Event]) -> MatchStarted:
    """The first event of a log: players and options."""
    if not isinstance(log[0], MatchStarted):
        raise TypeError("a log begins with its match")
    return log[0]


def _stops(events: Sequence[Event]) -> Iterator[int]:
    """The number of events up to each moment."""
    for length, (event, after) in enumerate(zip_longest(events, events[1:]), 1):
        if not isinstance(event, MatchStarted | Substituted) and not isinstance(after, Gave):
            yield length


def reason_for_secrecy(row: TableRow, now: int) -> Refusal | None:
    """The reason why a table's deals are secret after its match, or None (`now`: UTC milliseconds).

    Others may still play today's hand of the day, and a duplicate match until both tables have finished.
    """
    if row.daily is not None and row.daily >= day_of(now):
        return DailyNotOver()
    if row.deals_secret and row.duplicate_of is not None:
        return DuplicateNotOver(row.duplicate_of)
    return None


def may_reveal_seed(table: Table, now: int) -> bool:
    """True if a match is over and nobody else can play its deals (`now`: UTC milliseconds)."""
    is_over = table.state is not None and not table.row.status.is_open
    return is_over and reason_for_secrecy(table.row, now) is None


def public_part(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a log up to its last finished hand; later lines may reveal hands in play."""
    if lines and isinstance(lines[-1].event, _ENDS):
        return tuple(lines)
    ends = [number for number, line in enumerate(lines, 1) if isinstance(line.event, HandEnded)]
    return tuple(lines[: ends[-1]]) if ends else ()
