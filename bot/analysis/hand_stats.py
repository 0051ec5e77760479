"""What the log tells of each seat beside its points: gangs, blocks, forgotten words, gifts, and how long it took."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from bot.engine import Cards, State, evolve
from bot.engine.combinations import Combination, Kind
from bot.engine.events import Dealt, Forgot, Gave, GaveBack, HandEnded, Passed, Played, Undone
from bot.engine.legality import Situation, may_pass, plays
from bot.engine.record import Line
from bot.engine.rules import situation


@dataclass(frozen=True, slots=True)
class SeatStats:
    """What a seat did, and what befell it, in one hand. Sums of them are stats of a match."""

    gangs: int = 0
    """Gangs laid."""
    biggest: int = 0
    """Cards of the biggest of them, 4 to 7; 0 for none."""
    beaten: int = 0
    """Gangs of others that it beat with its own."""
    blocked: int = 0
    """How often R31 limited what the player before this seat could do, because of its declared last card."""
    forgot: int = 0
    """How often "Last card!" was forgotten."""
    gave: tuple[int, ...] = ()
    """Ranks (1-12) of the cards that it gave in the exchange."""
    received: tuple[int, ...] = ()
    """Ranks of those that it got."""
    seconds: tuple[int, ...] = ()
    """How long each of its turns took without pauses, where the log has times."""

    def __add__(self, other: "SeatStats") -> "SeatStats":
        return SeatStats(
            self.gangs + other.gangs,
            max(self.biggest, other.biggest),
            self.beaten + other.beaten,
            self.blocked + other.blocked,
            self.forgot + other.forgot,
            self.gave + other.gave,
            self.received + other.received,
            self.seconds + other.seconds,
        )


NOTHING: Final = SeatStats()


@dataclass(frozen=True, slots=True)
class _Move:
    """A move and its stats by seat. Taking the move back removes them."""

    seat: int
    stats: tuple[tuple[int, SeatStats], ...]


@dataclass(frozen=True, slots=True)
class HandStats:
    """A hand that is over."""

    ended: HandEnded
    dealt: tuple[Cards, ...]
    """What each seat was dealt, before the exchange."""
    seats: tuple[SeatStats, ...]


def hand_stats(lines: Iterable[Line], state: State | None = None) -> Iterator[HandStats]:
    """The stats of each finished hand of a log, in order; with `state`, of the part of a log that follows it."""
    dealt: tuple[Cards, ...] = ()
    moves: list[_Move] = []
    began: int | None = None
    for line in lines:
        event, before = line.event, state
        state = evolve(before, event)
        if isinstance(event, HandEnded):
            yield HandStats(event, dealt, _summed(moves, state.size))
        elif isinstance(event, Dealt):
            dealt, moves, began = event.hands, [], line.at
        elif before is not None:
            began = _follow(moves, before, line, began)


def _follow(moves: list[_Move], before: State, line: Line, began: int | None) -> int | None:
    """Add the stats of an event. Gives when the turn that goes on or follows began.

    `sub` and `declare` lines, and a `forgot` that the next player settles, are within a turn and do not end it.
    """
    event = line.event
    took = SeatStats(seconds=() if began is None or line.at is None else (max(0, line.at - began - line.paused),))
    match event:
        case Played(seat):
            after = evolve(before, event)
            stats = (seat, took + _laid(before, after.cycle.to_beat)), *_blocking(before, seat)
            moves.append(_Move(seat, stats))
        case Passed(seat):
            moves.append(_Move(seat, ((seat, took),)))
        case Undone(seat):
            _drop_last(moves, seat)
        case Forgot(seat):
            if before.match.options.forgotten == "out":  # settled by the next player, whose turn goes on (R36)
                moves.append(_Move(seat, ((seat, SeatStats(forgot=1)),)))
                return began
            moves.append(_Move(seat, ((seat, took + SeatStats(forgot=1)),)))
        case Gave(seat, to, card) | GaveBack(seat, to, card):
            own = took if isinstance(event, GaveBack) else NOTHING
            gift = (seat, own + SeatStats(gave=(card.rank,))), (to, SeatStats(received=(card.rank,)))
            moves.append(_Move(seat, gift))
        case _:
            return began
    return line.at


def _laid(before: State, to_beat: Combination | None) -> SeatStats:
    """A gang, and whether it beat another."""
    if to_beat is None or to_beat.kind is not Kind.GANG:
        return NOTHING
    beat = before.cycle.to_beat is not None and before.cycle.to_beat.kind is Kind.GANG
    return SeatStats(gangs=1, biggest=to_beat.size, beaten=int(beat))


def _blocking(before: State, seat: int) -> tuple[tuple[int, SeatStats], ...]:
    """The seat whose declared last card limits this one's turn. Most turns before such a seat are free (R31)."""
    now = situation(before, seat)
    if now.blocked is None or not _is_limited(now):
        return ()
    return ((now.blocked, SeatStats(blocked=1)),)


def _is_limited(now: Situation) -> bool:
    """The block forbids a play, or a pass, that would be legal without it."""
    free = now._replace(blocked=None)
    return may_pass(now) != may_pass(free) or plays(now) != plays(free)


def _drop_last(moves: list[_Move], seat: int) -> None:
    latest = next(at for at, move in reversed(list(enumerate(moves))) if move.seat == seat)
    del moves[latest]


def _summed(moves: Sequence[_Move], size: int) -> tuple[SeatStats, ...]:
    found = [[stats for move in moves for who, stats in move.stats if who == seat] for seat in range(size)]
    return tuple(reduce(SeatStats.__add__, each, NOTHING) for each in found)
