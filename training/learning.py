"""Learning: gradients of the network on a batch of recorded positions, and Adam."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import Floats
from bot.players.compiled.features import FEATURES, WORDS, Words
from bot.players.compiled.jit import jit, lowest, single
from bot.players.compiled.network import OUTPUTS, SECOND, WINS, Network

LOSS_WEIGHTS: Final = np.array([1.0, 0.2, 0.2, 0.1], np.float32)
"""The weight of each output's loss: cross-entropy for chances, squared error for the others."""
BETA_1: Final = 0.9
BETA_2: Final = 0.999
EPSILON: Final = 1e-7


class Adam(NamedTuple):
    """The moments of all weights, and the averaged weights, which play."""

    first: Network
    second: Network
    average: Network


def zeros(network: Network) -> Network:
    """A network of the same shape, all 0."""
    return Network(*(np.zeros_like(weights) for weights in network))


def copied(network: Network) -> Network:
    """A copy of a network."""
    return Network(*(weights.copy() for weights in network))


@dataclass(frozen=True, slots=True)
class Model:
    """A learning network."""

    network: Network
    adam: Adam
    gradients: tuple[Network, ...]
    """One for each thread."""


def new_model(network: Network, threads: int) -> Model:
    """The state before the first step."""
    adam = Adam(zeros(network), zeros(network), copied(network))
    return Model(network, adam, tuple(zeros(network) for _ in range(threads)))


@jit
def active_features(words: Words, active: Words) -> int:
    """Write the indexes of the set features. Returns their number."""
    found = 0
    for word in range(WORDS):
        bits = words[word]
        while bits:
            active[found] = 64 * word + lowest(bits)
            found += 1
            bits &= bits - 1
    return found


@jit
def forward(network: Network, active: Words, found: int, first: Floats, second: Floats, outputs: Floats) -> None:
    """Evaluate one position. The layers keep their values before the ReLU."""
    width = first.shape[0]
    first[:] = network.b1
    for index in range(found):
        row = network.w1[active[index]]
        for unit in range(width):
            first[unit] += row[unit]
    second[:] = network.b2
    for unit in range(width):
        value = first[unit]
        if value > 0:
            row = network.w2[unit]
            for other in range(SECOND):
                second[other] += value * row[other]
    outputs[:] = network.b3
    for unit in range(SECOND):
        if second[unit] > 0:
            for output in range(OUTPUTS):
                outputs[output] += second[unit] * network.w3[unit, output]


@jit
def output_errors(outputs: Floats, target: Floats, losses: Floats, errors: Floats) -> None:
    """Write the gradients of the outputs, and add to the losses."""
    for output in range(OUTPUTS):
        value = outputs[output]
        if output == WINS:
            chance = 1 / (1 + np.exp(-value))
            losses[output] -= np.log(max(chance if target[output] > 0.5 else 1 - chance, np.float32(1e-6)))
            value = chance
        else:
            losses[output] += (value - target[output]) ** 2
        errors[output] = (value - target[output]) * LOSS_WEIGHTS[output]


@jit
def backward(
    network: Network, gradient: Network, active: Words, found: int, first: Floats, second: Floats, errors: Floats
) -> None:
    """Add the gradient of one position. Both layers are overwritten by their gradients."""
    gradient.b3[:] += errors
    for unit in range(SECOND):
        value = second[unit]
        second[unit] = 0
        if value > 0:
            for output in range(OUTPUTS):
                second[unit] += errors[output] * network.w3[unit, output]
                gradient.w3[unit, output] += errors[output] * value
    gradient.b2[:] += second
    for unit in range(first.shape[0]):
        value = first[unit]
        first[unit] = 0
        if value > 0:
            first[unit] = add_unit(network.w2[unit], gradient.w2[unit], second, value)
    gradient.b1[:] += first
    for index in range(found):
        slopes = gradient.w1[active[index]]
        for unit in range(first.shape[0]):
            slopes[unit] += first[unit]


@jit
def add_unit(row: Floats, slopes: Floats, second: Floats, value: float) -> float:
    """Add the gradient of one unit's weights to the second layer. Returns the gradient of the unit."""
    total = single(0)
    for other in range(SECOND):
        total += second[other] * row[other]
        slopes[other] += second[other] * value
    return total


@jit
def add_batch(network: Network, gradient: Network, words: Words, targets: Floats, batch: Words, losses: Floats) -> None:
    """Add the gradients of the positions with the numbers in `batch`."""
    active = np.empty(FEATURES, np.int64)
    first = np.empty(network.b1.shape[0], np.float32)
    second = np.empty(SECOND, np.float32)
    outputs = np.empty(OUTPUTS, np.float32)
    errors = np.empty(OUTPUTS, np.float32)
    for index in batch:
        found = active_features(words[index], active)
        forward(network, active, found, first, second, outputs)
        output_errors(outputs, targets[index], losses, errors)
        backward(network, gradient, active, found, first, second, errors)


@jit
def step(
    weights: Floats,
    slopes: Floats,
    first: Floats,
    second: Floats,
    average: Floats,
    rate: float,
    scale: float,
    keep: float,
) -> None:
    """One step of Adam on flat weights; `rate` includes the correction of the moments. Slopes become 0."""
    for index in range(weights.shape[0]):
        slope = slopes[index] * np.float32(scale)
        slopes[index] = 0
        first[index] = np.float32(BETA_1) * first[index] + np.float32(1 - BETA_1) * slope
        second[index] = np.float32(BETA_2) * second[index] + np.float32(1 - BETA_2) * slope * slope
        weights[index] -= np.float32(rate) * first[index] / (np.sqrt(second[index]) + np.float32(EPSILON))
        average[index] = np.float32(keep) * average[index] + np.float32(1 - keep) * weights[index]


def descend(model: Model, steps: int, rate: float, positions: int) -> None:
    """Apply step number `steps` (from 1) with the gradient of `positions` positions."""
    for gradient in model.gradients[1:]:
        for whole, part in zip(model.gradients[0], gradient, strict=True):
            whole[:] += part
            part[:] = 0
    corrected = float(rate * np.sqrt(1 - BETA_2**steps) / (1 - BETA_1**steps))
    keep = min(0.999, steps / (steps + 10))
    for weights in zip(model.network, model.gradients[0], *model.adam, strict=True):
        of_weights, slopes, first, second, average = (array.reshape(-1) for array in weights)
        step(of_weights, slopes, first, second, average, corrected, 1.0 / positions, keep)
