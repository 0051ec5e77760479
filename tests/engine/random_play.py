"""Whole matches by random moves. Players forget, declare late, take back, leave and give up."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random

from bot.engine import (
    Abandon,
    Deal,
    Declare,
    GiveBack,
    MatchStarted,
    Options,
    Pass,
    Phase,
    Play,
    State,
    Substitute,
    TakeBack,
    View,
    advance,
    begin,
    commitment,
    view,
)
from bot.engine.events import Event, Passed, Played
from bot.engine.moves import Move
from bot.engine.record import Line

NAMES = ("Ada", "Bo", "Cy", "Dī \u2028 <@1> 🐉")
Step = tuple[State, tuple[Event, ...]]


@dataclass(frozen=True, slots=True)
class Probabilities:
    """The probabilities (0-1) of what players do if it's legal."""

    forget: float = 0.2
    declare_late: float = 0.3
    take_back: float = 0.02
    change_seats: float = 0.005
    give_up: float = 0.0


@dataclass(slots=True)
class RandomMatch:
    """One match; iterate over it for each state and the events that led there."""

    rng: Random
    edition: str
    options: Options
    seats: int
    probabilities: Probabilities = field(default_factory=Probabilities)
    seed: bytes = field(init=False)
    match: MatchStarted = field(init=False)
    eagerness: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.seed = self.rng.randbytes(32)
        salt = "-".join(str(self.rng.getrandbits(60)) for _ in range(self.seats - 1)) + "-ai"
        dealer = self.rng.randrange(self.seats)
        self.match = MatchStarted(self.edition, self.options, NAMES[-self.seats :], dealer, commitment(self.seed), salt)
        self.eagerness = [self.rng.choice((0.15, 0.5, 0.85, 0.97)) for _ in range(self.seats)]

    def __iter__(self) -> Iterator[Step]:
        state = begin(self.match)
        yield state, (self.match,)
        state, events = advance(state, Deal(self.seed), self.seed)
        yield state, events
        while state.phase is not Phase.OVER:
            state, events = advance(state, self._move(state, events[-1]), self.seed)
            yield state, events

    def _chance(self, often: float) -> bool:
        return self.rng.random() < often

    def _move(self, state: State, last: Event) -> Move:
        """The next move; it is legal."""
        probabilities = self.probabilities
        if self._chance(probabilities.give_up):
            return Abandon("nobody is left", self.seed)
        if self._chance(probabilities.change_seats):
            return Substitute(self.rng.randrange(self.seats), self.rng.choice(("Eve", "ai:easy")), self._chance(0.5))
        if isinstance(last, Played | Passed) and self._chance(probabilities.take_back):
            return TakeBack(last.seat)
        late = [seat for seat in range(self.seats) if state.hands and view(state, seat).may_declare]
        if late and self._chance(probabilities.declare_late):
            return Declare(self.rng.choice(late))
        assert state.turn is not None
        return self._turn(view(state, state.turn))

    def _turn(self, seen: View) -> Move:
        if seen.may_give_back:
            return GiveBack(seen.seat, self.rng.choice(seen.hand))
        plays = seen.plays()
        if seen.may_pass and (not plays or not self._chance(self.eagerness[seen.seat])):
            return Pass(seen.seat)
        chosen = self.rng.choice(plays)
        if self._chance(0.5):
            chosen = max(chosen, self.rng.choice(plays), self.rng.choice(plays), key=attrgetter("size"))
        one_left = len(seen.hand) - chosen.size == 1
        return Play(seen.seat, chosen.cards, last_card=one_left and not self._chance(self.probabilities.forget))


def play_out(match: RandomMatch) -> list[Line]:
    """The record of a match."""
    lines, at = [], 1_700_000_000
    for _, events in match:
        at += match.rng.randrange(60)
        lines += [Line(event, at) for event in events]
    return lines
