"""Luck and skill of the AI players' levels: one of each level in matches of four, in every seat equally often.

A level's luck should be 0 in the long run, so its skill should be its result, with a smaller error. `docs/strength.md`
has the figures.
"""

import argparse
import time
from itertools import product
from statistics import fmean, pstdev
from typing import Final

from bot.analysis.coaching import ended_hands
from bot.analysis.par import ParResult, dealt_hand, results
from bot.analysis.replay import ReplayedMatch
from bot.engine import Options
from bot.engine.record import Line
from bot.players.levels import Level
from bot.players.simulation import SimulationSettings, simulate
from bot.players.strongest import par_of

EDITION: Final = "days-of-wonder"
LEVELS: Final = (Level.MASTER, Level.EXPERT, Level.CLUB, Level.SIMPLE)
SEEDS: Final = ("luck and skill", "par2")


def played(seed: str, number: int) -> tuple[tuple[Level, ...], ReplayedMatch]:
    """Match `number` of a series, and the levels by seat."""
    first = number % len(LEVELS)
    levels = LEVELS[first:] + LEVELS[:first]
    settings = SimulationSettings(4, EDITION, Options.of(EDITION, {"target": 100}), seed, levels)
    _, events = simulate(settings, number)
    return levels, ReplayedMatch.of(number, [Line(event) for event in events])


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.par", description=__doc__)
    parser.add_argument("--matches", type=int, default=24, help="of each seed")
    found: dict[Level, list[ParResult]] = {level: [] for level in LEVELS}
    errors, seconds = list[float](), list[float]()
    for seed, number in product(SEEDS, range(parser.parse_args().matches)):
        levels, match = played(seed, number)
        for ended in ended_hands(match):
            deal = dealt_hand(match, ended.hand)
            assert deal is not None
            began = time.perf_counter()
            par = par_of(deal)
            seconds.append(time.perf_counter() - began)
            errors += par.errors
            for level, result in zip(levels, results(ended.points, par.points), strict=True):
                found[level].append(result)
    for level, each in found.items():
        print(f"| {level} | {_mean([one.luck + one.skill for one in each])} | {_mean([one.skill for one in each])} |")
    every = [result for each in found.values() for result in each]
    spread, of_skill = pstdev([one.luck + one.skill for one in every]), pstdev([one.skill for one in every])
    print(f"{len(seconds)} hands; standard deviation of a result {spread:.1f}, of its skill {of_skill:.1f}")
    print(f"standard error of a par {fmean(errors):.1f}; {1000 * fmean(seconds[1:]):.0f} ms each")


def _mean(values: list[float]) -> str:
    """The mean and its 95 % interval."""
    return f"{fmean(values):.1f} ± {1.96 * pstdev(values) / len(values) ** 0.5:.1f}"


if __name__ == "__main__":
    main()
