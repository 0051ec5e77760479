"""The strength of the AI players' levels: each against three of the level below, of its own, and of the level above.

For each seed the hero plays the same deals in every seat, so the luck of the cards cancels out in part. The interval
is over the seeds. A level against itself wins exactly its share, which checks the measurement. `--against styles` lets
a level play against the level below with a different style in each seat, which a search doesn't expect. `--styles`
compares each style with steady players of its level, or of `--others`, instead. `docs/strength.md` has the figures.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from multiprocessing import get_context
from statistics import mean, stdev
from typing import Final, TypeAlias

from bot.engine import EDITIONS, MatchStarted, Options, Pass, Phase, Play, View, advance, begin, commitment, view
from bot.engine.moves import Deal, Move
from bot.players.levels import Level, choose, seed_of
from bot.players.styles import Style

REPORT_SEEDS: Final = 1 << 61
"""The first seed of the figures. The levels were tuned with seeds from 1 << 60."""
TARGETS: Final = {4: 0.45, 3: 0.55}
"""By seats: the share of matches that a level should win against others of the level below."""

AGAINST: Final = ["below", "reversed", "itself"]
"""The default choice; `styles` is the other."""
OTHER_STYLES: Final = (Style.BOLD, Style.STINGY, Style.HOARDER)

Manner: TypeAlias = Counter[str]
"""Counts of the plays and passes of a hero."""


@dataclass(frozen=True, slots=True)
class Contest:
    """One hero against players of another level."""

    hero: Level
    other: Level
    seats: int
    edition: str
    target: int = 100
    style: Style = Style.STEADY
    """The style of the hero."""
    other_styles: tuple[Style, ...] = (Style.STEADY,) * 3
    """Those of the others, in the order of their seats."""

    def __str__(self) -> str:
        hero = str(self.hero) if self.style is Style.STEADY else f"{self.style} {self.hero}"
        styles = self.other_styles[: self.seats - 1]
        manners = "" if set(styles) == {Style.STEADY} else f" ({', '.join(styles)})"
        return f"| {hero} | {self.seats - 1} x {self.other}{manners} | {self.edition} |"

    def player(self, seat: int, hero: int) -> tuple[Level, Style]:
        """Who plays in a seat, if the hero has the seat `hero`."""
        if seat == hero:
            return self.hero, self.style
        return self.other, self.other_styles[seat - (seat > hero)]


def share(contest: Contest, seed: int) -> tuple[float, Manner]:
    """The hero's mean share of the matches in which it has each seat in turn; a shared win counts in part."""
    manner: Manner = Counter()
    return mean(_match_share(contest, seed, seat, manner) for seat in range(contest.seats)), manner


def _match_share(contest: Contest, number: int, hero: int, manner: Manner) -> float:
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
        level, style = contest.player(now.turn, hero)
        move = choose(level, seen, seed_of(seen), style)
        if now.turn == hero:
            _observe(seen, move, manner)
        now, _ = advance(now, move, seed)
    assert now.ranking is not None
    winners = now.ranking[0]
    return (hero in winners) / len(winners)


def _observe(view: View, move: Move, manner: Manner) -> None:
    """Count what a move shows of a style."""
    if isinstance(move, Play | Pass) and view.public.cycle.plays and view.plays():
        manner["answers"] += 1
        manner["passes"] += isinstance(move, Pass)
    elif isinstance(move, Play) and not view.public.cycle.plays:
        manner["leads"] += 1
        manner["cards led"] += len(move.cards)
    if isinstance(move, Play) and len(move.cards) > 3 and len({card.rank for card in move.cards}) == 1:
        manner["gangs"] += 1
        manner["cards at gangs"] += len(view.hand)


def described(manner: Manner) -> str:
    """The manner of a hero in words."""
    leads = manner["cards led"] / max(manner["leads"], 1)
    passes = manner["passes"] / max(manner["answers"], 1)
    cards = manner["cards at gangs"] / max(manner["gangs"], 1)
    return f"{leads:.2f} cards a lead, passes {passes:.1%} of answers, {cards:.1f} cards at a gang"


def contests_of_styles(levels: list[Level], seats: list[int], edition: str, others: Level | None) -> Iterator[Contest]:
    """Each style against steady players of its level, or of the level `others`."""
    for size in seats:
        for level in levels:
            for style in Style if level.has_style else ():
                yield Contest(level, others or level, size, edition, style=style)


def contests(levels: list[Level], seats: list[int], edition: str, against: list[str]) -> Iterator[Contest]:
    """Each level against the one `below`, also with `styles`, the one below against it (`reversed`), and `itself`."""
    for size in seats:
        for level in levels:
            if level is not level.below and "below" in against:
                yield Contest(level, level.below, size, edition)
            if level.below.has_style and "styles" in against:
                yield Contest(level, level.below, size, edition, other_styles=OTHER_STYLES)
            if level is not level.below and "reversed" in against:
                yield Contest(level.below, level, size, edition)
            if "itself" in against:
                yield Contest(level, level, size, edition)


def interval(shares: list[float]) -> tuple[float, float]:
    """The mean, and the half width of its 95 % interval."""
    return mean(shares), 1.96 * stdev(shares) / len(shares) ** 0.5


def measure(contest: Contest, pool: ProcessPoolExecutor, seeds: range) -> tuple[float, float, Manner]:
    """Play a contest, and show progress. Returns the mean share, its error, and the manner of the hero."""
    shares: list[float] = []
    manner: Manner = Counter()
    for found, seen in pool.map(partial(share, contest), seeds):
        shares.append(found)
        manner += seen
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{contest} {len(shares)} of {len(seeds)} deals ")
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return *interval(shares), manner


def is_good(contest: Contest, value: float, error: float, *, certain: bool) -> bool:
    """True if the hero is as strong as it should be: surely, or else possibly."""
    if contest.style is not Style.STEADY and contest.hero is contest.other:
        return abs(value - 1 / contest.seats) <= error
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
    parser.add_argument("--against", nargs="+", default=AGAINST, choices=[*AGAINST, "styles"])
    parser.add_argument("--styles", action="store_true", help="compare styles instead of levels")
    parser.add_argument("--others", type=Level, choices=list(Level), help="the others' level, with --styles")
    parser.add_argument("--deals", type=int, default=100, help="each is played with the hero in every seat")
    parser.add_argument("--first-seed", type=int, default=REPORT_SEEDS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="fail only if a level is surely too weak")
    asked = parser.parse_args()
    failed = 0
    compared = (
        contests_of_styles(asked.levels, asked.seats, asked.edition, asked.others)
        if asked.styles
        else contests(asked.levels, asked.seats, asked.edition, asked.against)
    )
    print("| hero | others | edition | matches | share | seconds | |\n| --- | --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(asked.processes, mp_context=get_context("spawn")) as pool:
        for contest in compared:
            start = time.monotonic()
            value, error, manner = measure(contest, pool, range(asked.first_seed, asked.first_seed + asked.deals))
            good = is_good(contest, value, error, certain=not asked.quick)
            failed += not good
            figures = f"{asked.deals * contest.seats} | {value:.1%} ± {error:.1%} | {time.monotonic() - start:.0f}"
            notes = [
                *([] if good else ["not as strong as it should be"]),
                *([described(manner)] if asked.styles else []),
            ]
            print(f"{contest} {figures} | {'; '.join(notes)} |", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
