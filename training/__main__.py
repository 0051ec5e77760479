"""Train the network by self-play: `python -m training FOLDER`. The same command resumes a run."""

import argparse
import signal
import time
from dataclasses import fields
from pathlib import Path
from types import FrameType
from typing import Final

from training import store
from training.arena import HEURISTIC, LEARNER, PAST, new_arena
from training.run import Plan, Run
from training.untrained import new_pool
from training.versus import Contest, hero_results, match_share, mean_and_error

SAVE_SECONDS: Final = 240
SELECTION_SEEDS: Final = range(1 << 50, (1 << 50) + 25)
"""The first seed for choosing between versions; training and reports use others."""


class Stop:
    """Set by SIGTERM and SIGINT: the current round ends, and the run is saved."""

    asked = False

    def __init__(self) -> None:
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._ask)

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True


def strength(run: Run) -> dict[str, float]:
    """The averaged network against three heuristic players, and against three of its past."""
    arena = new_arena(run.plan.width)
    found = {}
    for name, other in (("heuristic", HEURISTIC), ("past", PAST)):
        contest = Contest(LEARNER, other)
        networks = run.playing()
        shares = list(hero_results(match_share, contest, run.lookups, networks, arena, new_pool(), SELECTION_SEEDS))
        found[f"vs_{name}"], found[f"vs_{name}_error"] = mean_and_error(shares)
    return found


def train(run: Run, folder: Path, hands: int, snapshot_hands: int) -> None:
    """Train until `hands` have been played or a signal stops the run."""
    stop, saved, begun = Stop(), time.monotonic(), time.monotonic()
    progress = run.progress
    while not stop.asked and progress.hands < hands:
        before, start = progress.hands, time.monotonic()
        losses = run.round()
        seconds = time.monotonic() - start
        progress.seconds += seconds
        values = " ".join(f"{loss:.4f}" for loss in losses)
        speed = (progress.hands - before) / seconds
        print(f"\r{progress.hands:,} hands, {speed:.0f} a second, losses {values}  ", end="", flush=True)
        line = {"hands": progress.hands, "seconds": round(progress.seconds), "speed": speed}
        line |= {"rate": run.rate(), "losses": losses.round(5).tolist()}
        if progress.hands // snapshot_hands > before // snapshot_hands:
            store.take_snapshot(run, folder)
            line |= strength(run)
            print(f"vs three heuristics: {line['vs_heuristic']:.1%}, vs three of the past: {line['vs_past']:.1%}")
        store.log(folder, line)
        if time.monotonic() - saved > SAVE_SECONDS:
            store.save(run, folder)
            saved = time.monotonic()
    store.save(run, folder)
    print(f"\nsaved after {time.monotonic() - begun:.0f} s")


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hands", type=int, default=10**12, help="stop after this many hands")
    parser.add_argument("--snapshot-hands", type=int, default=50_000, help="keep the weights, and measure, so often")
    parser.add_argument("--weights", type=Path, help="a new run begins with this file of the app's weights")
    for each in fields(Plan):
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=type(each.default), help=f"({each.default})")
    arguments = vars(parser.parse_args())
    given = {each.name: arguments[each.name] for each in fields(Plan) if arguments[each.name] is not None}
    if (given or arguments["weights"]) and store.has_run(arguments["folder"]):
        parser.error("the settings of a run are fixed at its start")
    run = store.start(arguments["folder"], Plan(**given), arguments["threads"], arguments["weights"])
    train(run, arguments["folder"], arguments["hands"], arguments["snapshot_hands"])


if __name__ == "__main__":
    main()
