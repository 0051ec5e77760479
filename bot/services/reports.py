"""What is told of a hand when it is over: then all hands may be seen (R26)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import Cards, State, evolve
from bot.engine.events import Dealt, Event, Gave, GaveBack, HandEnded


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


def hand_reports(events: Sequence[Event]) -> Iterator[HandReport]:
    """Every hand of a log that is over, in order."""
    state: State | None = None
    began: tuple[Cards, ...] = ()
    for number, event in enumerate(events):
        if isinstance(event, HandEnded) and state is not None:
            following = events[number + 1 : number + 3]
            gave = next((gift for gift in following if isinstance(gift, Gave)), None)
            yield HandReport(event, state.direction, state.hands, began, gave)
        state = evolve(state, event)
        if isinstance(event, Dealt | GaveBack):
            began = state.hands
