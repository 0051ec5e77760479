"""Simulates whole matches of AI players, for records, statistics and tests."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from random import Random

from bot.engine import Declare, MatchStarted, Options, Phase, Play, State, advance, begin, commitment, replay, view
from bot.engine.events import AI, Event, Substituted
from bot.engine.moves import Deal, Move
from bot.players import simple
from bot.players.levels import Level, choose, seed_of

FORGET_PROBABILITY = 0.1
"""The probability that a simulated player forgets to declare with its play."""
RECALL_PROBABILITY = 0.5
"""The probability that it then declares: before the next player moves, or when it wants to play that card."""


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """The settings of a series of simulated matches."""

    seats: int
    edition: str
    options: Options
    seed: str
    """Any text; the same text gives the same matches."""
    levels: tuple[Level, ...] = ()
    """The levels of the players, taken in turn by the seats. Without any, they are simple players who forget."""


def simulate(setting: SimulationSettings, number: int) -> tuple[State, list[Event]]:
    """Play match `number` of a series to its end. Returns the final state and the whole log."""
    text = f"{setting.seed}/{number}".encode(errors="surrogateescape")  # arguments of a shell may be any bytes
    seed = sha256(text).digest()
    chance = Random(seed)  # noqa: S311  # only for forgetting; the deal has its own randomness
    names = tuple(f"Player {seat + 1}" for seat in range(setting.seats))
    salt = "-".join(["ai"] * setting.seats)
    dealer = chance.randrange(setting.seats)
    match = MatchStarted(setting.edition, setting.options, names, dealer, commitment(seed), salt)
    events: list[Event] = [match]
    state = begin(match)
    if setting.levels:
        events += (Substituted(seat, f"{AI}{_level(setting, seat)}") for seat in range(setting.seats))
        state = replay(events)
    state, new = advance(state, Deal(seed), seed)
    events += new
    while state.phase is not Phase.OVER:
        for move in _moves(state, chance) if not setting.levels else [_choice(state, setting)]:
            state, new = advance(state, move, seed)
            events += new
    return state, events


def _level(setting: SimulationSettings, seat: int) -> Level:
    return setting.levels[seat % len(setting.levels)]


def _choice(state: State, setting: SimulationSettings) -> Move:
    if state.turn is None:
        raise ValueError("no seat can act")
    seen = view(state, state.turn, with_played=True)
    return choose(_level(setting, state.turn), seen, seed_of(seen))


def _moves(state: State, chance: Random) -> Iterator[Move]:
    if state.turn is None:
        raise ValueError("no seat can act")
    seen = view(state, state.turn)
    move = simple.choose(seen)
    if isinstance(move, Declare) and seen.plays() and chance.random() >= RECALL_PROBABILITY:
        yield Play(move.seat, seen.hand)
        return
    if not isinstance(move, Play) or not move.last_card or chance.random() >= FORGET_PROBABILITY:
        yield move
        return
    yield replace(move, last_card=False)
    if state.match.options.last_card == "declared" and chance.random() < RECALL_PROBABILITY:
        yield Declare(move.seat)
