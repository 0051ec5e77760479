"""Gangs of a match: who played them, and what they beat."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.engine import Cards, Combination, Kind, State, evolve
from bot.engine.cards import is_gang
from bot.engine.events import AI, Event, Played


@dataclass(frozen=True, slots=True)
class GangPlay:
    """A gang that was played."""

    seat: int
    cards: Cards
    hand: int
    by_ai: bool
    beaten: tuple[int, Combination] | None = None
    """The seat and the play that it beat; None if it was led."""
    follows: int = 0
    """The number of gangs right before it in the same cycle."""


def gang_plays(events: Iterable[Event], state: State | None) -> list[GangPlay]:
    """The gangs among events, in order. `state` precedes the events; None: they begin with the match."""
    found = []
    for event in events:
        if isinstance(event, Played) and state is not None and is_gang(event.cards):
            plays = state.cycle.plays
            by_ai = state.players[event.seat].startswith(AI)
            beaten = plays[-1] if plays else None
            found.append(GangPlay(event.seat, event.cards, state.hand_number, by_ai, beaten, _gangs_at_end(state)))
        state = evolve(state, event)
    return found


def _gangs_at_end(state: State) -> int:
    number = 0
    for _, combination in reversed(state.cycle.plays):
        if combination.kind is not Kind.GANG:
            break
        number += 1
    return number
