"""The cost of each part of a move, called alone: `python -m benchmarks.parts`.

It's the CPU of this process, with SQLite's thread. In the app each part takes longer, because others run in between.
"""

import asyncio
import json
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

import orjson
import uvloop

from bot.engine import Options
from bot.presentation.table.hand import hand_message
from bot.presentation.table.message import table_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import words_in
from bot.storage.database import Database
from bot.table.model import Status
from bot.table.snapshot import Table
from tests.table_harness import TableHarness, choice

MATCHES: Final = 6
"""The first one isn't measured: it fills the caches."""
REPETITIONS: Final = 20


def cost(function: Callable[..., object], calls: list[tuple[Any, ...]]) -> float:
    """The mean CPU of a call in seconds, for calls with these arguments."""
    for arguments in calls:
        function(*arguments)
    begun = process_time()
    for arguments in calls * REPETITIONS:
        function(*arguments)
    return (process_time() - begun) / len(calls) / REPETITIONS


async def play(harness: TableHarness) -> tuple[list[Table], list[float]]:
    """Play a match. Returns the table after each move, and the CPU of each in seconds."""
    table = await harness.match(people=4, ai_players=0, options=Options())
    tables, costs = [table], list[float]()
    while table.row.status is Status.PLAYING:
        move = choice(table)
        begun = process_time()
        table = await harness.do(table, move)
        costs.append(process_time() - begun)
        tables.append(table)
    return tables, costs


async def measure() -> dict[str, float]:
    """The CPU of each part in seconds."""
    words, moves = words_in("en-US"), list[float]()
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite+aiosqlite:///{folder}/parts.sqlite3")
        await database.upgrade()
        harness = TableHarness(database)
        await harness.allow_tables()
        for number in range(MATCHES):
            print(f"\rmatch {number + 1} of {MATCHES} ", end="", flush=True)
            tables, costs = await play(harness)
            moves += costs if number else []
        await database.close()
    playing = [table for table in tables if table.row.status is Status.PLAYING]
    views = [(table, person.user_id) for table in playing for person in harness.people[:4]]
    hands: list[Any] = [hand_message(*view, HandState(), words) for view in views]
    bodies = [(hand.to_components(),) for hand in hands]
    return {
        "decide and store a move (median)": median(moves),
        "the table's message": cost(table_message, [(table, words) for table in playing]),
        "a hand": cost(hand_message, [(*view, HandState(), words) for view in views]),
        "a hand as JSON, with orjson": cost(orjson.dumps, bodies),
        "a hand as JSON, with Python": cost(json.dumps, bodies),
    }


def main() -> None:
    """Measure and report."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure())
    print(f"\n\n{'CPU in microseconds':<36}")
    for name, seconds in found.items():
        print(f"{name:<36}{1e6 * seconds:>8.1f}")


if __name__ == "__main__":
    main()
