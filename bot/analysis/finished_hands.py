"""Splits the log of a match into its finished hands, without the moves that were taken back."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.engine import Cards, State, evolve
from bot.engine.events import Dealt, Declared, Event, Forgot, Gave, GaveBack, HandEnded, Passed, Played, Undone
from bot.engine.record import Line


@dataclass(slots=True, eq=False)
class Move:
    """A play, a pass, a forgotten "Last card!" or a gift of the exchange."""

    event: Event
    seat: int
    before: State
    after: State
    seconds: int | None = None
    """Length of the turn that the move ended, without pauses; None if it ended none, or if the log has no times."""
    declared: bool = False
    """True if "Last card!" was said with the play or after it."""

    @property
    def by(self) -> str:
        """The player's name in the log."""
        return self.before.players[self.seat]

    @property
    def ends_turn(self) -> bool:
        """False for a forgotten "Last card!" that the next move settles (R36), and for the loser's gift (R27)."""
        if isinstance(self.event, Forgot):
            return self.before.match.options.forgotten == "takes_back"
        return not isinstance(self.event, Gave)


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """One hand from its deal to its end."""

    dealt: tuple[Cards, ...]
    """The cards dealt to each seat, before the exchange."""
    cards_at_start: tuple[Cards, ...]
    """The cards of each seat after the exchange."""
    moves: tuple[Move, ...]
    before_end: State
    """The state just before the end."""
    ended: HandEnded
    index: int
    """The index of the line that ends the hand."""


def finished_hands(lines: Iterable[Line], state: State | None) -> Iterator[FinishedHand]:
    """The finished hands of a log, in order. `state` precedes the log if it begins within a match."""
    dealt: tuple[Cards, ...] = ()
    cards_at_start: tuple[Cards, ...] = ()
    moves: list[Move] = []
    since: int | None = None
    for index, line in enumerate(lines):
        event, before = line.event, state
        state = evolve(before, event)
        if isinstance(event, Dealt):
            dealt, cards_at_start, moves, since = event.hands, state.hands, [], line.at
        elif isinstance(event, HandEnded) and before is not None:
            yield FinishedHand(dealt, cards_at_start, tuple(moves), before, event, index)
        elif isinstance(event, Gave | GaveBack | Played | Passed | Forgot) and before is not None:
            move = Move(event, event.seat, before, state, declared=isinstance(event, Played) and event.last_card)
            if move.ends_turn and since is not None and line.at is not None:
                move.seconds = max(0, line.at - since - line.paused)
            moves.append(move)
            since = line.at if move.ends_turn or isinstance(event, Gave) else since
            cards_at_start = state.hands if isinstance(event, Gave | GaveBack) else cards_at_start
        elif isinstance(event, Undone):
            moves.remove(_latest(moves, event.seat))
            since = line.at
        elif isinstance(event, Declared):
            _latest(moves, event.seat, Played).declared = True


def _latest(moves: list[Move], seat: int, kind: type = object) -> Move:
    return next(move for move in reversed(moves) if move.seat == seat and isinstance(move.event, kind))
