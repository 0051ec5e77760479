"""Matches on pages compared with the same matches by buttons: the time until others see a move, and the app's CPU.

Two apps have as many tables of four people each, with a move at one table after the other. At one app they play with
buttons and open hands. At the other each has a page: first they play on their pages, then with buttons and open hands
while their pages watch. A round at one app follows one at the other. Times are from the press, or the request of a
page, until another person's hand is edited, or their page has the update. They include the work of this program,
which plays Discord and all browsers. CPU is user and system time of each app.
"""

import argparse
import asyncio
import json
import signal
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import aiohttp

from benchmarks.clicks import Side, cpu_seconds, start_side
from playground.client.person import Person
from playground.client.screen import Reply
from playground.world.changes import Change, MessageShown
from tests.end_to_end.app_harness import PATIENCE
from tests.end_to_end.match_table import MatchTable
from tests.end_to_end.page_client import Page, Site, settings_of_page

FRAME: Final = 100
"""Milliseconds until 99 of 100 pages have their first table, and until they have the update after another's move."""
CPU: Final = 1.3
"""The most CPU of a match with pages, as a multiple of that by buttons."""
REST: Final = 1.0
"""Seconds after each round, until the app is done."""


@dataclass
class Way:
    """A way to play, and what was measured."""

    name: str
    side: Side
    turn: Callable[[int], Coroutine[Any, Any, None]]
    """Make a move at a table, by its index."""
    moves: int = 0
    cpu: float = 0.0
    """Seconds."""
    times: list[float] = field(default_factory=list)
    """Seconds until others saw each move."""

    async def round(self, spacing: float) -> None:
        """A move at each table."""
        self.side.exchanges.clear()
        before, turns = cpu_seconds(self.side.app), []
        for number in range(len(self.side.tables)):
            turns.append(asyncio.create_task(self.turn(number)))
            await asyncio.sleep(spacing)
        await asyncio.gather(*turns)
        await asyncio.sleep(REST)
        self.moves += len(turns)
        self.cpu += cpu_seconds(self.side.app) - before

    @property
    def cost(self) -> float:
        """Milliseconds of CPU for each move."""
        return 1000 * self.cpu / self.moves


class TimedPage(Page):
    """A page that keeps the newest update only, and when it came."""

    def __init__(self, site: Site, connection: aiohttp.ClientWebSocketResponse) -> None:
        super().__init__(site.harness, connection)
        self._news = asyncio.Event()
        self.came_at = 0.0

    async def _read(self) -> None:
        async for message in self.connection:
            frame = json.loads(message.data)
            assert "refusal" not in frame, frame
            if "table" in frame or "changes" in frame:
                self.updates, self.came_at = [self.table | frame.get("table", frame.get("changes"))], perf_counter()
                self._news.set()

    async def newer(self, length: int) -> float:
        """Wait for an update with more events. Returns when it came."""
        while self.table.get("length", -1) <= length:
            self._news.clear()
            await self._news.wait()
        return self.came_at


class TimedTable:
    """A table with hands, and the times until others see a move."""

    def __init__(self, table: MatchTable) -> None:
        self.table = table
        self.times: list[float] = []
        self._sent: tuple[Person, float] | None = None
        table.press = self._press  # type: ignore[method-assign]  # to know when the last press was
        table.harness.world.change_listeners.append(self._see)

    async def _press(self, kind: str, person: Person) -> Reply:
        self._sent = person, perf_counter()
        return await MatchTable.press(self.table, kind, person)

    def _see(self, change: Change) -> None:
        """The first edit of another person's hand after a press."""
        if self._sent is not None and isinstance(change, MessageShown) and change.message.reader in self.table.people:
            person, at = self._sent
            if change.message.reader is not person:
                self.times.append(perf_counter() - at)
                self._sent = None


@dataclass
class Pages:
    """The open pages of each table."""

    tables: list[list[TimedPage]]
    opened: list[float]
    """Seconds until each page had its first table."""
    times: list[float] = field(default_factory=list)

    async def turn(self, number: int) -> None:
        """The person to act moves on their page; the other pages get the update."""
        pages = self.tables[number]
        mover, length = next(page for page in pages if page.must_act()), pages[0].table["length"]
        sent = perf_counter()
        await mover.send(**mover.move())
        came = [await page.newer(length) for page in pages]
        self.times += [at - sent for page, at in zip(pages, came, strict=True) if page is not mover]


