"""What is told of a hand when it is over: then all hands may be seen (R26)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import Cards, State, evolve
from bot.engine.events import Event, Gave, HandEnded


@dataclass(frozen=True, slots=True)
class HandReport:
    """The end of one hand."""

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
            yield HandReport(event, state.direction, state.hands, gave)
        state = evolve(state, event)
