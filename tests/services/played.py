"""Simulated matches of a club, stored as the services store them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate, pairwise
from random import Random

from bot.engine import Options
from bot.engine.events import Event, HandEnded, MatchStarted, Substituted
from bot.engine.record import Line
from bot.players.simulation import SimulationSettings, simulate
from bot.services.results import store_results
from bot.storage import matches
from bot.storage.database import Database
from bot.table.model import Seat, Status
from bot.table.snapshot import Table
from tests.storage.rows import table_row


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
    row = replace(row, channel_id=rng.choice(club.channels), size=size, options=setting.options)
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
