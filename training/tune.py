"""Tune the weights of the heuristic by evolution: `python -m training.tune FOLDER`. It resumes where it stopped.

Each generation draws pairs of mirrored changes around the current weights. Every change plays the same deals against
three players with the weights of some generations ago; its success is the mean difference in points. The weights
move along the changes by the rank of their success (a natural evolution strategy).
"""

import argparse
import json
from pathlib import Path
from typing import Final

import numpy as np

from bot.engine.options import Options
from bot.players.bits import Floats
from bot.players.compiled.hand import set_options
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.match import chance_of
from bot.players.heuristic_weights import TUNED_WEIGHTS, WEIGHTS
from training.arena import HEURISTIC, OTHER_HEURISTIC, Arena, new_arena, play_match
from training.untrained import new_network, new_pool
from training.versus import BEST

PAIRS: Final = 12
MATCHES: Final = 48
"""Matches of each change in a generation, to a low target because points count, not wins."""
RENEW: Final = 10
"""Generations after which the opponents get the current weights."""
SEEDS: Final = 1 << 45


class Tuner:
    """The current weights, and the size of their changes."""

    def __init__(self, folder: Path, sigma: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "heuristic.json"
        self.lookups, self.pool, self.arena = make_lookups(), new_pool(), new_arena(8)
        self.network = new_network(8, 0)
        self.mean = TUNED_WEIGHTS.astype(np.float64)
        self.sigma = np.full(WEIGHTS, sigma)
        self.generation = 0
        if self.file.is_file():
            kept = json.loads(self.file.read_text())
            self.mean, self.sigma = np.array(kept["mean"]), np.array(kept["sigma"])
            self.generation = kept["generation"]
            self.arena.weights[1] = np.array(kept["opponent"])

    def success(self, weights: Floats, first_seed: int) -> float:
        """The mean points per hand that the others get more than a hero with these weights."""
        arena: Arena = self.arena
        arena.weights[0] = weights
        better, hands = 0.0, 0
        for number in range(MATCHES):
            seats = 3 if number % 4 == 3 else 4
            set_options(arena.hand.now, Options(target=40), seats)
            arena.totals[:] = 0
            arena.kinds[:] = OTHER_HEURISTIC
            hero = number % seats
            arena.kinds[hero] = HEURISTIC
            networks = (self.network, self.network)
            hands += play_match(self.lookups, networks, arena, self.pool, BEST, chance_of(first_seed + number))
            totals = arena.totals[:seats]
            better += (totals.sum() - totals[hero]) / (seats - 1) - totals[hero]
        return better / hands

    def advance(self) -> float:
        """Run one generation. Returns the mean success of all changes."""
        random = np.random.default_rng((7, self.generation))
        half = random.standard_normal((PAIRS, WEIGHTS))
        changes = np.concatenate([half, -half])
        seed = SEEDS + self.generation * MATCHES
        successes = np.array(
            [self.success((self.mean + self.sigma * change).astype(np.float32), seed) for change in changes]
        )
        utility = np.empty(2 * PAIRS)
        utility[np.argsort(successes)] = np.linspace(-1, 1, 2 * PAIRS)
        self.mean += 0.35 * self.sigma * (utility @ changes) / PAIRS * 2
        self.sigma *= np.exp(0.06 * (utility @ (changes**2 - 1)) / PAIRS)
        self.generation += 1
        if self.generation % RENEW == 0:
            self.arena.weights[1] = self.mean
        return float(successes.mean())

    def save(self) -> None:
        """Write the state of the evolution."""
        kept = {"generation": self.generation, "mean": self.mean.round(4).tolist(), "sigma": self.sigma.tolist()}
        self.file.write_text(json.dumps(kept | {"opponent": self.arena.weights[1].tolist()}))


def main() -> None:
    """Read the command line and tune."""
    parser = argparse.ArgumentParser(prog="python -m training.tune", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--generations", type=int, default=300)
    parser.add_argument("--sigma", type=float, default=0.3)
    arguments = parser.parse_args()
    tuner = Tuner(arguments.folder, arguments.sigma)
    while tuner.generation < arguments.generations:
        success = tuner.advance()
        print(f"generation {tuner.generation}: {success:+.3f}, changes of {tuner.sigma.mean():.3f}", flush=True)
        tuner.save()


if __name__ == "__main__":
    main()
