"""Matches for measuring: the hero plays the same deals in every seat against the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.engine.options import Options
from bot.players.compiled.equity import Pool
from bot.players.compiled.hand import set_options
from bot.players.compiled.match import chance_of
from bot.players.compiled.network import Network
from bot.players.compiled.tables import Tables
from training.arena import Arena, play_match

OPTIONS: Final = Options()
BEST: Final = -1.0
"""No random moves, and no recording."""


@dataclass(frozen=True, slots=True)
class Contest:
    """One hero against copies of another player; kinds as in the arena."""

    hero: int
    other: int
    seats: int = 4
    options: Options = OPTIONS


def hero_shares(
    contest: Contest, tables: Tables, networks: tuple[Network, ...], arena: Arena, pool: Pool, seeds: range
) -> Iterator[float]:
    """For each seed the hero's mean share of the matches in which it has each seat in turn."""
    for seed in seeds:
        shares = 0.0
        for seat in range(contest.seats):
            set_options(arena.hand.now, contest.options, contest.seats)
            arena.totals[:] = 0
            arena.kinds[:] = contest.other
            arena.kinds[seat] = contest.hero
            arena.records.size[0] = 0
            play_match(tables, networks, arena, pool, BEST, chance_of(seed))
            totals = arena.totals[: contest.seats]
            shares += float(totals[seat] == totals.min()) / int((totals == totals.min()).sum())
        yield shares / contest.seats


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean and the half width of its 95 % interval."""
    return float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / float(np.sqrt(len(values)))
