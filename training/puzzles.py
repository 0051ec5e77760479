"""Find puzzles: positions in which one play is surely the best. `python -m training.puzzles FILE`; it resumes.

Experts play first hands of a match. A position is a puzzle if its best move wins by `LEAST` points and by `SURE`
standard errors against every move that isn't as good, if the master makes it too, and if a simple player wouldn't.
Each is measured in a thousand deals that the player could imagine. With `--choose OUT` it writes the puzzles of the
app, in a random order, and prints their hash. With `--recheck` it removes those of the app that a new master wouldn't
solve.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from bot.analysis.puzzle import HEADER, NEARLY, PuzzleHand, move_text, moves_of
from bot.engine import Pass, Play, View
from bot.players import expert, simple
from bot.players.bits import Floats
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.master import master
from bot.players.compiled.match import chance_of
from bot.players.compiled.moves import new_scratch
from bot.players.compiled.playouts import new_trials, try_moves
from bot.players.compiled.position import hand_of, number_of
from bot.players.heuristic_weights import TUNED_WEIGHTS

LEAST: Final = 1.5
SURE: Final = 5.0
FEW_DEALS, SOME_DEALS, DEALS = 50, 200, 1000
"""The deals of three looks at a position. Most are dropped after the first or second one, and only moves that aren't
surely worse by then are measured in all deals."""
MOST_CHOICES: Final = 20
MOST_RIGHT: Final = 3
"""The most moves that are as good as the best, such as the same number in another color."""
FEWEST_CARDS: Final = 4
SEEDS: Final = 1 << 46
LARGEST_SHARE: Final = 0.4
"""The largest share of puzzles of one kind."""


class Finder:
    """The arrays for measuring moves."""

    def __init__(self) -> None:
        self._lookups, self._scratch, self._trials = make_lookups(), new_scratch(), new_trials()

    def results(self, seen: View, moves: list[Play | Pass], deals: int, seed: int) -> Floats:
        """The points of each move in each deal (see `try_moves`)."""
        results = np.zeros((len(moves), deals), np.float32)
        try_moves(
            self._lookups,
            hand_of(seen),
            self._scratch,
            TUNED_WEIGHTS,
            self._trials,
            np.array([number_of(seen, move) for move in moves], np.int64),
            results,
            chance_of(seed),
        )
        return results

    def costs(self, seen: View, seed: int) -> list[float] | None:
        """The cost of each move of a puzzle, in points; None if the position isn't one."""
        moves = moves_of(seen)
        if not 1 < len(moves) <= MOST_CHOICES or len(seen.hand) < FEWEST_CARDS or seen.may_declare:
            return None
        lesser = simple.choose(seen)
        if lesser == expert.choose(seen):
            return None
        first = _measured(self.results(seen, moves, FEW_DEALS, seed))
        if sum(cost <= error for cost, error in first) > MOST_RIGHT:
            return None
        found = _measured(self.results(seen, moves, SOME_DEALS, seed + 1))
        gap, certain = _gap(found)
        if gap < LEAST / 1.5 or certain < SURE / 2:
            return None
        close = [index for index, (cost, error) in enumerate(found) if cost < 2 * LEAST or cost < SURE * error]
        again = _measured(self.results(seen, [moves[index] for index in close], DEALS, seed + 2))
        for index, measured in zip(close, again, strict=True):
            found[index] = measured
        gap, certain = _gap(found)
        costs = [cost for cost, _ in found]
        right = [move for move, cost in zip(moves, costs, strict=True) if cost < NEARLY]
        if gap < LEAST or certain < SURE or len(right) > MOST_RIGHT or lesser in right:
            return None
        return costs if is_solved(seen, costs, seed) else None


def is_solved(seen: View, costs: list[float], seed: int) -> bool:
    """True if the master makes the best move of a puzzle, or one that is nearly as good."""
    return master().choose(seen, seed) in [
        move for move, cost in zip(moves_of(seen), costs, strict=True) if cost < NEARLY
    ]


def first_seed(deal: int, moves: list[str]) -> int:
    """The first seed of the measurements after these moves."""
    return SEEDS + 1000 * deal + len(moves)


def _measured(results: Floats) -> list[tuple[float, float]]:
    """The cost of each move, and its standard error."""
    lost = results[int(results.mean(1).argmax())] - results
    errors = lost.std(1) / results.shape[1] ** 0.5
    return [(round(float(cost), 1), float(error)) for cost, error in zip(lost.mean(1), errors, strict=True)]