async def open_pages(stack: AsyncExitStack, side: Side, url: str) -> Pages:
    """A page of each person, at their table."""
    http = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
    site, found, opened = Site(side.harness, url, http), [], []
    for number, table in enumerate(side.tables, 1):
        pages = []
        for person in table.people:
            begun = perf_counter()
            connection = await stack.enter_async_context(site.socket())
            await connection.send_json({"hello": {"session": site.sessions.begin(person.id)}})
            page = await stack.enter_async_context(TimedPage(site, connection))
            await page.send("watch", table=number)
            opened.append(await page.newer(-1) - begun)
            pages.append(page)
        found.append(pages)
    return Pages(found, opened)


async def open_hands(side: Side) -> list[TimedTable]:
    """Open the hands of everyone."""
    for table in side.tables:
        for person in table.people:
            await table.open(person)
    return [TimedTable(table) for table in side.tables]


def by_buttons(name: str, side: Side, tables: list[TimedTable]) -> Way:
    """Moves with buttons."""

    async def turn(number: int) -> None:
        await tables[number].table.turn(passes=False)

    return Way(name, side, turn)


async def measure(tables: int, rounds: int, spacing: float, profile: Path | None) -> list[Way]:
    """Play in all ways."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        url, settings = settings_of_page()
        print(f"starting both apps, and {tables} matches at each", flush=True)
        command = ("bot",) if profile is None else ("benchmarks.sampled_app", str(profile))
        buttons = await start_side(stack, folder / "buttons", tables, "bot")
        paged = await start_side(stack, folder / "pages", tables, *command, **settings)
        for side in (buttons, paged):
            side.harness.world.interactions.answer_seconds = PATIENCE
            for table in side.tables:
                await table.start()
        hands = await open_hands(buttons)
        alone = by_buttons("by buttons", buttons, hands)
        pages = await open_pages(stack, paged, url)
        first = 1000 * quantiles(pages.opened, n=100)[98]
        print(f"{'met' if first <= FRAME else 'missed'}: 99 of 100 pages open in {first:.0f} ms, at most {FRAME}")
        played = Way("on pages", paged, pages.turn)
        await asyncio.sleep(REST)
        if profile is not None:
            paged.app.send_signal(signal.SIGUSR1)
        await compare(alone, played, rounds, spacing)
        played.times = pages.times
        if profile is not None:
            paged.app.terminate()
            await paged.app.wait()
            return [alone, played]
        watched_hands = await open_hands(paged)
        again = by_buttons("by buttons, again", buttons, hands)
        watched = by_buttons("by buttons, pages watch", paged, watched_hands)
        await compare(again, watched, rounds, spacing)
        alone.times = [time for table in hands for time in table.times]
        watched.times = [time for table in watched_hands for time in table.times]
        return [alone, played, again, watched]


async def compare(one: Way, other: Way, rounds: int, spacing: float) -> None:
    """Rounds at one app and at the other, in turn. The first ones warm both up."""
    for number in range(rounds + 1):
        print(f"\r{other.name}: round {number} of {rounds} ", end="", flush=True)
        for way in (one, other):
            await way.round(spacing)
            if number == 0:
                way.moves, way.cpu = 0, 0.0
    print()


def report(ways: list[Way]) -> None:
    """Print the figures, as ratios to those by buttons before."""
    print(f"\n{'':<26}{'moves':>7}{'CPU, ms':>9}{'ratio':>7}{'seen after, ms: median':>24}{'99 of 100':>11}")
    for number, way in enumerate(ways):
        cuts = [1000 * each for each in quantiles(way.times, n=100)] if len(way.times) > 1 else None
        times = "" if cuts is None else f"{cuts[49]:>24.0f}{cuts[98]:>11.0f}"
        peer = ways[number - number % 2]
        print(f"{way.name:<26}{way.moves:>7}{way.cost:>9.2f}{way.cost / peer.cost:>7.2f}{times}")
    late = 1000 * quantiles(ways[1].times, n=100)[98]
    print(f"{'met' if late <= FRAME else 'missed'}: 99 of 100 other pages see a move in at most {FRAME} ms")
    for peer, way in zip(ways[::2], ways[1::2], strict=True):
        ratio = way.cost / peer.cost
        print(f"{'met' if ratio <= CPU else 'missed'}: CPU {way.name} at most {CPU:g} times that of buttons alone")


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description="Matches on pages, compared with matches by buttons.")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=10, help="moves at each table, in each way (10)")
    parser.add_argument("--spacing", type=float, default=0.1, help="seconds between moves at two tables (0.1)")
    parser.add_argument("--profile", type=Path, help="write what the app with pages computes (see sampled_app)")
    options = parser.parse_args()
    report(asyncio.run(measure(options.tables, options.rounds, options.spacing, options.profile)))


if __name__ == "__main__":
    main()
