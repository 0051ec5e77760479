"""Learn beliefs about hidden cards from self-play: `python -m training.learn_beliefs SNAPSHOT FILE`."""

import argparse
import time
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.engine.cards import ALL_CARDS
from bot.players.bits import FIRST_BIT, KINDS
from bot.players.compiled.beliefs import PILES, Beliefs
from bot.players.compiled.features import WORDS, Words
from bot.players.compiled.hand import set_options
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.match import chance_of
from bot.players.compiled.network import Network
from training.arena import new_arena, play_match
from training.settings import draw_setting
from training.store import load_network, write_arrays
from training.untrained import new_beliefs, new_pool

SEEDS: Final = 1 << 53
BATCH: Final = 512
REPLAY: Final = 300_000
"""Positions kept."""
ROUND: Final = 4096
"""Positions of a round."""
Matrix = NDArray[np.float32]
_LOWER: Final = np.array(FIRST_BIT, np.uint64)
_TWO: Final = np.array([card.copies == 2 for card in ALL_CARDS])


def counts(bits: Words) -> Matrix:
    """The copies of each kind in sets of cards, in the last dimension."""
    unsigned = bits.astype(np.uint64)[..., None]
    found = (unsigned >> _LOWER & np.uint64(1)) + np.where(
        _TWO, unsigned >> (_LOWER + np.uint64(1)) & np.uint64(1), np.uint64(0)
    )
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
        corrected = np.float32(rate * np.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps))
        for layer, slope, (mean, square) in zip(self.beliefs, gradients, self._moments, strict=True):
            mean += np.float32(0.1) * (slope - mean)  # noqa: PLW2901  # it changes the array
            square += np.float32(0.001) * (slope * slope - square)  # noqa: PLW2901
            layer -= corrected * mean / (np.sqrt(square) + np.float32(1e-7))  # noqa: PLW2901


class Source:
    """Plays matches of a network, and keeps the latest positions with their hidden cards."""

    def __init__(self, network: Network) -> None:
        self._network, self._lookups = network, make_lookups()
        self._arena, self._pool = new_arena(len(network.b1)), new_pool()
        self._pool.points[:, 0, 1:], self._pool.size[:] = 300, 1  # values aren't used, so matches may end at once
        self._words, self._piles = np.zeros((REPLAY, WORDS), np.int64), np.zeros((REPLAY, PILES), np.int64)
        self._seed = SEEDS
        self.positions = 0
        """All positions so far."""

    def play(self) -> int:
        """Play some matches. Returns the number of new positions."""
        records = self._arena.records
        records.size[0] = 0
        while records.size[0] < ROUND:
            setting = draw_setting(Random(self._seed))  # noqa: S311
            set_options(self._arena.hand.now, setting.options, setting.seats)
            self._arena.totals[:], self._arena.kinds[:] = setting.totals, setting.kinds
            networks = (self._network, self._network)
            play_match(self._lookups, networks, self._arena, self._pool, 0.0, chance_of(self._seed))
            self._seed += 1
        size = int(records.size[0])
        known = records.piles[:size].any(axis=1)
        places = (self.positions + np.arange(known.sum())) % REPLAY
        self._words[places], self._piles[places] = records.words[:size][known], records.piles[:size][known]
        self.positions += len(places)
        return len(places)

    def latest(self, places: Words) -> tuple[Words, Words]:
        """The features and hidden cards of some of the kept positions."""
        return self._words[places], self._piles[places]


def main() -> None:
    """Play, learn, report and save."""
    parser = argparse.ArgumentParser(prog="python -m training.learn_beliefs", description=__doc__)
    parser.add_argument("snapshot", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--rate", type=float, default=0.001)
    arguments = parser.parse_args()
    source, learner = Source(load_network(arguments.snapshot)), Learner(new_beliefs(arguments.width, 1))
    random, losses, start = np.random.default_rng(1), [], time.monotonic()
    for number in range(arguments.rounds):
        new = source.play()
        rate = arguments.rate * 0.1 ** (number / arguments.rounds)
        for _ in range(new * 2 // BATCH):
            batch = random.integers(0, min(source.positions, REPLAY), BATCH)
            losses.append(learner.learn(*source.latest(batch), rate))
        if number % 25 == 0 or number == arguments.rounds - 1:
            loss, known = np.mean(losses[-200:]), baseline(source.latest(np.arange(2000))[1])
            seconds = time.monotonic() - start
            print(
                f"{source.positions:,} positions, loss {loss:.4f}, without cards {known:.4f}, {seconds:.0f} s",
                flush=True,
            )
            write_arrays(arguments.file, learner.beliefs._asdict())


def baseline(piles: Words) -> float:
    """The loss of beliefs that know only the numbers of cards."""
    held = np.swapaxes(counts(piles), 1, 2)
    sizes = held.sum(axis=1, keepdims=True)
    chances = sizes / np.maximum(sizes.sum(axis=2, keepdims=True), 1)
    return -float((held * np.log(np.maximum(chances, 1e-9))).sum() / held.sum())


if __name__ == "__main__":
    main()
