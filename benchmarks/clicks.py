"""The CPU that the app uses for a press, compared with an app on bare discord.py that makes the same requests.

At several tables, four people with open hands play. One person at each table presses at the same time, and the CPU of
the app is measured until all requests are made. Then these requests are prepared for the floor app
(`benchmarks.floor_app`), and the same people press the same buttons in another playground. CPU is user and system time
of each process, so it hardly depends on what else runs.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.engine.cards import ALL_CARDS
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.playground import Playground
from playground.rest.middleware import Exchange
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.app_process import BOUND, ROOT
from tests.end_to_end.match_table import OPEN, PASSING, PLAY, SELECT, TAP, Button, MatchTable

TARGETS: Final = {OPEN: 1.5, TAP: 1.5, SELECT: 1.5, PASSING: 2.4, PLAY: 2.4}
"""The most CPU of the app by kind of press, as a multiple of the floor's."""
LOOK: Final = 0.04
"""Seconds between two looks at the requests."""
QUIET: Final = 5
"""Looks without a new request, after which a press is over."""


def cpu_seconds(process: Process) -> float:
    """User and system time of a running process, including threads that have ended (man 3 clock_getcpuclockid)."""
    return time.clock_gettime((~process.pid << 3) | 2)


@dataclass
class Side:
    """An app in its playground."""

    harness: AppHarness
    app: Process
    exchanges: list[Exchange]
    tables: list[MatchTable]

    @property
    def people(self) -> list[Person]:
        """The people of all tables."""
        return [person for table in self.tables for person in table.people]

    async def press(self, presses: Iterable[Awaitable[Reply]]) -> tuple[list[Reply], list[Exchange], float]:
        """Press, and wait until the app is done. Returns the replies, all requests, and the CPU in seconds."""
        self.exchanges.clear()
        before = cpu_seconds(self.app)
        replies = await asyncio.gather(*presses)
        seen = quiet = 0
        while quiet < QUIET:
            await asyncio.sleep(LOOK)
            quiet = quiet + 1 if len(self.exchanges) == seen else 0
            seen = len(self.exchanges)
        return replies, list(self.exchanges), cpu_seconds(self.app) - before


