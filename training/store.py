"""A run in its folder: its plan, its whole state, its log and its snapshots. Files are replaced atomically."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.players.compiled.network import Network
from bot.players.compiled.weights import read_weights
from training.run import Plan, Progress, Run

PLAN: Final = "plan.json"
STATE: Final = "state.npz"
LOG: Final = "log.jsonl"
SNAPSHOTS: Final = "snapshots"


def save_network(file: Path, network: Network) -> None:
    """Write the weights."""
    write_arrays(file, network._asdict())


def load_network(file: Path) -> Network:
    """Read weights written by `save_network`."""
    with np.load(file) as arrays:
        return Network(*(arrays[name] for name in Network._fields))


def save(run: Run, folder: Path) -> None:
    """Write the whole state, so `load` can resume exactly."""
    arrays: dict[str, Any] = {"progress": json.dumps(asdict(run.progress))}
    for part, network in _networks(run).items():
        arrays |= {f"{part}.{name}": weights for name, weights in network._asdict().items()}
    kept = min(run.progress.positions, run.plan.replay)
    arrays |= {name: array[:kept] for name, array in _replay(run).items()}
    arrays |= {"points": run.pool.points, "pool_size": run.pool.size}
    write_arrays(folder / STATE, arrays)


def has_run(folder: Path) -> bool:
    """True if a run has been saved in a folder."""
    return (folder / STATE).is_file()


def start(folder: Path, plan: Plan, threads: int, weights: Path | None = None) -> Run:
    """The run in a folder, or a new one with this plan.

    `weights`: the file with the app's weights, with which a new run begins. Raises ValueError if their width differs.
    """
    (folder / SNAPSHOTS).mkdir(parents=True, exist_ok=True)
    if not has_run(folder):
        (folder / PLAN).write_text(json.dumps(asdict(plan), indent=1))
        run = Run(plan, threads)
        run.fill_pool()
        if weights:
            _begin_with(run, read_weights(weights.read_bytes()).network)
        return run
    run = Run(Plan(**json.loads((folder / PLAN).read_text())), threads)
    _load(run, folder)
    return run


def _load(run: Run, folder: Path) -> None:
    with np.load(folder / STATE) as arrays:
        run.progress = Progress(**json.loads(str(arrays["progress"])))
        for part, network in _networks(run).items():
            for name, weights in network._asdict().items():
                weights[:] = arrays[f"{part}.{name}"]
        for name, array in _replay(run).items():
            array[: len(arrays[name])] = arrays[name]
        run.pool.points[:], run.pool.size[:] = arrays["points"], arrays["pool_size"]


def _begin_with(run: Run, learned: Network) -> None:
    if len(learned.b1) != run.plan.width:
        raise ValueError(f"the weights have {len(learned.b1)} units in the first layer, not {run.plan.width}")
    for network in (run.player.network, run.player.adam.average, run.past):
        for values, begun in zip(network, learned, strict=True):
            values[:] = begun


def _networks(run: Run) -> dict[str, Network]:
    return {"past": run.past, "network": run.player.network, **run.player.adam._asdict()}


def _replay(run: Run) -> dict[str, NDArray[Any]]:
    return {"words": run.words, "targets": run.targets}


def take_snapshot(run: Run, folder: Path) -> None:
    """Write a snapshot of the averaged weights, and choose an earlier one as the opponent."""
    save_network(folder / SNAPSHOTS / f"{run.progress.hands:010}.npz", run.player.adam.average)
    random = Random(f"past {run.plan.seed} {run.progress.rounds}")  # noqa: S311
    earlier = sorted((folder / SNAPSHOTS).glob("*.npz"))[-20:]
    for weights, old in zip(run.past, load_network(random.choice(earlier)), strict=True):
        weights[:] = old


def log(folder: Path, line: dict[str, Any]) -> None:
    """Add a line to the log."""
    with (folder / LOG).open("a") as file:
        file.write(json.dumps(line) + "\n")


def write_arrays(file: Path, arrays: dict[str, Any]) -> None:
    """Replace a file of arrays."""
    part = file.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(stream, **arrays)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)
