"""Many presses with pictures, open hands and AI players, and many tables: the app's memory doesn't grow with them.

`GANG_OF_FOUR_CLICKS` is the number of presses, `GANG_OF_FOUR_TABLES` that of touched tables.
"""

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from playground.client.person import Person
from tests.disasters.many_matches import fill
from tests.end_to_end.app_harness import AppHarness, running_app
from tests.end_to_end.match_table import MatchTable

CLICKS: Final = int(os.environ.get("GANG_OF_FOUR_CLICKS", "100"))
TABLES: Final = int(os.environ.get("GANG_OF_FOUR_TABLES", "100"))
AT_ONCE: Final = 8
"""Tables at which people play at the same time."""
PEOPLE: Final = 2
SAMPLES: Final = 20
TARGET: Final = 100
"""Points of a match: an hour of play. Then the next one begins."""
MAX_GROWTH: Final = 12
"""MiB between the first third of the presses and the end."""
MAX_OF_TABLES: Final = 60
"""MiB for 10,000 touched tables."""


def memory_of(harness: AppHarness) -> float:
    """The resident memory of the app's own process, in MiB."""
    assert harness.app is not None
    lines = Path(f"/proc/{harness.app.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


class Presses:
    """Counts presses, and samples the memory while they are made."""

    def __init__(self, harness: AppHarness) -> None:
        self.harness = harness
        self.number = 0
        self.matches = 0
        """Those that have ended."""
        self.memory: list[float] = []
        self._starting = asyncio.Lock()

    def add(self, number: int) -> None:
        """Count presses."""
        self.number += number
        if self.number * SAMPLES >= CLICKS * (len(self.memory) + 1):
            self.memory.append(memory_of(self.harness))
            print(f"{self.number:,} presses: {self.memory[-1]:.0f} MiB", flush=True)  # noqa: T201  # progress

    async def play(self, table: MatchTable) -> None:
        """Play matches at a table until there are enough presses."""
        turns = 0
        while self.number < CLICKS:
            async with self._starting:
                await table.start(TARGET)
            for person in table.people:
                await table.open(person)
            while self.number < CLICKS and not await table.is_over_or_waits():
                turns += 1
                self.add(await table.turn(passes=turns % 3 == 0))
            self.matches += table.is_over()


async def test_memory_is_flat_while_people_play(tmp_path: Path) -> None:
    async with running_app(tmp_path, PICTURES="true") as harness:
        presses = Presses(harness)
        tables = [MatchTable.create(harness, number, PEOPLE) for number in range(AT_ONCE)]
        await asyncio.gather(*map(presses.play, tables))
        print(f"{presses.matches:,} matches have ended")  # noqa: T201  # progress
        assert presses.matches >= CLICKS // 3000, "the presses don't play"
        third = presses.memory[len(presses.memory) // 3]
        assert presses.memory[-1] - third <= MAX_GROWTH, presses.memory


def settle(file: Path, place: MatchTable) -> None:
    """Move all tables of a database to one channel, with the same people in their seats."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE tables SET guild_id = ?, channel_id = ?", (place.guild.id, place.channel.id))
        connection.execute("UPDATE tables SET host_id = ?", (place.people[0].id,))
        for seat, person in enumerate(place.people):
            connection.execute("UPDATE seats SET user_id = ? WHERE seat = ?", (person.id, seat))


async def test_touched_tables_cost_little_memory(tmp_path: Path) -> None:
    async with running_app(tmp_path) as harness:
        await harness.stop_app()
        file = tmp_path / "gang.sqlite3"
        file.unlink()
        await fill(file, TABLES + AT_ONCE)
        place = MatchTable.create(harness, 1)
        settle(file, place)
        await harness.start_app()
        people = asyncio.Queue[Person]()
        for person in place.people:
            people.put_nowait(person)

        async def touch(number: int) -> None:
            person = await people.get()
            reply = await person.slash(place.channel, "gang hand", table=number)
            assert reply.message is not None, reply
            assert "your hand" in reply.message.text
            person.dismiss(reply.message)
            people.put_nowait(person)

        for number in range(1, AT_ONCE + 1):  # the first ones load code and data that all share
            await touch(number)
        before = memory_of(harness)
        await asyncio.gather(*(touch(number) for number in range(AT_ONCE + 1, TABLES + AT_ONCE + 1)))
        grown = memory_of(harness) - before
        print(f"{TABLES:,} tables: {grown:.0f} MiB more")  # noqa: T201
        assert grown <= MAX_OF_TABLES
