"""Statistics of finished hands, seat by seat: gangs, blocks, forgotten declarations, gifts and thinking times."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.analysis.finished_hands import Move, finished_hands
from bot.engine import Cards, State
from bot.engine.combinations import Combination, Kind
from bot.engine.events import Forgot, Gave, GaveBack, HandEnded, Played
from bot.engine.legality import may_pass, plays
from bot.engine.record import Line
from bot.engine.rules import situation


@dataclass(frozen=True, slots=True)
class SeatStats:
    """The statistics of a seat in one hand; they add up to those of a match."""

    gangs: int = 0
    """Gangs played."""
    biggest: int = 0
    """Cards of the biggest gang, 4-7; 0 if it played none."""
    beaten: int = 0
    """Opponents' gangs that it beat with gangs."""
    blocked: int = 0
    """Turns of the player before it that R31 limited because of its declared last card."""
    forgot: int = 0
    """Times it forgot "Last card!"."""
    gave: tuple[int, ...] = ()
    """Ranks (1-12) of the cards that it gave in the exchange."""
    received: tuple[int, ...] = ()
    """Ranks of the cards that it received."""
    seconds: tuple[int, ...] = ()
    """Length of each of its turns without pauses; empty if the log has no times."""

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


@dataclass(frozen=True, slots=True)
class HandStats:
    """A finished hand."""

    ended: HandEnded
    dealt: tuple[Cards, ...]
    """The cards dealt to each seat, before the exchange."""
    seats: tuple[SeatStats, ...]
    moves: tuple[Counter[str], ...]
    """The number of turns of each seat that each player in the log has ended with a move."""


def hand_stats(lines: Iterable[Line], state: State | None = None) -> Iterator[HandStats]:
    """The finished hands of a log, in order. `state` precedes the log if it begins within a match."""
    for hand in finished_hands(lines, state):
        seats = [SeatStats()] * hand.before_end.size
        moves = tuple(Counter[str]() for _ in seats)
        for move in hand.moves:
            moves[move.seat][move.by] += move.ends_turn
            for seat, stats in _stats_of(move):
                seats[seat] += stats
        yield HandStats(hand.ended, hand.dealt, tuple(seats), moves)


def _stats_of(move: Move) -> Iterator[tuple[int, SeatStats]]:
    """The statistics of one move, by seat."""
    if move.seconds is not None:
        yield move.seat, SeatStats(seconds=(move.seconds,))
    match move.event:
        case Played(seat):
            yield seat, _gang(move.before.cycle.to_beat, move.after.cycle.to_beat)
            yield from _blocking(move.before, seat)
        case Forgot(seat):
            yield seat, SeatStats(forgot=1)
        case Gave(seat, to, card) | GaveBack(seat, to, card):
            yield seat, SeatStats(gave=(card.rank,))
            yield to, SeatStats(received=(card.rank,))


def _gang(to_beat: Combination | None, played: Combination | None) -> SeatStats:
    """A gang, and whether it beat another."""
    if played is None or played.kind is not Kind.GANG:
        return SeatStats()
    return SeatStats(gangs=1, biggest=played.size, beaten=int(to_beat is not None and to_beat.kind is Kind.GANG))


def _blocking(before: State, seat: int) -> Iterator[tuple[int, SeatStats]]:
    """A block by the next seat, if it forbids a play or pass of `seat` that would be legal otherwise (R31)."""
    now = situation(before, seat)
    if now.blocked is not None:
        free = now._replace(blocked=None)
        if may_pass(now) != may_pass(free) or plays(now) != plays(free):
            yield now.blocked, SeatStats(blocked=1)
