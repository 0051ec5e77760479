"""What the log tells of each seat beside its points: gangs, blocks, forgotten words, gifts, and how long it took."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from bot.engine import Cards, State, evolve
from bot.engine.combinations import Combination, Kind
from bot.engine.events import Dealt, Declared, Event, Forgot, Gave, GaveBack, HandEnded, Passed, Played, Undone
from bot.engine.record import Line
from bot.engine.rules import situation


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What a seat did, and what befell it, in one hand. Sums of them are facts of a match."""

    gangs: int = 0
    """Gangs laid."""
    biggest: int = 0
    """Cards of the biggest of them, 4 to 7; 0 for none."""
    beaten: int = 0
    """Gangs of others that it beat with its own."""
    blocked: int = 0
    """Plays that somebody made under the duty to block its last card (R31)."""
    forgot: int = 0
    """How often "Last card!" was forgotten."""
    gave: tuple[int, ...] = ()
    """Ranks (1-12) of the cards that it gave in the exchange."""
    received: tuple[int, ...] = ()
    """Ranks of those that it got."""
    seconds: tuple[int, ...] = ()
    """What its turns took, where the log tells the times."""

    def __add__(self, other: "SeatFacts") -> "SeatFacts":
        return SeatFacts(
            self.gangs + other.gangs,
            max(self.biggest, other.biggest),
            self.beaten + other.beaten,
            self.blocked + other.blocked,
            self.forgot + other.forgot,
            self.gave + other.gave,
            self.received + other.received,
            self.seconds + other.seconds,
        )


NOTHING: Final = SeatFacts()


@dataclass(frozen=True, slots=True)
class _Move:
    """What a move came to, for each seat that it concerns; taken back, it came to nothing."""

    seat: int
    facts: tuple[tuple[int, SeatFacts], ...]


@dataclass(frozen=True, slots=True)
class HandFacts:
    """A hand that is over."""

    ended: HandEnded
    dealt: tuple[Cards, ...]
    """What each seat was dealt, before the exchange."""
    seats: tuple[SeatFacts, ...]


def hand_facts(lines: Iterable[Line], state: State | None = None) -> Iterator[HandFacts]:
    """The facts of each finished hand of a log, in order; with `state`, of the part of a log that follows it."""
    dealt: tuple[Cards, ...] = ()
    moves: list[_Move] = []
    began: int | None = None
    for line in lines:
        event, before = line.event, state
        state = evolve(before, event)
        if isinstance(event, HandEnded):
            yield HandFacts(event, dealt, _summed(moves, state.size))
        elif isinstance(event, Dealt):
            dealt, moves = event.hands, []
        elif before is not None:
            _follow(moves, before, event, None if began is None or line.at is None else line.at - began)
        if not isinstance(event, Declared):
            began = line.at


def _follow(moves: list[_Move], before: State, event: Event, seconds: int | None) -> None:
    """Add what an event means."""
    took = SeatFacts(seconds=() if seconds is None else (seconds,))
    match event:
        case Played(seat):
            after = evolve(before, event)
            lies = after.cycle.lies
            moves.append(_Move(seat, ((seat, took + _laid(before, lies)), *_blocking(before, seat))))
        case Passed(seat):
            moves.append(_Move(seat, ((seat, took),)))
        case Undone(seat):
            _drop_last(moves, seat)
        case Forgot(seat):
            if len(evolve(before, event).hands[seat]) > len(before.hands[seat]):  # the last card returns (R30)
                _drop_last(moves, seat)
            moves.append(_Move(seat, ((seat, SeatFacts(forgot=1)),)))
        case Gave(seat, to, card) | GaveBack(seat, to, card):
            own = took if isinstance(event, GaveBack) else NOTHING
            gift = (seat, own + SeatFacts(gave=(card.rank,))), (to, SeatFacts(received=(card.rank,)))
            moves.append(_Move(seat, gift))


def _laid(before: State, lies: Combination | None) -> SeatFacts:
    """A gang, and whether it beat another."""
    if lies is None or lies.kind is not Kind.GANG:
        return NOTHING
    beat = before.cycle.lies is not None and before.cycle.lies.kind is Kind.GANG
    return SeatFacts(gangs=1, biggest=lies.size, beaten=int(beat))


def _blocking(before: State, seat: int) -> tuple[tuple[int, SeatFacts], ...]:
    """Whose last card the play had to block."""
    blocked = situation(before, seat).blocked
    return () if blocked is None else ((blocked, SeatFacts(blocked=1)),)


def _drop_last(moves: list[_Move], seat: int) -> None:
    latest = next(at for at, move in reversed(list(enumerate(moves))) if move.seat == seat)
    del moves[latest]


def _summed(moves: Sequence[_Move], size: int) -> tuple[SeatFacts, ...]:
    found = [[facts for move in moves for who, facts in move.facts if who == seat] for seat in range(size)]
    return tuple(reduce(SeatFacts.__add__, each, NOTHING) for each in found)
