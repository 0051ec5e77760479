"""The strength of the AI players' levels: each against three of the level below, of its own, and of the level above.

For each seed the hero plays the same deals in every seat, so the luck of the cards cancels out in part. The interval
is over the seeds. A level against itself wins exactly its share, which checks the measurement. `docs/strength.md` has
the figures.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from statistics import mean, stdev
from typing import Final

from bot.engine import EDITIONS, MatchStarted, Options, Phase, advance, begin, commitment, view
from bot.engine.moves import Deal
from bot.players.levels import Level, choose, seed_of

REPORT_SEEDS: Final = 1 << 61
"""The first seed of the figures. The levels were tuned with seeds from 1 << 60."""
TARGETS: Final = {4: 0.45, 3: 0.40}
"""By seats: the share of matches that a level should win against others of the level below."""

AGAINST: Final = ["below", "reversed", "itself"]


@dataclass(frozen=True, slots=True)
class Contest:
    """One hero against players of another level."""

    hero: Level
    other: Level
    seats: int
    edition: str
    target: int = 100

    def __str__(self) -> str:
        return f"| {self.hero} | {self.seats - 1} x {self.other} | {self.edition} |"


def share(contest: Contest, seed: int) -> float:
    """The hero's mean share of the matches in which it has each seat in turn; a shared win counts in part."""
    return mean(_match_share(contest, seed, seat) for seat in range(contest.seats))


def _match_share(contest: Contest, number: int, hero: int) -> float:
    seed, options = (
        sha256(f"strength {number}".encode()).digest(),
        Options.of(contest.edition, {"target": contest.target}),
    )
    names = tuple("ABCD")[: contest.seats]
    match = MatchStarted(contest.edition, options, names, number % contest.seats, commitment(seed), "strength")
    now, _ = advance(begin(match), Deal(seed), seed)
    while now.phase is not Phase.OVER:
        assert now.turn is not None
        seen = view(now, now.turn, with_played=True)
        level = contest.hero if now.turn == hero else contest.other
        now, _ = advance(now, choose(level, seen, seed_of(seen)), seed)
    assert now.ranking is not None
    winners = now.ranking[0]
    return (hero in winners) / len(winners)


def contests(levels: list[Level], seats: list[int], edition: str, against: list[str]) -> Iterator[Contest]:
    """Each level against the one `below`, the one below against it (`reversed`), and each against `itself`."""
    for size in seats:
        for level in levels:
            if level is not level.below and "below" in against:
                yield Contest(level, level.below, size, edition)
            if level is not level.below and "reversed" in against:
                yield Contest(level.below, level, size, edition)
            if "itself" in against:
                yield Contest(level, level, size, edition)


def interval(shares: list[float]) -> tuple[float, float]:
    """The mean, and the half width of its 95 % interval."""
    return mean(shares), 1.96 * stdev(shares) / len(shares) ** 0.5


def measure(contest: Contest, pool: ProcessPoolExecutor, seeds: range) -> tuple[float, float]:
    """Play a contest, and show progress. Returns the mean share and its error."""
    shares: list[float] = []
    for found in pool.map(partial(share, contest), seeds):
        shares.append(found)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{contest} {len(shares)} of {len(seeds)} deals ")
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return interval(shares)


def is_good(contest: Contest, value: float, error: float, *, certain: bool) -> bool:
    """True if the hero is as strong as it should be: surely, or else possibly."""
    if contest.hero is contest.other:
        return abs(value - 1 / contest.seats) < 1e-9
    if contest.other is contest.hero.below:
        return value - (error if certain else -error) >= TARGETS[contest.seats]
    return value - error < 1 / contest.seats


def main() -> int:
    """Measure and print. Returns 1 if a level isn't as strong as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__)
    parser.add_argument("--levels", type=Level, nargs="+", default=list(Level), choices=list(Level))
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 3], choices=(3, 4))
    parser.add_argument("--edition", default="days-of-wonder", choices=sorted(EDITIONS))
    parser.add_argument("--against", nargs="+", default=AGAINST, choices=AGAINST)
    parser.add_argument("--deals", type=int, default=100, help="each is played with the hero in every seat")
    parser.add_argument("--first-seed", type=int, default=REPORT_SEEDS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="fail only if a level is surely too weak")
    asked = parser.parse_args()
    failed = 0
    print("| hero | others | edition | matches | share | seconds | |\n| --- | --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        for contest in compared:
            start = time.monotonic()
            value, error = measure(contest, pool, range(asked.first_seed, asked.first_seed + asked.deals))
            good = is_good(contest, value, error, certain=not asked.quick)
            failed += not good
            figures = f"{asked.deals * contest.seats} | {value:.1%} ± {error:.1%} | {time.monotonic() - start:.0f}"
            print(f"{contest} {figures} | {'' if good else 'too weak'} |", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
