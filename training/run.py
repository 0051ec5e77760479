"""A training run and its rounds."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from bot.players.bits import Floats
from bot.players.compiled.equity import POOL, Pool
from bot.players.compiled.features import WORDS, Words
from bot.players.compiled.hand import set_options
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.match import Chance, chance_of
from bot.players.compiled.network import OUTPUTS, Network
from training.arena import HEURISTIC, RECORDS, Arena, new_arena, play_match
from training.learning import add_batch, copied, descend, new_model
from training.settings import Setting, draw_setting
from training.untrained import new_network, new_pool

SEED_STRIDE: Final = 1 << 20
"""Seeds reserved for each round."""
MOST_RECORDS: Final = RECORDS - 8192
"""A thread starts no further match with more recorded positions than this."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The fixed settings of a run."""

    seed: int = 1
    width: int = 512
    """Units of the first layer."""
    matches: int = 48
    """Matches in a round."""
    batch: int = 512
    replay: int = 400_000
    """Positions kept."""
    repeats: float = 1.5
    """The average number of times that a position is used."""
    explore: float = 0.02
    """The probability of a random move of the learner."""
    trace: float = 1.0
    """The share of the hand's result in what is learned; the rest is the value at the own next turn (`arena.score`)."""
    rate: float = 0.0008
    last_rate: float = 0.00008
    falls_over: int = 6_000_000
    """Hands over which the rate falls to the last one."""


@dataclass
class Progress:
    """The counts of a run."""

    rounds: int = 0
    hands: int = 0
    positions: int = 0
    """All recorded positions."""
    steps: int = 0
    seconds: float = 0.0


class Run:
    """A run in memory."""

    def __init__(self, plan: Plan, threads: int = 1) -> None:
        self.plan = plan
        self.lookups = make_lookups()
        self.player = new_model(new_network(plan.width, plan.seed), threads)
        self.past: Network = copied(self.player.network)
        self.pool: Pool = new_pool()
        self.words: Words = np.zeros((plan.replay, WORDS), np.int64)
        self.targets: Floats = np.zeros((plan.replay, OUTPUTS), np.float32)
        self.progress = Progress()
        self._arenas = [new_arena(plan.width) for _ in range(threads)]
        self._threads = ThreadPoolExecutor(threads)

    def fill_pool(self) -> None:
        """Play matches of heuristics, so totals have values from the start."""
        chance = chance_of(self.plan.seed)
        for number in range(800):
            options = draw_setting(Random(number)).options.with_changes(target=100)  # noqa: S311
            self._play(self._arenas[0], Setting(options, 3 + number % 2, (0,) * 4, (HEURISTIC,) * 4), chance, -1.0)
        self._take_points(self._arenas[0])

    def round(self) -> Floats:
        """Play matches and learn from them. Returns the mean loss of each output."""
        progress, arenas = self.progress, self._arenas
        progress.hands += sum(self._threads.map(self._play_some, range(len(arenas))))
        new = 0
        for arena in arenas:
            new += self._take_records(arena)
            self._take_points(arena)
        losses = self._learn(new)
        progress.rounds += 1
        return losses

    def _play_some(self, thread: int) -> int:
        """Play this thread's matches of a round. Returns the number of hands."""
        arena, threads = self._arenas[thread], len(self._arenas)
        seed = self.plan.seed << 40 | self.progress.rounds * SEED_STRIDE
        arena.records.size[0] = 0
        hands = 0
        for match in range(thread, self.plan.matches, threads):
            if arena.records.size[0] > MOST_RECORDS:
                break
            setting = draw_setting(Random(seed + match))  # noqa: S311  # it decides what is played, not the cards
            hands += self._play(arena, setting, chance_of(seed + match), self.plan.explore)
        return hands

    def _play(self, arena: Arena, setting: Setting, chance: Chance, explore: float) -> int:
        set_options(arena.hand.now, setting.options, setting.seats)
        arena.totals[:] = setting.totals
        arena.kinds[:] = setting.kinds
        return play_match(self.lookups, self.playing(), arena, self.pool, explore, chance, self.plan.trace)

    def playing(self) -> tuple[Network, ...]:
        """The networks that play: the averaged one and its past."""
        return (self.player.adam.average, self.past)

    def _take_records(self, arena: Arena) -> int:
        records, new = arena.records, int(arena.records.size[0])
        places = (self.progress.positions + np.arange(new)) % self.plan.replay
        self.words[places] = records.words[:new]
        self.targets[places] = records.targets[:new]
        self.progress.positions += new
        return new

    def _take_points(self, arena: Arena) -> None:
        for row in range(2):
            new = min(int(arena.fresh_size[row]), POOL)
            places = (self.pool.size[row] + np.arange(new)) % POOL
            self.pool.points[row, places] = arena.fresh[row, :new]
            self.pool.size[row] += new
            arena.fresh_size[row] = 0

    def _learn(self, new: int) -> Floats:
        plan, progress = self.plan, self.progress
        kept = min(progress.positions, plan.replay)
        random = np.random.default_rng((plan.seed, progress.rounds))
        threads = len(self._arenas)
        losses = np.zeros((threads, OUTPUTS), np.float32)
        batches = int(new * plan.repeats / plan.batch)
        for _ in range(batches):
            parts = np.array_split(random.integers(0, kept, plan.batch), threads)
            progress.steps += 1
            list(self._threads.map(self._add, self.player.gradients, parts, losses))
            descend(self.player, progress.steps, self.rate(), plan.batch)
        mean: Floats = losses.sum(axis=0) / max(batches * plan.batch, 1)
        return mean

    def _add(self, gradient: Network, part: Words, losses: Floats) -> None:
        add_batch(self.player.network, gradient, self.words, self.targets, part, losses)

    def rate(self) -> float:
        """The learning rate now."""
        plan = self.plan
        done = min(self.progress.hands / plan.falls_over, 1.0)
        return float(plan.rate * (plan.last_rate / plan.rate) ** done)
