"""What is told of a hand when it is over: then all hands may be seen (R26)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import Cards, State, evolve
from bot.engine.events import Dealt, Event, Gave, HandEnded


@dataclass(frozen=True, slots=True)
class HandReport:
    """The end of one hand."""

    seq: int
    """How many events had happened when it was complete, the next deal included."""
    ended: HandEnded
    direction: int
    held: tuple[Cards, ...]
    """What each seat still held."""
    gave: Gave | None = None
    """Who gives what to whom for the next hand; None after the last."""


def hand_reports(events: Sequence[Event]) -> Iterator[HandReport]:
    """Every hand of a log that is over, in order."""
    state: State | None = None
    for number, event in enumerate(events):
        if isinstance(event, HandEnded) and state is not None:
            following = events[number + 1 : number + 3]
            gave = next((gift for gift in following if isinstance(gift, Gave)), None)
            seq = number + 1 + sum(isinstance(other, Dealt | Gave) for other in following)
            yield HandReport(seq, event, state.direction, state.hands, gave)
        state = evolve(state, event)
