"""Measures the time until the first answer to a press, while people play at two hundred tables.

At each table a person with an open hand plays against three AI players, who take their usual pauses. The pauses between
presses are random (exponential). See `benchmarks.timed_app` for what is measured.
"""

import argparse
import asyncio
import random
import sys
import time
from asyncio.subprocess import DEVNULL
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.clicks import cpu_seconds
from bot.players.levels import Level
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import SeenMessage
from playground.playground import Playground
from tests.end_to_end.app_harness import PASS, AppHarness, can_press, cards
from tests.end_to_end.app_process import BOUND, ROOT
from tests.end_to_end.match_table import SIGNS, MatchTable

TARGET: Final = 20
"""Milliseconds of 99 in 100 first answers."""
LOOK: Final = 1.0
"""Seconds between two looks at the hand of a person who waits for their turn."""
CHOICES: Final = ("Lowest play", 'Play and say "Last card!"', "Play", "Give back", PASS)


@dataclass
class Guest:
    """A person at a table with AI players."""

    table: MatchTable
    pause: float
    """The mean number of seconds between two presses."""
    rng: random.Random
    level: Level = Level.SIMPLE
    """That of the AI players."""
    presses: int = 0

    @property
    def person(self) -> Person:
        """The person."""
        return self.table.people[0]

    async def start(self) -> SeenMessage:
        """Start a match, and return the hand."""
        reply = await self.person.slash(self.table.channel, "gang new", with_ai=True, level=self.level, target=1000)
        assert reply.message is not None, reply
        return reply.message

    async def play(self) -> None:
        """Play until canceled: tap a card, choose the lowest play, and play it, or pass."""
        hand = await self.start()
        while True:
            await asyncio.sleep(LOOK)  # not at each change in the playground: there are many
            has_tapped = False
            while any(sign in hand.text for sign in SIGNS):
                await asyncio.sleep(self.rng.expovariate(1 / self.pause))
                with suppress(NotOffered):  # the hand has changed
                    if not has_tapped:
                        await self.person.click(hand, custom_id=cards(hand)[-1])
                    else:
                        await self.person.click(hand, self._choice(hand))
                    self.presses += 1
                has_tapped = True

    def _choice(self, hand: SeenMessage) -> str:
        is_selected = "beats the table" in hand.text or can_press(hand, "Play")
        labels = CHOICES[1:] if is_selected else CHOICES
        return next((label for label in labels if can_press(hand, label)), PASS)


@dataclass(frozen=True)
class Measured:
    """The milliseconds of the first answers, and the share of a core that the app used."""

    answers: list[int]
    cpu: float
    presses: int


async def measure(tables: int, pause: float, seconds: float) -> Measured:
    """Play at all tables for some time."""
    with TemporaryDirectory() as folder:
        async with Playground(rate_limits="off") as world:
            harness = AppHarness(world, Path(folder) / "app", AI_DELAY_SECONDS="1.5")
            guests = [
                Guest(MatchTable.create(harness, number, people=1), pause, random.Random(number))
                for number in range(tables)
            ]
            file = Path(folder) / "answers"
            app = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "benchmarks.timed_app", str(file)),
                env=harness.environment(),
                cwd=ROOT,
                stdout=DEVNULL,
                stderr=DEVNULL,
            )
            await world.app_ready(BOUND)
            print(f"starting {tables} matches", flush=True)
            playing = []
            for guest in guests:
                playing.append(asyncio.ensure_future(guest.play()))
                await asyncio.sleep(0.1)
            await asyncio.sleep(2 * pause)
            print(f"playing for {seconds:g} seconds", flush=True)
            known, cpu, begun = len(file.read_text().splitlines()), cpu_seconds(app), time.monotonic()
            before = sum(guest.presses for guest in guests)
            await asyncio.sleep(seconds)
            used = (cpu_seconds(app) - cpu) / (time.monotonic() - begun)
            answers = [int(line) for line in file.read_text().splitlines()[known:]]
            presses = sum(guest.presses for guest in guests) - before
            for task in playing:
                task.cancel()
            ended = await asyncio.gather(*playing, return_exceptions=True)
            failed = [each for each in ended if not isinstance(each, asyncio.CancelledError)]
            app.kill()
            await app.wait()
            if failed:
                raise RuntimeError(f"{len(failed)} of {tables} tables failed, such as {failed[0]!r}")
            return Measured(answers, used, presses)


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="First answers while people play at many tables.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--pause", type=float, default=5.0, help="mean seconds between two presses of a person (5)")
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    found = asyncio.run(measure(options.tables, options.pause, options.seconds))
    cuts = quantiles(found.answers, n=100)
    print(f"{found.presses / options.seconds:.0f} presses a second; the app uses {100 * found.cpu:.0f}% of a core")
    print(f"first answer, milliseconds: median {cuts[49]:.0f}, 95 of 100 {cuts[94]:.0f}, 99 of 100 {cuts[98]:.0f}")
    print(f"{'met' if cuts[98] <= TARGET else 'missed'}: 99 of 100 in at most {TARGET}")


if __name__ == "__main__":
    main()
