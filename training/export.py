"""Write the weights that the app plays with: `python -m training.export SNAPSHOT STATE --beliefs FILE`.

Without `--beliefs`, those of the present file stay. `STATE` is the file of a run with its pool of hands. Put the
printed hash into `bot/players/compiled/weights.py`.
"""

import argparse
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from bot.players.compiled.beliefs import Beliefs
from bot.players.compiled.equity import Pool
from bot.players.compiled.network import Network
from bot.players.compiled.weights import FILE, LEVELS, Weights, load_weights
from training.store import load_network

HANDS: Final = 2048
"""Hands of the pool that are kept."""


def load_beliefs(file: Path) -> Beliefs:
    """Read beliefs written by `training.learn_beliefs`."""
    with np.load(file) as arrays:
        return Beliefs(*(arrays[name] for name in Beliefs._fields))


def write_weights(weights: Weights, hands: int) -> bytes:
    """The content of a file with these weights, and with the last `hands` hands of the pool."""
    arrays: dict[str, Any] = {"points": weights.pool.points[:, :hands].astype(np.int8)}
    for part in (weights.network, weights.beliefs):
        name = "network" if isinstance(part, Network) else "beliefs"
        arrays |= {f"{name}.{layer}": values.astype(np.float16) for layer, values in part._asdict().items()}
        scale = np.abs(part.w1).max(axis=1) / LEVELS
        arrays[f"{name}.w1"] = np.rint(part.w1 / np.maximum(scale, 1e-12)[:, None]).astype(np.int8)
        arrays[f"{name}.w1.scale"] = scale.astype(np.float32)
    stream = BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(prog="python -m training.export", description=__doc__)
    for name in ("snapshot", "state"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--beliefs", type=Path)
    arguments = parser.parse_args()
    beliefs = load_beliefs(arguments.beliefs) if arguments.beliefs else load_weights().beliefs
    with np.load(arguments.state) as arrays:
        pool = Pool(arrays["points"], arrays["pool_size"])
    content = write_weights(Weights(load_network(arguments.snapshot), beliefs, pool), HANDS)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_bytes(content)
    print(f"{FILE.name}: {len(content):,} bytes, SHA-256 {sha256(content).hexdigest()}")


if __name__ == "__main__":
    main()
