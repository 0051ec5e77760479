"""How late the app's event loop is while one person presses everything on the longest match that can be imported.

Meanwhile another server plays. The same is measured before, while nobody presses anything, and stands beside it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from playground.people import Person
from playground.playground import Playground
from playground.sight import Reply, SeenMessage
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
        self.program = ("-m", "benchmarks.probed_app", str(self.samples))

    def late(self, since: float, until: float) -> list[float]:
        """How late the loop was (seconds), at each look between two moments of the monotonic clock."""
        looks = [tuple(map(float, line.split())) for line in self.samples.read_text().splitlines()[:-1]]
        return sorted(late for at, late in looks if since <= at <= until)


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


async def measure() -> dict[str, tuple[list[float], list[float]]]:
    """How late the loop is, and what a move takes, without and with the presses."""
    found = {}
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
                found[name] = room.late(begun, monotonic()), moves
            await room.kill_app()
    return found


def report(name: str, values: dict[str, float], most: float | None = None) -> None:
    """A line of the table: milliseconds without and with the presses, and their ratio."""
    idle, busy = (1000 * value for value in values.values())
    verdict = "" if most is None else f"  {'met' if busy <= 1000 * most else 'missed'}: at most {1000 * most:g}"
    print(f"{name:<40}{idle:>10,.1f}{busy:>10,.1f}{busy / idle:>8,.1f}{verdict}")


def main() -> None:
    """Measure and report."""
    found = asyncio.run(measure())
    late = {name: samples for name, (samples, _) in found.items()}
    moves = {name: seconds for name, (_, seconds) in found.items()}
    print(f"\n{'milliseconds':<40}{'alone':>10}{'presses':>10}{'ratio':>8}")
    report("event loop late, median", {name: median(seen) for name, seen in late.items()})
    report("event loop late, 99 of 100", {name: quantiles(seen, n=100)[-1] for name, seen in late.items()}, P99)
    report("event loop late, at most", {name: seen[-1] for name, seen in late.items()}, MOST)
    report("a move in the other server, median", {name: median(seen) for name, seen in moves.items()})
    report("a move in the other server, at most", {name: seen[-1] for name, seen in moves.items()})


if __name__ == "__main__":
    main()
