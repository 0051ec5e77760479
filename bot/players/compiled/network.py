"""The network: binary features, two hidden layers, four outputs; its evaluation within the compiled loop.

The sum of the first layer is kept for each seat and only changed where features have changed, both from one turn to
the next and from one candidate to another.
"""

from typing import Final, NamedTuple

import numpy as np

from bot.players.bits import Floats
from bot.players.compiled.features import WORDS, Words
from bot.players.compiled.jit import jit, lowest

EQUITY: Final = 0
"""The change of the share of the match by this hand, divided by a hand's usual change."""
WINS: Final = 1
"""Log odds of winning the hand."""
OWN_POINTS: Final = 2
"""The square root of the own penalty points, divided by 4."""
OTHER_POINTS: Final = 3
"""The mean of that over the other seats."""
OUTPUTS: Final = 4
SECOND: Final = 64
"""Width of the second hidden layer."""


class Network(NamedTuple):
    """Weights and biases of the three layers."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats


class Sums(NamedTuple):
    """The first layer's sums of each seat with their words, and arrays for a candidate."""

    sums: Floats
    words: Words
    candidate: Floats
    second: Floats
    outputs: Floats


def new_sums(width: int) -> Sums:
    """Arrays for four seats."""
    return Sums(
        np.zeros((4, width), np.float32),
        np.zeros((4, WORDS), np.int64),
        np.zeros(width, np.float32),
        np.zeros(SECOND, np.float32),
        np.zeros(OUTPUTS, np.float32),
    )


@jit
def reset(network: Network, sums: Sums, seat: int) -> None:
    """Reset the sums of `seat`."""
    sums.sums[seat, : network.b1.shape[0]] = network.b1
    sums.words[seat] = 0


@jit
def change(network: Network, total: Floats, old: Words, new: Words) -> None:
    """Update a sum of the first layer from the features `old` to `new`."""
    weights = network.w1
    for word in range(WORDS):
        changed = old[word] ^ new[word]
        while changed:
            place = lowest(changed)
            changed &= changed - 1
            row = weights[64 * word + place]
            if new[word] >> place & 1:
                for unit in range(total.shape[0]):
                    total[unit] += row[unit]
            else:
                for unit in range(total.shape[0]):
                    total[unit] -= row[unit]


@jit
def look(network: Network, sums: Sums, seat: int, words: Words) -> None:
    """Update the sum of `seat` to these features."""
    change(network, sums.sums[seat, : network.b1.shape[0]], sums.words[seat], words)
    sums.words[seat] = words


@jit
def evaluate(network: Network, sums: Sums, seat: int, words: Words) -> float:
    """The first output for a candidate of `seat`; all outputs stay in `sums.outputs`."""
    width, second = network.b1.shape[0], sums.second
    first = sums.candidate[:width]
    first[:] = sums.sums[seat, :width]
    change(network, first, sums.words[seat], words)
    second[:] = network.b2
    for unit in range(width):
        value = first[unit]
        if value > 0:
            row = network.w2[unit]
            for other in range(SECOND):
                second[other] += value * row[other]
    sums.outputs[:] = network.b3
    for unit in range(SECOND):
        value = second[unit]
        if value > 0:
            for output in range(OUTPUTS):
                sums.outputs[output] += value * network.w3[unit, output]
    return sums.outputs[EQUITY]
