"""Measure one player against three of another: `python -m training.evaluate HERO OTHER`.

A player is `random`, `simple`, `heuristic`, `mc`, or a file with a network's weights; the hero can also be the app's
`master`. For each deal the hero has every seat in turn; the interval is over the deals. Single hands (`--hands`) take
less time than matches, but don't show who plays better for the match.
"""

import argparse
import time
from pathlib import Path
from typing import Final

from bot.engine.options import EDITIONS, Options
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.network import Network
from bot.players.compiled.search import new_search
from bot.players.compiled.weights import load_weights
from training.arena import HEURISTIC, LEARNER, MONTE_CARLO, PAST, RANDOM, SEARCH, SIMPLE, new_arena
from training.store import load_network
from training.untrained import new_network
from training.versus import Contest, hero_results, match_share, mean_and_error, points_better

KINDS: Final = {"random": RANDOM, "simple": SIMPLE, "heuristic": HEURISTIC, "mc": MONTE_CARLO}
MASTER: Final = "master"
REPORT_SEEDS: Final = 1 << 55
"""The first seed of reports; nothing else uses seeds from here on."""


def player(name: str, network_kind: int) -> tuple[int, Network]:
    """The kind of a player, and its network if it has one."""
    if name == MASTER:
        return SEARCH, load_weights().network
    if name in KINDS:
        return KINDS[name], new_network(8, 0)
    return network_kind, load_network(Path(name))


def summary(results: list[float], *, hands: bool) -> str:
    """The mean result and its interval in words."""
    mean, error = mean_and_error(results)
    if hands:
        return f"hands: {mean:+.2f} ± {error:.2f} points better than the others' mean"
    return f"matches: {mean:.1%} ± {error:.1%}"


def main() -> None:
    """Read the command line, play and print."""
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    parser.add_argument("hero")
    parser.add_argument("other")
    parser.add_argument("--deals", type=int, default=100, help="each is played with the hero in every seat")
    parser.add_argument("--seats", type=int, default=4, choices=(3, 4))
    parser.add_argument("--edition", default="days-of-wonder", choices=sorted(EDITIONS))
    parser.add_argument("--target", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=REPORT_SEEDS)
    parser.add_argument("--hands", action="store_true", help="single hands with an exchange, not matches")
    parser.add_argument("--every", type=int, default=10, help="print after this many deals")
    arguments = parser.parse_args()
    if arguments.other == MASTER:
        parser.error("only the hero can be a master")
    (hero, its), (other, theirs) = player(arguments.hero, LEARNER), player(arguments.other, PAST)
    options = Options.of(arguments.edition, {"target": arguments.target})
    contest = Contest(hero, other, arguments.seats, options)
    weights, width = load_weights(), max(len(its.b1), len(theirs.b1))
    arena = new_arena(width)._replace(search=new_search(width, weights.beliefs))
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.deals)
    results: list[float] = []
    start = time.monotonic()
    measure = points_better if arguments.hands else match_share
    for result in hero_results(measure, contest, make_lookups(), (its, theirs), arena, weights.pool, seeds):
        results.append(result)
        if len(results) > 1 and (len(results) % arguments.every == 0 or len(results) == arguments.deals):
            played, seconds = len(results) * arguments.seats, time.monotonic() - start
            print(f"{played} {summary(results, hands=arguments.hands)} ({seconds:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
