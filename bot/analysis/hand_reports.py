"""What is told of a hand when it is over: then all hands may be seen (R26)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.engine import Cards, State, evolve
from bot.engine.events import Dealt, Declared, Event, Forgot, Gave, GaveBack, HandEnded, Passed, Played, Undone


@dataclass(frozen=True, slots=True)
class HandMove:
    """A play, a pass, or that somebody is out for forgetting; what was taken back is none."""

    seat: int
    cards: Cards = ()
    leads: bool = False
    declared: bool = False
    """Whether "Last card!" was said with it, or after it."""
    forgot: bool = False
    by: str = ""
    """Who made it, as the record names them."""


@dataclass(frozen=True, slots=True)
class HandReport:
    """The end of one hand."""

    ended: HandEnded
    direction: int
    held: tuple[Cards, ...]
    """What each seat still held."""
    began: tuple[Cards, ...]
    """What each seat began with, the exchange done."""
    gave: Gave | None = None
    """Who gives what to whom for the next hand; None after the last."""
    moves: tuple[HandMove, ...] = ()

    def without_cards(self) -> "HandReport":
        """What may be told of it while others still play the same deals: how many cards were left, and points."""
        nothing: tuple[Cards, ...] = ((),) * len(self.held)
        return replace(self, held=nothing, began=nothing, gave=None, moves=())


def hand_reports(events: Sequence[Event], state: State | None = None) -> Iterator[HandReport]:
    """Every finished hand of a log, in order; with `state`, of the part of a log that follows it."""
    began: tuple[Cards, ...] = ()
    moves: list[HandMove] = []
    for number, event in enumerate(events):
        if isinstance(event, HandEnded) and state is not None:
            following = events[number + 1 : number + 3]
            gave = next((gift for gift in following if isinstance(gift, Gave)), None)
            yield HandReport(event, state.direction, state.hands, began, gave, tuple(moves))
        before, state = state, evolve(state, event)
        if isinstance(event, Dealt | GaveBack):
            began, moves = state.hands, []
        elif before is not None:
            _follow(moves, event, before, state)


def _follow(moves: list[HandMove], event: Event, before: State, after: State) -> None:
    """Add to the moves of a hand what an event means for them."""
    by = before.players
    match event:
        case Played(seat, cards, last_card):
            moves.append(HandMove(seat, cards, leads=not before.cycle.plays, declared=last_card, by=by[seat]))
        case Passed(seat):
            moves.append(HandMove(seat, by=by[seat]))
        case Undone(seat):
            _drop_last(moves, seat)
        case Declared(seat):
            latest = next(at for at, move in reversed(list(enumerate(moves))) if move.seat == seat and move.cards)
            moves[latest] = replace(moves[latest], declared=True)
        case Forgot(seat):
            if len(after.hands[seat]) > len(before.hands[seat]):  # the last card returns (R30)
                _drop_last(moves, seat)
            moves.append(HandMove(seat, forgot=True, by=by[seat]))


def _drop_last(moves: list[HandMove], seat: int) -> None:
    """Forget the last move of a seat."""
    latest = next(at for at, move in reversed(list(enumerate(moves))) if move.seat == seat)
    del moves[latest]
