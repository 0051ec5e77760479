"""The network is evaluated in two ways that agree, and its gradient is that of its loss."""

import os
from itertools import pairwise
from random import Random
from typing import Final

import numpy as np
import pytest

from bot.players.compiled.features import WORDS, Words
from bot.players.compiled.network import OUTPUTS, SECOND, Network, evaluate, look, new_sums, reset
from training.learning import LOSS_WEIGHTS, active_features, add_batch, forward, zeros
from training.untrained import new_network

pytestmark = pytest.mark.skipif("GANG_OF_FOUR_TRAINING" not in os.environ, reason="set GANG_OF_FOUR_TRAINING=1")

WIDTH: Final = 24


def some_words(count: int) -> Words:
    chance = Random("words")
    rows = [
        [chance.getrandbits(64) & chance.getrandbits(64) & chance.getrandbits(64) for _ in range(WORDS)]
        for _ in range(count)
    ]
    return np.array(rows, np.uint64).view(np.int64)


def outputs_of(network: Network, words: Words) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    active = np.zeros(64 * WORDS, np.int64)
    outputs = np.zeros(OUTPUTS, np.float32)
    first, second = np.zeros(WIDTH, np.float32), np.zeros(SECOND, np.float32)
    forward(network, active, active_features(words, active), first, second, outputs)
    return outputs


def test_changing_the_sums_comes_to_the_same_as_adding_them_up() -> None:
    network, sums, words = new_network(WIDTH, 1), new_sums(WIDTH), some_words(20)
    reset(network, sums, 2)
    for before, after in pairwise(words):
        look(network, sums, 2, before)
        evaluate(network, sums, 2, after)
        np.testing.assert_allclose(sums.outputs, outputs_of(network, after), rtol=2e-4, atol=2e-4)


def loss(network: Network, words: Words, targets: "np.ndarray[tuple[int, int], np.dtype[np.float32]]") -> float:
    total = 0.0
    for row, target in zip(words, targets, strict=True):
        outputs = outputs_of(network, row).astype(np.float64)
        errors = (outputs - target) ** 2 / 2
        chance = 1 / (1 + np.exp(-outputs[1]))
        errors[1] = -np.log(chance if target[1] > 0.5 else 1 - chance)
        total += float(errors @ LOSS_WEIGHTS)
    return total


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    network, words = new_network(WIDTH, 2), some_words(8)
    for biases in (network.b1, network.b2):
        biases[:] = np.random.default_rng(3).standard_normal(biases.shape) / 4
    targets = np.random.default_rng(4).random((8, OUTPUTS)).astype(np.float32)
    targets[:, 1] = targets[:, 1] > 0.5
    gradient = zeros(network)
    add_batch(network, gradient, words, targets, np.arange(8), np.zeros(OUTPUTS, np.float32))
    random = np.random.default_rng(5)
    for weights, slopes in zip(network, gradient, strict=True):
        direction = random.standard_normal(weights.shape).astype(np.float32)
        size = 1e-3 / np.sqrt(weights.size)
        weights[:] += size * direction
        above = loss(network, words, targets)
        weights[:] -= 2 * size * direction
        below = loss(network, words, targets)
        weights[:] += size * direction
        assert (above - below) / (2 * size) == pytest.approx(float((slopes * direction).sum()), rel=0.05, abs=0.02)
