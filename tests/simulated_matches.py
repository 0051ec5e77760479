"""Simulated matches of a club, stored as the services store them, and the longest record that can be imported."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, reduce
from hashlib import sha256
from itertools import accumulate, pairwise
from random import Random
from typing import Final

from bot.engine import Deal, Options, advance, begin, commitment, evolve, replay, view
from bot.engine.events import Abandoned, Event, HandEnded, MatchStarted, Passed, Played, Substituted, Undone
from bot.engine.record import Line, to_fields
from bot.engine.rules import decide
from bot.players import simple
from bot.players.simulation import SimulationSettings, simulate
from bot.services.history import MAX_RECORD_BYTES
from bot.services.results import store_results
from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import Seat, Status
from bot.table.snapshot import Table
from tests.storage.sample_rows import table_row


@dataclass(frozen=True)
class Club:
    """The members and channels of a guild, the targets of its matches and their times."""

    guild_id: int = 7
    people: Mapping[str, int] = field(default_factory=lambda: {f"Player {number}": 100 + number for number in range(7)})
    channels: Sequence[int] = (1, 2)
    targets: Sequence[int] = (5, 5, 5, 5, 5, 5, 20, 50)
    since: int = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp())
    """UTC seconds."""
    every: int = 3600
    """Seconds between two matches."""


CLUB = Club()
MATCHES = 240


async def record(database: Database, number: int, rng: Random, club: Club = CLUB) -> None:
    """Simulate a match and store it hand by hand, as the services do."""
    size = rng.choice((3, 4))
    names = rng.sample(list(club.people), size - rng.choice((0, 0, 1)))
    seats = [Seat(name, club.people[name]) for name in names]
    seats += [Seat("Jade", ai_level="simple")] * (size - len(seats))
    setting = SimulationSettings(size, "days-of-wonder", Options(target=rng.choice(club.targets)), "boards")
    _, (match, *rest) = simulate(setting, number)
    assert isinstance(match, MatchStarted)
    started = replace(match, seats=tuple(seat.name for seat in seats))
    ai_players = [Substituted(seat, "ai:simple") for seat in range(len(names), size)]
    row = table_row(guild_id=club.guild_id, status=Status.OVER, seats=tuple(seats))
    row = replace(
        row,
        duplicate_of=None,
        was_duplicate=False,
        channel_id=rng.choice(club.channels),
        size=size,
        options=setting.options,
    )
    at = club.since + club.every * number
    times = accumulate(iter(lambda: rng.choice((1, 5, 40)), None), initial=at)
    async with database.write() as connection:
        stored = await matches.load(connection, await matches.create(connection, row))
        assert stored is not None
        before = Table(stored)
        for hand in _by_hand([started, *ai_players, *rest]):
            after = before.after(hand)
            await matches.append(connection, before.id, before.length, [Line(event, at=next(times)) for event in hand])
            await store_results(connection, before, hand, after, at)
            before = after


def _by_hand(log: list[Event]) -> Iterator[tuple[Event, ...]]:
    """Split a log before the end of each hand."""
    ends = [number for number, event in enumerate(log) if isinstance(event, HandEnded)]
    for start, end in pairwise([0, *ends, len(log)]):
        yield tuple(log[start:end])


_SETTING: Final = SimulationSettings(3, "days-of-wonder", Options(target=1000), "longest")
ROOM_FOR_A_HAND: Final = 16 * 1024
"""The bytes that the lines of a hand need at most."""
FEW_MOVES: Final = 3
"""The moves of a hand before those that were taken back."""
_SEED: Final = sha256(f"{_SETTING.seed}/1".encode()).hexdigest()
"""The seed of the first match of `simulate`."""


@cache
def longest_record() -> bytes:
    """A valid record with as many moves as fit, nearly 8,000, in over a hundred hands; then it is abandoned."""
    _, events = simulate(_SETTING, 1)
    sizes = list(accumulate(len(_written(event)) for event in events))
    length = next(
        length
        for length in range(len(events) - 1, 0, -1)
        if sizes[length] < MAX_RECORD_BYTES
        and isinstance(events[length], Passed)
        and isinstance(events[length - 1], Played)
    )
    end = Abandoned("close", replay(events[:length]).totals, _SEED)
    return b"".join(map(_written, [*events[:length], end]))


@cache
def longest_hand() -> bytes:
    """A valid record of one hand that fills it with moves that were taken back, over 6,000; then it is abandoned."""
    seed = bytes(32)
    match = MatchStarted("days-of-wonder", Options(last_card="automatic"), ("Ada", "Bo", "Cy"), 0, commitment(seed), "")
    state, dealt = advance(begin(match), Deal(seed), seed)
    events, left = [match, *dealt], MAX_RECORD_BYTES - ROOM_FOR_A_HAND
    while state.last_hand is None and state.turn is not None:
        move = simple.choose_gently(view(state, state.turn))
        while left > 0 and len(state.history) == FEW_MOVES:
            pair = (*decide(state, move), Undone(state.turn))
            events += pair
            left -= sum(len(_written(event)) for event in pair)
        moves = decide(state, move)
        events += moves
        state = reduce(evolve, moves, state)
    end = Abandoned("close", state.totals, seed.hex())
    return b"".join(map(_written, [*events, end]))


def _written(event: Event) -> bytes:
    """A line without any space that it does not need."""
    return json.dumps(to_fields(Line(event)), separators=(",", ":")).encode() + b"\n"