@dataclass
class Comparison:
    """Both sides, the ids that correspond to each other, and the measured CPU."""

    ours: Side
    floor: Side
    ids: dict[str, str] = field(default_factory=dict)
    """Ids and tokens of the floor's playground by those of ours."""
    costs: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: {kind: [] for kind in TARGETS})
    """The CPU of both for each round, in seconds per press."""

    async def start(self) -> None:
        """Pair everything that the playgrounds have, and let the floor app post the tables."""
        ours, floor = self.ours, self.floor
        self.ids[str(ours.harness.world.app.id)] = str(floor.harness.world.app.id)
        floor.harness.world.emojis.update(ours.harness.world.emojis)
        for mine, theirs in zip(ours.people, floor.people, strict=True):
            self.ids[str(mine.id)] = str(theirs.id)
        for table, other in zip(ours.tables, floor.tables, strict=True):
            self.ids |= {str(table.guild.id): str(other.guild.id), str(table.channel.id): str(other.channel.id)}
            drawn = [each for each in ours.exchanges if each.path.endswith(f"/messages/{table.message.id}")]
            answer = {"type": 4, "data": {"content": "The table", "flags": 64}}
            plan = [
                ("POST", "/interactions/{id}/{token}/callback", answer),
                ("POST", f"/channels/{other.channel.id}/messages", json.loads(drawn[-1].request or b"{}")),
            ]
            await self._prepare([plan])
            _, exchanges, _ = await floor.press([other.people[0].slash(other.channel, "floor")])
            self._pair(str(table.message.id), exchanges[-1])

    async def press(self, kind: str, buttons: Sequence[Button]) -> list[Reply]:
        """Press buttons at the same time, first on our side, then on the floor's."""
        clicks = [person.click(message, custom_id=custom_id) for person, message, custom_id in buttons]
        replies, exchanges, ours = await self.ours.press(clicks)
        assert not any(reply.failed for reply in replies), replies
        kept = [each for each in exchanges if each.request is not None]  # those with files can't be prepared
        own = [[each for each in kept if reply.interaction.token in each.path] for reply in replies]
        others = [each for each in kept if not any(reply.interaction.token in each.path for reply in replies)]
        own[-1] += others
        await self._prepare([self._plan(reply, each) for reply, each in zip(replies, own, strict=True)])
        pressed = [self._there(button) for button in buttons]
        answers, made, floor = await self.floor.press(
            [person.press_old(custom_id, message) for person, message, custom_id in pressed]
        )
        assert len(made) == len(kept), (kept, made)
        for reply, answer, wanted in zip(replies, answers, own, strict=True):
            token = answer.interaction.token
            self.ids[reply.interaction.token] = token
            if reply.message is not None and answer.message is not None:
                self.ids[str(reply.message.id)] = str(answer.message.id)
            mine = [each for each in wanted if each not in others]
            for each, other in zip(mine, (each for each in made if token in each.path), strict=True):
                self._pair(posted_id(each), other)
        tokens = [answer.interaction.token for answer in answers]
        rest = [each for each in made if not any(token in each.path for token in tokens)]
        for each, other in zip(others, rest, strict=True):
            self._pair(posted_id(each), other)
        if kind in self.costs and len(kept) == len(exchanges):
            self.costs[kind].append((ours / len(buttons), floor / len(buttons)))
        return replies

    def _pair(self, posted: str | None, exchange: Exchange) -> None:
        """Record which message of the floor's playground corresponds to one of ours."""
        if posted is not None and (copied := posted_id(exchange)) is not None:
            self.ids[posted] = copied

    def _there(self, button: Button) -> Button:
        """The button in the floor's playground."""
        world = self.floor.harness.world
        person = self.floor.people[self.ours.people.index(button.person)]
        channel = world.channels[int(self.ids[str(button.message.message.channel.id)])]
        message = channel.messages[int(self.ids[str(button.message.id)])]
        return Button(person, SeenMessage(message), button.custom_id)

    def _plan(self, reply: Reply, exchanges: Iterable[Exchange]) -> list[Any]:
        """The requests with the ids of the floor's playground."""
        plan: list[Any] = []
        for each in exchanges:
            path = each.path.replace(reply.interaction.token, "{token}").replace(str(reply.interaction.id), "{id}")
            plan.append((each.method, path, json.loads(each.request) if each.request else None))
        text = json.dumps(plan)
        for mine, theirs in self.ids.items():
            if mine in text:
                text = text.replace(mine, theirs)
        return list(json.loads(text))

    async def _prepare(self, plans: Iterable[list[Any]]) -> None:
        app = self.floor.app
        assert app.stdin is not None
        assert app.stdout is not None
        for plan in plans:
            app.stdin.write(json.dumps(plan).encode() + b"\n")
            await app.stdout.readline()

    async def open(self, movers: Sequence[tuple[MatchTable, Person]]) -> None:
        """Let people open their hands from the table."""
        replies = await self.press(OPEN, [table.button(OPEN, person) for table, person in movers])
        for (table, person), reply in zip(movers, replies, strict=True):
            assert reply.message is not None
            table.panels[person] = reply.message

    async def round(self, *, passes: bool) -> None:
        """A turn at each table: open the hand again, tap a card, and play; with `passes`, pass if possible."""
        movers = [(table, await table.mover_soon()) for table in self.ours.tables]
        await self.open(movers)
        await self.press(TAP, [table.button(TAP, person) for table, person in movers])
        chosen: dict[str, list[tuple[MatchTable, Person]]] = {}
        for table, person in movers:
            chosen.setdefault(table.next_kind(person, passes=passes), []).append((table, person))
        for kind, those in chosen.items():
            await self.press(kind, [table.button(kind, person) for table, person in those])
            if kind == SELECT:
                await self.press(PLAY, [table.button(PLAY, person) for table, person in those])


