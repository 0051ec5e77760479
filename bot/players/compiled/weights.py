"""The weights of the best player, as a small file: eight bits for each weight of a first layer, 16 for others.

`python -m training.export` writes the file and prints its hash.
"""

from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from bot.players.compiled.beliefs import Beliefs
from bot.players.compiled.equity import POOL, Pool
from bot.players.compiled.network import Network

FILE: Final = Path(__file__).parents[1] / "weights" / "master-4.npz"
SHA256: Final = "c132c65174dfda1fe39b3dd7b0d6302aa355de5e6caa887497a48a27f3e25306"
LEVELS: Final = 127
"""The largest of the whole numbers in which a row of a first layer is stored."""


class WrongWeights(Exception):
    """The file isn't the one that belongs to this version."""


class Weights(NamedTuple):
    """Everything that has been learned."""

    network: Network
    beliefs: Beliefs
    pool: Pool


def load_weights() -> Weights:
    """Read the file. Raises `WrongWeights` or OSError."""
    content = FILE.read_bytes()
    if sha256(content).hexdigest() != SHA256:
        raise WrongWeights(FILE.name)
    return read_weights(content)


def read_weights(content: bytes) -> Weights:
    """The weights in a file's content."""
    with np.load(BytesIO(content)) as arrays:
        parts = {name: arrays[name].astype(np.float32) for name in arrays.files if name != "points"}
        points = arrays["points"].astype(np.int64)
    for layer in ("network.w1", "beliefs.w1"):
        parts[layer] *= parts.pop(f"{layer}.scale")[:, None]
    pool = Pool(np.zeros((2, POOL, 4), np.int64), np.full(2, points.shape[1], np.int64))
    pool.points[:, : points.shape[1]] = points
    return Weights(
        Network(*(parts[f"network.{name}"] for name in Network._fields)),
        Beliefs(*(parts[f"beliefs.{name}"] for name in Beliefs._fields)),
        pool,
    )
