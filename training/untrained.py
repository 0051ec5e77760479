"""Networks before training, and an empty pool of hands."""

import numpy as np

from bot.players.bits import KINDS, Floats
from bot.players.compiled.beliefs import PILES, Beliefs
from bot.players.compiled.equity import POOL, Pool
from bot.players.compiled.features import FEATURES
from bot.players.compiled.network import OUTPUTS, SECOND, Network


def new_network(width: int, seed: int) -> Network:
    """A network with `width` units in its first layer."""
    random = np.random.default_rng(seed)

    def weights(inputs: int, outputs: int, active: int) -> Floats:
        made: Floats = (random.standard_normal((inputs, outputs)) * np.sqrt(2.0 / active)).astype(np.float32)
        return made

    def biases(outputs: int) -> Floats:
        return np.zeros(outputs, np.float32)

    return Network(
        weights(FEATURES, width, 250),
        biases(width),
        weights(width, SECOND, width),
        biases(SECOND),
        weights(SECOND, OUTPUTS, 20 * SECOND),
        biases(OUTPUTS),
    )


def new_beliefs(width: int, seed: int) -> Beliefs:
    """Beliefs that give all cards the same chance."""
    random = np.random.default_rng(seed)
    w1: Floats = (random.standard_normal((FEATURES, width)) * np.sqrt(2 / 250)).astype(np.float32)
    return Beliefs(
        w1,
        np.zeros(width, np.float32),
        np.zeros((width, KINDS * PILES), np.float32),
        np.zeros(KINDS * PILES, np.float32),
    )


def new_pool() -> Pool:
    """A pool with no hands."""
    return Pool(np.zeros((2, POOL, 4), np.int64), np.zeros(2, np.int64))
