"""Positions of whole matches, with the cards that a seat can't see dealt again."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from random import Random
from typing import Final

from bot.engine import EDITIONS, MatchStarted, Options, Phase, Play, State, View, advance, begin, commitment, view
from bot.engine.moves import Deal, Move
from bot.players import simple

TARGET: Final = 40


def start(text: str, options: Options, seats: int) -> tuple[State, bytes]:
    """A match after its first deal, and its seed."""
    seed = sha256(text.encode()).digest()
    match = MatchStarted("days-of-wonder", options, tuple("ABCD")[:seats], 0, commitment(seed), "1")
    return advance(begin(match), Deal(seed), seed)[0], seed


def played(text: str) -> Iterator[tuple[State, Move]]:
    """The states and moves of matches of simple players, with random moves, in every edition."""
    for edition in EDITIONS:
        for seats in (3, 4):
            chance = Random(f"{text} {edition} {seats}")
            state, seed = start(f"{text} {edition} {seats}", Options.of(edition, {"target": TARGET}), seats)
            while state.phase is not Phase.OVER:
                move = random_move(seen(state), chance)
                yield state, move
                state, _ = advance(state, move, seed)


def random_move(view: View, chance: Random) -> Move:
    """A simple player's move, or another play, which sometimes leaves the last card undeclared."""
    move, plays = simple.choose(view), view.plays()
    if isinstance(move, Play) and chance.random() < 0.3:
        move = Play(view.seat, chance.choice(plays).cards)
    if isinstance(move, Play) and len(view.hand) - len(move.cards) == 1:
        return replace(move, last_card=chance.random() < 0.5)
    return move


@cache
def all_states() -> tuple[State, ...]:
    """The states before each move of some matches, from all editions."""
    return tuple(state for state, _ in played("states"))


def states(text: str, number: int) -> list[State]:
    """Some states before a move, from all editions."""
    return Random(text).sample(all_states(), number)


def seen(state: State) -> View:
    """The view of the seat to act, with its history."""
    assert state.turn is not None
    return view(state, state.turn, with_played=True)


def dealt_again(state: State, chance: Random) -> State:
    """The state with the cards that the seat to act can't see dealt again."""
    others = [seat for seat in range(state.size) if seat != state.turn]
    hidden = [*state.dummy, *(card for seat in others for card in state.hands[seat])]
    chance.shuffle(hidden)
    hands, undo = list(state.hands), None
    for seat in others:
        size = len(state.hands[seat])
        hands[seat], hidden = tuple(sorted(hidden[:size])), hidden[size:]
    return replace(state, hands=tuple(hands), dummy=tuple(sorted(hidden)), undo=undo)
