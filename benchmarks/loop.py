"""The delay of the app's event loop while a user presses every button on the longest match that can be imported.

Another guild plays at the same time. For comparison, the same is first measured without the presses.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.playground import Playground
from tests.end_to_end.app_harness import AppHarness, Player
from tests.end_to_end.app_process import ROOT, AppProcess
from tests.simulated_matches import longest_record

ROUNDS: Final = 5
"""Times that every button is pressed."""
PRESSES: Final = (
    *("Next ▶", "Hand ▶", "Last", "◀ Back", "◀ Hand", "First"),
    *("Record", "As text", "Check the deals", "As a picture", "▶ As a moving picture"),
)
P99: Final = 0.020
"""The limit of the loop's delay in 99 of 100 samples, in seconds."""
MAXIMUM: Final = 0.050
"""The limit of the loop's delay in all samples, in seconds."""
LONG_MATCH: Final = 1000
"""Target of the match in the other guild, so that it doesn't end."""


class ProbedHarness(AppHarness):
    """An app harness whose app records the delay of its event loop."""

    def __init__(self, world: Playground, folder: Path) -> None:
        super().__init__(world, folder, PICTURES="true")
        self.samples = folder / "samples"

    async def start_app(self, **settings: str) -> None:
        """Start the app with the probe and wait until it has registered its commands."""
        command = (sys.executable, "-m", "benchmarks.probed_app", str(self.samples))
        with self.log.open("a") as log:
            process = await asyncio.create_subprocess_exec(
                *command, env=self.environment(**settings), cwd=ROOT, stderr=log, stdout=log
            )
        self.app = AppProcess(process.pid, asyncio.ensure_future(process.wait()))
        await self.world.app_ready(60)

    def samples_between(self, since: float, until: float) -> tuple[list[float], list[float]]:
        """The delays and the computing times of the loop (seconds) between two times, each sorted."""
        lines = [tuple(map(float, line.split())) for line in self.samples.read_text().splitlines()[:-1]]
        found = [(late, computed) for at, late, computed in lines if since <= at <= until]
        return sorted(late for late, _ in found), sorted(computed for _, computed in found)


async def answered(person: Person, reply: Reply) -> SeenMessage:
    """Wait for the private message of a reply."""
    message = reply.message
    if message is None:
        raise RuntimeError(f"no answer: {reply}")
    await person.until(lambda: not message.loading, timeout=60)
    return message


async def press_everything(harness: AppHarness) -> None:
    """Import the longest match in another guild, and press every button on it repeatedly."""
    eve, channel = harness.world.person("Eve"), harness.world.guild("Library").channel("reading")
    for turn in range(1, ROUNDS + 1):
        file = ("match.jsonl", longest_record())
        panel = await answered(eve, await eve.slash(channel, "gang history", file=file))
        for number, label in enumerate(PRESSES, 1):
            print(f"\rround {turn} of {ROUNDS}, press {number} of {len(PRESSES)} ", end="", flush=True)
            await answered(eve, await eve.click(panel, label))
    print()


async def play_while(harness: AppHarness, players: Sequence[Player], work: Awaitable[None]) -> list[float]:
    """Play until some work is done. Returns the time of each move (seconds), including a press for each choice."""
    task, seconds = asyncio.ensure_future(work), []
    while not task.done():
        mover = await harness.people[0].until(lambda: next(filter(Player.must_act, players), None), timeout=60)
        if mover is None:
            raise RuntimeError("no player can act")
        begun = monotonic()
        await mover.act()
        seconds.append(monotonic() - begun)
    await task
    return sorted(seconds)


@dataclass(frozen=True)
class Phase:
    """The measurements without or with the presses, in seconds, sorted."""

    late: list[float]
    computed: list[float]
    moves: list[float]


async def measure() -> list[Phase]:
    """The measurements without the presses, and with them."""
    found = []
    with TemporaryDirectory() as folder:
        async with Playground(rate_limits="off") as world:
            harness = ProbedHarness(world, Path(folder))
            await harness.start_app()
            ana, ben, cleo, _ = harness.people
            await harness.open_table(ana, seats=3, target=LONG_MATCH)
            await harness.seat([ben, cleo])
            await harness.start_match()
            players = [Player(harness, person) for person in (ana, ben, cleo)]
            for player in players:
                await player.open()
            longest_record()
            lasted = 10.0
            phases: dict[str, Callable[[], Awaitable[None]]] = {
                "nothing else": lambda: asyncio.sleep(lasted),
                "the presses": lambda: press_everything(harness),
            }
            for name, work in phases.items():
                print(f"a match in one guild, and {name}", flush=True)
                begun = monotonic()
                moves = await play_while(harness, players, work())
                found.append(Phase(*harness.samples_between(begun, monotonic()), moves))
            await harness.kill_app()
    return found


def report(name: str, figure: Callable[[Phase], float], phases: list[Phase], most: float | None = None) -> None:
    """Print milliseconds without and with the presses, and their ratio."""
    idle, busy = (1000 * figure(phase) for phase in phases)
    verdict = "" if most is None else f"  {'met' if busy <= 1000 * most else 'missed'}: at most {1000 * most:g}"
    print(f"{name:<44}{idle:>10,.1f}{busy:>10,.1f}{busy / idle:>8,.1f}{verdict}")


def main() -> None:
    """Measure and report."""
    phases = asyncio.run(measure())
    print(f"\n{'milliseconds':<44}{'alone':>10}{'presses':>10}{'ratio':>8}")
    report("event loop late, median", lambda phase: median(phase.late), phases)
    report("event loop late, 99 of 100", lambda phase: quantiles(phase.late, n=100)[-1], phases, P99)
    report("event loop late, at most", lambda phase: phase.late[-1], phases, MAXIMUM)
    report("event loop computes at a stretch, at most", lambda phase: phase.computed[-1], phases, MAXIMUM)
    report("a move in the other guild, median", lambda phase: median(phase.moves), phases)
    report("a move in the other guild, at most", lambda phase: phase.moves[-1], phases)


if __name__ == "__main__":
    main()