def posted_id(exchange: Exchange) -> str | None:
    """The id of the message that a request has posted or edited."""
    answer = json.loads(exchange.response or b"{}")
    found = answer.get("id") if isinstance(answer, dict) else None
    return None if found is None else str(found)


async def end(app: Process) -> None:
    """End an app, unless it has ended."""
    if app.returncode is None:
        app.kill()
        await app.wait()


async def start_side(stack: AsyncExitStack, folder: Path, tables: int, *command: str, **settings: str) -> Side:
    """Start an app in a new playground and wait until it is connected."""
    world = await stack.enter_async_context(Playground(rate_limits="off"))
    harness = AppHarness(world, folder, **settings)
    places = [MatchTable.create(harness, number) for number in range(1, tables + 1)]
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, env=harness.environment(), cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    stack.push_async_callback(end, app)
    await world.app_ready(BOUND)
    return Side(harness, app, world.record(), places)


async def measure(tables: int, rounds: int, profile: Path | None) -> dict[str, list[tuple[float, float]]]:
    """The CPU of our app and of the floor app, by kind of press."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        print(f"starting both apps, and {tables} matches", flush=True)
        command = ("bot",) if profile is None else ("benchmarks.sampled_app", str(profile))
        ours = await start_side(stack, folder / "ours", tables, *command, PICTURES="true")
        floor = await start_side(stack, folder / "floor", tables, "benchmarks.floor_app")
        floor.harness.world.commands[None] |= ours.harness.world.commands[None]  # the floor app's texts mention them
        await ours.people[0].until(lambda: len(ours.harness.world.emojis) == len(ALL_CARDS))
        for table in ours.tables:
            await table.start()
        await asyncio.sleep(1)
        comparison = Comparison(ours, floor)
        await comparison.start()
        for number in range(4):
            await comparison.open([(table, table.people[number]) for table in ours.tables])
        for found in comparison.costs.values():
            found.clear()  # the first presses warm both apps up
        if profile is not None:
            ours.app.send_signal(signal.SIGUSR1)
        for number in range(1, rounds + 1):
            print(f"\rround {number} of {rounds} ", end="", flush=True)
            await comparison.round(passes=number % 3 > 0)
        print()
        assert not floor.harness.world.violations, floor.harness.world.violations
        ours.app.terminate()
        await ours.app.wait()
        return comparison.costs


def report(costs: dict[str, list[tuple[float, float]]]) -> None:
    """Print the medians, and their ratio with the middle half of the rounds' ratios."""
    print(f"\n{'CPU in milliseconds, median':<30}{'rounds':>8}{'floor':>8}{'app':>8}{'ratio':>8}  half of the rounds")
    for kind, found in costs.items():
        if len(found) < 4:
            continue
        _, ours, _ = quantiles([cost for cost, _ in found], n=4)
        _, floor, _ = quantiles([cost for _, cost in found], n=4)
        low, _, high = quantiles([cost / base for cost, base in found], n=4)
        ratio = ours / floor
        print(
            f"{kind:<30}{len(found):>8}{1000 * floor:>8.2f}{1000 * ours:>8.2f}{ratio:>8.2f}  {low:.2f} to {high:.2f}  "
            f"{'met' if ratio <= TARGETS[kind] else 'missed'}: at most {TARGETS[kind]:g}"
        )


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="CPU of a press, compared with an app that only makes its requests.")
    parser.add_argument("--tables", type=int, default=10, help="tables at which someone presses at the same time (10)")
    parser.add_argument("--rounds", type=int, default=40, help="turns at each table (40)")
    parser.add_argument("--profile", type=Path, help="write what the app computes into this file (see sampled_app)")
    options = parser.parse_args()
    report(asyncio.run(measure(options.tables, options.rounds, options.profile)))


if __name__ == "__main__":
    main()
