"""How late the app's event loop is while one person presses everything on the longest match that can be imported.

Meanwhile another server plays. The same is measured before, while nobody presses anything, and stands beside it.
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
from tests.end_to_end.forge import ROOT, AppProcess
from tests.end_to_end.room import Player, Room
from tests.longest import longest_record

ROUNDS: Final = 5
"""How often everything is pressed."""
PRESSES: Final = (
    *("Next ▶", "Hand ▶", "Last", "◀ Back", "◀ Hand", "First"),
    *("Record", "As text", "Check the deals", "As a picture", "▶ As a moving picture"),
)
P99: Final = 0.020
"""Seconds that the loop may be late in 99 of 100 looks."""
MOST: Final = 0.050
"""Seconds that it may be late at all."""
LONG_MATCH: Final = 1000
"""Points, so that the match in the other server does not end meanwhile."""


class ProbedRoom(Room):
    """A room whose app writes down how late its event loop is."""

    def __init__(self, world: Playground, folder: Path) -> None:
        super().__init__(world, folder, PICTURES="true")
        self.samples = folder / "samples"

    async def start_app(self, **settings: str) -> None:
        """Start the app with the probe and wait until it has told Discord of its commands."""
        command = (sys.executable, "-m", "benchmarks.probed_app", str(self.samples))
        with self.log.open("a") as log:
            process = await asyncio.create_subprocess_exec(
                *command, env=self._environment(settings), cwd=ROOT, stderr=log, stdout=log
            )
        self.app = AppProcess(process.pid, asyncio.ensure_future(process.wait()))
        await self.world.app_ready(60)

    def looks(self, since: float, until: float) -> tuple[list[float], list[float]]:
        """How late the loop was and how long it had computed (seconds), at each look between two moments."""
        lines = [tuple(map(float, line.split())) for line in self.samples.read_text().splitlines()[:-1]]
        found = [(late, computed) for at, late, computed in lines if since <= at <= until]
        return sorted(late for late, _ in found), sorted(computed for _, computed in found)


async def answered(person: Person, reply: Reply) -> SeenMessage:
    """The private message that answers, once it is there."""
    message = reply.message
    if message is None:
        raise RuntimeError(f"no answer: {reply}")
    await person.until(lambda: not message.loading, timeout=60)
    return message


async def press_everything(room: Room) -> None:
    """Import the longest match in a server of one's own, and press every button on it again and again."""
    eve, channel = room.world.person("Eve"), room.world.guild("Library").channel("reading")
    for turn in range(1, ROUNDS + 1):
        file = ("match.jsonl", longest_record())
        panel = await answered(eve, await eve.slash(channel, "gang import", file=file))
        for number, label in enumerate(PRESSES, 1):
            print(f"\rround {turn} of {ROUNDS}, press {number} of {len(PRESSES)} ", end="", flush=True)
            await answered(eve, await eve.click(panel, label))
    print()


async def play_while(room: Room, players: Sequence[Player], work: Awaitable[None]) -> list[float]:
    """Play on until some work is done; gives what each move took (seconds), a press for each choice in it."""
    task, seconds = asyncio.ensure_future(work), []
    while not task.done():
        mover = await room.people[0].until(lambda: next(filter(Player.must_act, players), None), timeout=60)
        if mover is None:
            raise RuntimeError("nobody is to act")
        begun = monotonic()
        await mover.act()
        seconds.append(monotonic() - begun)
    await task
    return sorted(seconds)


@dataclass(frozen=True)
class Phase:
    """What was measured without or with the presses, in seconds, each from the least to the most."""

    late: list[float]
    computed: list[float]
    moves: list[float]


async def measure() -> list[Phase]:
    """What is measured without the presses, and with them."""
    found = []
    with TemporaryDirectory() as folder:
        async with Playground(rate_limits="off") as world:
            room = ProbedRoom(world, Path(folder))
            await room.start_app()
            ana, ben, cleo, _ = room.people
            await room.open(ana, seats=3, target=LONG_MATCH)
            await room.seat([ben, cleo])
            await room.begin()
            players = [Player(room, person) for person in (ana, ben, cleo)]
            for player in players:
                await player.open()
            longest_record()
            lasted = 10.0
            phases: dict[str, Callable[[], Awaitable[None]]] = {
                "nothing else": lambda: asyncio.sleep(lasted),
                "the presses": lambda: press_everything(room),
            }
            for name, work in phases.items():
                print(f"a match in one server, beside it {name}", flush=True)
                begun = monotonic()
                moves = await play_while(room, players, work())
                found.append(Phase(*room.looks(begun, monotonic()), moves))
            await room.kill_app()
    return found


def report(name: str, figure: Callable[[Phase], float], phases: list[Phase], most: float | None = None) -> None:
    """A line of the table: milliseconds without and with the presses, and their ratio."""
    idle, busy = (1000 * figure(phase) for phase in phases)
    verdict = "" if most is None else f"  {'met' if busy <= 1000 * most else 'missed'}: at most {1000 * most:g}"
    print(f"{name:<44}{idle:>10,.1f}{busy:>10,.1f}{busy / idle:>8,.1f}{verdict}")


def main() -> None:
    """Measure and report."""
    phases = asyncio.run(measure())
    print(f"\n{'milliseconds':<44}{'alone':>10}{'presses':>10}{'ratio':>8}")
    report("event loop late, median", lambda phase: median(phase.late), phases)
    report("event loop late, 99 of 100", lambda phase: quantiles(phase.late, n=100)[-1], phases, P99)
    report("event loop late, at most", lambda phase: phase.late[-1], phases, MOST)
    report("event loop computes at a stretch, at most", lambda phase: phase.computed[-1], phases, MOST)
    report("a move in the other server, median", lambda phase: median(phase.moves), phases)
    report("a move in the other server, at most", lambda phase: phase.moves[-1], phases)


if __name__ == "__main__":
    main()
