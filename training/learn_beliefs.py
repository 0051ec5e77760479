"""Learn beliefs about hidden cards from self-play: `python -m training.learn_beliefs SNAPSHOT FILE`."""

import argparse
import time
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training.arena import RECORDS, new_arena, play_match
from training.beliefs import PILES, Beliefs, new_beliefs
from training.equity import new_pool
from training.features import FEATURES, UNSEEN, Words
from training.hand import set_options
from training.match import chance_of
from training.run import MOST_RECORDS
from training.settings import draw_setting
from training.store import _write, load_network
from training.tables import ALL_CARDS, FIRST_BIT, KINDS, make_tables

SEEDS: Final = 1 << 53
BATCH: Final = 512
REPLAY: Final = 300_000
Matrix = NDArray[np.float32]
_LOWER: Final = np.array(FIRST_BIT, np.uint64)
_TWO: Final = np.array([card.copies == 2 for card in ALL_CARDS])


def counts(bits: Words) -> Matrix:
    """The copies of each kind in sets of cards, in the last dimension."""
    unsigned = bits.astype(np.uint64)[..., None]
    found = (unsigned >> _LOWER & np.uint64(1)) + np.where(_TWO, unsigned >> (_LOWER + np.uint64(1)) & np.uint64(1), np.uint64(0))
    return found.astype(np.float32)


def active(words: Words) -> Matrix:
    """The features of positions as numbers 0 and 1."""
    return np.unpackbits(words.view(np.uint8), axis=1, bitorder="little").astype(np.float32)


class Learner:
    """Adam on the beliefs."""

    def __init__(self, beliefs: Beliefs) -> None:
        self.beliefs = beliefs
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in beliefs]
        self._steps = 0

    def learn(self, words: Words, piles: Words, rate: float) -> float:
        """One step. Returns the mean loss per hidden card, in nats."""
        net, inputs = self.beliefs, active(words)
        held = np.swapaxes(counts(piles), 1, 2)  # position, kind, pile
        first = inputs @ net.w1 + net.b1
        kept = np.maximum(first, 0)
        logits = (kept @ net.w2 + net.b2).reshape(-1, KINDS, PILES)
        logits -= logits.max(axis=2, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
        cards = held.sum()
        loss = -float((held * logs).sum() / cards)
        slopes = (np.exp(logs) * held.sum(axis=2, keepdims=True) - held).reshape(len(words), -1) / len(words)
        back = (slopes @ net.w2.T) * (first > 0)
        gradients = (inputs.T @ back, back.sum(axis=0), kept.T @ slopes, slopes.sum(axis=0))
        self._descend(gradients, rate)
        return loss

    def _descend(self, gradients: tuple[Matrix, ...], rate: float) -> None:
        self._steps += 1
        corrected = rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for weights, slope, (first, second) in zip(self.beliefs, gradients, self._moments, strict=True):
            first += np.float32(0.1) * (slope - first)
            second += np.float32(0.001) * (slope * slope - second)
            weights -= np.float32(corrected) * first / (np.sqrt(second) + np.float32(1e-7))


def main() -> None:
    """Play, learn, report and save."""
    parser = argparse.ArgumentParser(prog="python -m training.learn_beliefs", description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--rate", type=float, default=0.001)
    arguments = parser.parse_args()
    network, tables = load_network(arguments.snapshot), make_tables()
    arena, pool = new_arena(len(network.b1)), new_pool()
    pool.size[:] = 1
    pool.points[:, :, 1:] = 10
    words, piles, filled = np.zeros((REPLAY, FEATURES // 64), np.int64), np.zeros((REPLAY, PILES), np.int64), 0
    learner, random = Learner(new_beliefs(arguments.width, 1)), np.random.default_rng(1)
    start, losses, seed = time.monotonic(), [], SEEDS
    for number in range(arguments.rounds):
        arena.records.size[0] = 0
        while arena.records.size[0] < 4096:
            setting = draw_setting(Random(seed))  # noqa: S311
            set_options(arena.hand.now, setting.options, setting.seats)
            arena.totals[:], arena.kinds[:] = setting.totals, setting.kinds
            play_match(tables, (network, network), arena, pool, 0.0, chance_of(seed))
            seed += 1
            if arena.records.size[0] > MOST_RECORDS:
                break
        size = int(arena.records.size[0])
        known = arena.records.piles[:size].any(axis=1)
        places = (filled + np.arange(known.sum())) % REPLAY
        words[places], piles[places] = arena.records.words[:size][known], arena.records.piles[:size][known]
        filled += len(places)
        rate = arguments.rate * 0.1 ** (number / arguments.rounds)
        for _ in range(len(places) * 2 // BATCH):
            batch = random.integers(0, min(filled, REPLAY), BATCH)
            losses.append(learner.learn(words[batch], piles[batch], rate))
        if number % 25 == 0:
            uniform = baseline(words[:2000], piles[:2000])
            print(f"{number} rounds, {filled:,} positions, loss {np.mean(losses[-200:]):.4f}, uniform {uniform:.4f}, {time.monotonic() - start:.0f} s", flush=True)
            _write(arguments.file, learner.beliefs._asdict())
    _write(arguments.file, learner.beliefs._asdict())


def baseline(words: Words, piles: Words) -> float:
    """The loss of beliefs that know only the numbers of cards."""
    held = np.swapaxes(counts(piles), 1, 2)
    sizes = held.sum(axis=1, keepdims=True)
    chances = sizes / np.maximum(sizes.sum(axis=2, keepdims=True), 1)
    return -float((held * np.log(np.maximum(chances, 1e-9))).sum() / held.sum())


if __name__ == "__main__":
    main()
