"""Matches and single hands for measuring: the hero plays the same deals in every seat against the others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from bot.engine.options import Options
from bot.players.compiled.equity import Pool
from bot.players.compiled.hand import BACK, GAVE, GIVER, begin, set_options
from bot.players.compiled.lookups import Lookups, highest_bit
from bot.players.compiled.match import Chance, below, chance_of, deal, hand_points
from bot.players.compiled.network import Network
from training.arena import Arena, play_hand, play_match

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


Measure: TypeAlias = Callable[[Contest, Lookups, tuple[Network, ...], Arena, Pool, int, int], float]
"""Plays with a seed and the hero in a seat, the last two arguments, and returns the hero's result."""


def hero_results(
    measure: Measure,
    contest: Contest,
    lookups: Lookups,
    networks: tuple[Network, ...],
    arena: Arena,
    pool: Pool,
    seeds: range,
) -> Iterator[float]:
    """For each seed the hero's mean result of `match_share` or `points_better` with the hero in each seat in turn."""
    for seed in seeds:
        result = 0.0
        for seat in range(contest.seats):
            set_options(arena.hand.now, contest.options, contest.seats)
            arena.totals[:] = 0
            arena.kinds[:] = contest.other
            arena.kinds[seat] = contest.hero
            arena.records.size[0] = 0
            result += measure(contest, lookups, networks, arena, pool, seed, seat)
        yield result / contest.seats


def match_share(
    contest: Contest, lookups: Lookups, networks: tuple[Network, ...], arena: Arena, pool: Pool, seed: int, seat: int
) -> float:
    """The seat's share of a match."""
    play_match(lookups, networks, arena, pool, BEST, chance_of(seed))
    totals = arena.totals[: contest.seats]
    return float(totals[seat] == totals.min()) / int((totals == totals.min()).sum())


def points_better(
    contest: Contest, lookups: Lookups, networks: tuple[Network, ...], arena: Arena, pool: Pool, seed: int, seat: int
) -> float:
    """The points by which the others have more than the seat, on average, after a single hand."""
    chance = chance_of(seed)
    _begin_hand(lookups, arena, contest.seats, chance)
    play_hand(lookups, networks, arena, False, BEST, pool, chance)
    hand_points(arena.hand, arena.points)
    points = arena.points[: contest.seats]
    return float((points.sum() - points[seat]) / (contest.seats - 1) - points[seat])


def _begin_hand(lookups: Lookups, arena: Arena, seats: int, chance: Chance) -> None:
    """Deal a later hand of a match: a random seat leads, and another one gives it a card."""
    hand = arena.hand
    deal(hand.cards, chance)
    leader, direction = below(chance, seats), 1 - 2 * below(chance, 2)
    begin(lookups, hand, leader, direction)
    giver = (leader + 1 + below(chance, seats - 1)) % seats
    hand.now[GIVER], hand.now[GAVE], hand.now[BACK] = giver, highest_bit(hand.cards[giver]), 0


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean and the half width of its 95 % interval."""
    return float(np.mean(values)), 1.96 * float(np.std(values, ddof=1)) / float(np.sqrt(len(values)))