def _gap(found: list[tuple[float, float]]) -> tuple[float, float]:
    """The smallest cost of a move that isn't nearly as good as the best, and the fewest standard errors of one."""
    others = [(cost, cost / max(error, 1e-9)) for cost, error in found if cost >= NEARLY]
    return min((cost for cost, _ in others), default=0.0), min((certain for _, certain in others), default=0.0)


def positions(deal: int) -> Iterator[tuple[PuzzleHand, list[str]]]:
    """The positions of a hand between experts, and the moves before each."""
    hand, moves = PuzzleHand.of(deal), list[str]()
    while hand.state.last_hand is None:
        yield hand, list(moves)
        move = expert.choose(hand.view)
        if not isinstance(move, Play | Pass):
            return
        moves.append(move_text(move))
        hand = hand.after(move)


def puzzles_of(deal: int, finder: Finder) -> Iterator[dict[str, Any]]:
    """The puzzles of a deal, chosen at random from its positions; each for another seat."""
    found, seats = list(positions(deal)), set[int]()
    Random(deal).shuffle(found)  # noqa: S311  # for variety
    for hand, moves in found:
        if hand.turn in seats:
            continue
        costs = finder.costs(hand.view, first_seed(deal, moves))
        if costs is not None:
            seats.add(hand.turn)
            yield {"deal": deal, "moves": moves, "costs": costs, "kind": kind_of(hand.view, costs)}


def kind_of(seen: View, costs: list[float]) -> str:
    """The kind of a puzzle, by its best move and the hand: `pass`, `gang`, `last cards`, `answer` or `lead`."""
    best = moves_of(seen)[costs.index(min(costs))]
    if isinstance(best, Pass):
        return "pass"
    if max(Counter(card.rank for card in seen.hand).values()) > 3:
        return "gang"
    if len(seen.hand) <= 6:
        return "last cards"
    return "answer" if seen.public.cycle.plays else "lead"


def find(file: Path, wanted: int, first_deal: int) -> None:
    """Add puzzles to a file until it has as many as wanted. Deals that are in the file aren't searched again."""
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    total, deal = len(lines), 1 + max((line["deal"] for line in lines), default=first_deal - 1)
    finder = Finder()
    with file.open("a") as out:
        while total < wanted:
            for puzzle in puzzles_of(deal, finder):
                out.write(json.dumps(puzzle) + "\n")
                out.flush()
                total += 1
            sys.stderr.write(f"\rdeal {deal}: {total} of {wanted} puzzles ")
            deal += 1


def choose(files: list[Path], out: Path) -> None:
    """Write the puzzles of the app, with no kind too often, and print the hash of the file."""
    found = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    most = int(LARGEST_SHARE * len(found))
    kinds: Counter[str] = Counter()
    chosen = []
    for puzzle in found:
        kinds[puzzle["kind"]] += 1
        if kinds[puzzle.pop("kind")] <= most:
            chosen.append(puzzle)
    Random(0).shuffle(chosen)  # noqa: S311  # so that kinds alternate
    sys.stdout.write(f"{dict(kinds)}\n")
    write(chosen, out)


def recheck(file: Path) -> None:
    """Remove the puzzles that the master doesn't solve, and print the hash of the file."""
    _, *lines = map(json.loads, file.read_text().splitlines())
    solved = []
    for number, puzzle in enumerate(lines, 1):
        hand = reduce(PuzzleHand.after_text, puzzle["moves"], PuzzleHand.of(puzzle["deal"]))
        if is_solved(hand.view, puzzle["costs"], first_seed(puzzle["deal"], puzzle["moves"])):
            solved.append(puzzle)
        sys.stderr.write(f"\r{number} of {len(lines)} puzzles, {len(solved)} solved ")
    write(solved, file)


def write(puzzles: list[dict[str, Any]], out: Path) -> None:
    """Write the file of the app, and print its hash."""
    lines = [json.dumps(line, separators=(",", ":")) for line in (HEADER, *puzzles)]
    content = "".join(f"{line}\n" for line in lines).encode()
    out.write_bytes(content)
    sys.stdout.write(f"{len(puzzles)} puzzles, SHA-256 {sha256(content).hexdigest()}\n")


def main() -> None:
    """Read the command line, and find or choose puzzles."""
    parser = argparse.ArgumentParser(prog="python -m training.puzzles", description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--first-deal", type=int, default=1)
    parser.add_argument("--wanted", type=int, default=500)
    parser.add_argument("--choose", type=Path, metavar="OUT")
    parser.add_argument("--recheck", action="store_true", help="FILE is that of the app")
    asked = parser.parse_args()
    if asked.recheck:
        recheck(asked.files[0])
    elif asked.choose is not None:
        choose(asked.files, asked.choose)
    else:
        find(asked.files[0], asked.wanted, asked.first_deal)


if __name__ == "__main__":
    main()
