"""Matches to be gone through again: of tables, as far as their hands are over, and records from elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.engine import Cards, MatchStarted, State, evolve, replay
from bot.engine.events import Abandoned, Dealt, Event, Gave, HandEnded, MatchEnded, Played, Substituted
from bot.engine.record import Line
from bot.services.absence import GENTLE
from bot.services.days import day_of
from bot.services.refusals import DayIsNotOver, TwinStillPlays
from bot.services.reports import HandReport, hand_reports
from bot.services.table import Table
from bot.storage.rows import Pace, Seat, Status, TableRow

_ENDS: Final = MatchEnded | Abandoned
_NOBODY: Final = 0
"""Whose ids the record does not tell."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A match as it was once something had happened."""

    number: int
    """From 0."""
    hand: int
    """The number of the hand, from 1; 0 before the first."""
    event: Event
    table: Table
    """The table as it stood, without clocks."""
    hands: tuple[Cards, ...] = field(repr=False)
    leads: bool = False
    """Whether what happened opened a cycle."""


@dataclass(frozen=True, slots=True)
class Past:
    """What of a match everybody may see: all of it, if it is over; else until the end of its last hand (R26)."""

    number: int
    """Of the table, or of what was imported."""
    lines: tuple[Line, ...] = field(repr=False)
    imported: bool = False

    @property
    def events(self) -> list[Event]:
        """What happened."""
        return [line.event for line in self.lines]

    @property
    def is_over(self) -> bool:
        """Whether all of the match is there."""
        return isinstance(self.lines[-1].event, _ENDS)

    @property
    def match(self) -> MatchStarted:
        """Who sat down to what."""
        first = self.lines[0].event
        if not isinstance(first, MatchStarted):
            raise TypeError("a log begins with its match")
        return first

    @property
    def seed(self) -> str:
        """What the deals were made of, in hex; nothing while the match runs."""
        last = self.lines[-1].event
        return last.seed if isinstance(last, _ENDS) else ""

    def stops(self) -> list[int]:
        """How many events there had been at each moment. Who plays is none; a deal and the gift after it are one."""
        events = self.events
        following = [*events[1:], None]
        return [
            number
            for number, (event, after) in enumerate(zip(events, following, strict=True), 1)
            if not isinstance(event, MatchStarted | Substituted) and not isinstance(after, Gave)
        ]

    def hands(self) -> dict[int, int]:
        """At which moment each hand begins."""
        found: dict[int, int] = {}
        hand, events = 0, self.events
        for moment, stop in enumerate(self.stops()):
            hand = next((event.hand for event in events[max(0, stop - 2) : stop] if isinstance(event, Dealt)), hand)
            found.setdefault(hand, moment)
        return found

    def at(self, moment: int) -> Moment:
        """The match at a moment; before the first is the first, after the last the last."""
        stops = self.stops()
        number = max(0, min(moment, len(stops) - 1))
        return self._moment(number, replay(self.events[: stops[number]]), stops[number])

    def moments(self) -> Iterator[Moment]:
        """All of them, in order."""
        state, numbers = None, {stop: number for number, stop in enumerate(self.stops())}
        for length, event in enumerate(self.events, 1):
            state = evolve(state, event)
            if length in numbers:
                yield self._moment(numbers[length], state, length)

    def ended(self) -> set[int]:
        """The hands that were played to their end."""
        return {event.hand for event in self.events if isinstance(event, HandEnded)}

    def report(self, hand: int) -> HandReport | None:
        """How a hand ended; None for one that did not."""
        return next((report for report in hand_reports(self.events) if report.ended.hand == hand), None)

    def _moment(self, number: int, state: State, length: int) -> Moment:
        event = self.lines[length - 1].event
        leads = isinstance(event, Played) and len(state.cycle.plays) == 1
        table = Table(self._row(state.players), state, length)
        hands = state.hands or ((),) * state.size
        return Moment(number, state.hand_number, event, table, hands, leads)

    def _row(self, players: Sequence[str]) -> TableRow:
        return TableRow(
            id=self.number,
            guild_id=_NOBODY,
            channel_id=_NOBODY,
            host_id=_NOBODY,
            status=Status.PLAYING,
            size=len(self.match.seats),
            edition=self.match.edition,
            options=self.match.options,
            pace=Pace.NONE,
            seed=b"",
            created_at=0,
            seats=tuple(self._seat(number, player) for number, player in enumerate(players)),
        )

    def _seat(self, number: int, player: str) -> Seat:
        """A seat, and who played it then."""
        name = self.match.seats[number]
        robots = {event.seat for event in self._before_the_deal() if event.by.startswith("ai:")}
        owner = None if number in robots else _NOBODY
        if player in (name, GENTLE):
            return Seat(name, owner)
        if player.startswith("ai:"):
            return Seat(name, owner, robot=player.removeprefix("ai:"))
        return Seat(name, owner, sitter_id=_NOBODY, sitter_name=player)

    def _before_the_deal(self) -> list[Substituted]:
        """Who was played by an AI player from the start."""
        events = self.events
        first = next((number for number, event in enumerate(events) if isinstance(event, Dealt)), len(events))
        return [event for event in events[:first] if isinstance(event, Substituted)]


def require_told(row: TableRow, now: int) -> None:
    """Raise what keeps a match secret whose deals others still play (`now`: UTC milliseconds).

    That is the hand of the present day, and a duplicate match until it is over at both tables.
    """
    if row.daily is not None and row.daily >= day_of(now):
        raise DayIsNotOver
    if row.sealed and row.twin_id is not None:
        raise TwinStillPlays(row.twin_id)


def public_part(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a log that everybody may see: what follows the end of the last hand may hold hands in play."""
    if lines and isinstance(lines[-1].event, _ENDS):
        return tuple(lines)
    ends = [number for number, line in enumerate(lines, 1) if isinstance(line.event, HandEnded)]
    return tuple(lines[: ends[-1]]) if ends else ()
