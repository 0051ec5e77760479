"""A database with any number of unfinished matches, made quickly by raw inserts."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from bot.engine import Deal, MatchStarted, Options, advance, begin, commitment, view
from bot.engine.events import Event
from bot.engine.record import Line, to_fields
from bot.players import simple
from bot.storage.database import Database

MOVES: Final = 3
SEATS: Final = ("Ada", "Bo", "Cy", "Di")
AT: Final = 1_700_000_000
IN_A_LONG_TIME: Final = 4_000_000_000_000
"""UTC milliseconds, in the year 2096: no turn's time is up."""
A_GUILD: Final = 20
"""Tables in each guild."""


async def fill(file: Path, number: int) -> None:
    """Make a database with running matches whose channels are up to date."""
    database = Database(f"sqlite+aiosqlite:///{file}")
    await database.upgrade()
    await database.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN")
        _insert(connection, number)
        connection.execute("COMMIT")


def _insert(connection: sqlite3.Connection, number: int) -> None:
    seed = Random(number).randbytes(32)
    lines = [json.dumps(to_fields(Line(event, AT)), ensure_ascii=False) for event in _begun(seed)]
    options = json.dumps(Options().as_dict())
    numbers = range(1, number + 1)
    connection.executemany(
        "INSERT INTO tables (id, guild_id, channel_id, host_id, status, size, edition, options, pace, seed, revision,"
        " created_at, message_id, notice_id, notice, displayed_revision, announced_hand)"
        " VALUES (?, ?, ?, 1, 'playing', 4, 'days-of-wonder', ?, 'slow', ?, 7, ?, ?, ?, ?, 7, 0)",
        (
            (table, table // A_GUILD, table // A_GUILD, options, seed, AT, table, -table, f"{table}.{len(lines)}.00")
            for table in numbers
        ),
    )
    connection.executemany(
        "INSERT INTO seats (table_id, seat, user_id, name) VALUES (?, ?, ?, ?)",
        ((table, seat, seat + 1, name) for table in numbers for seat, name in enumerate(SEATS)),
    )
    connection.executemany(
        "INSERT INTO events (table_id, seq, line) VALUES (?, ?, ?)",
        ((table, seq, line) for table in numbers for seq, line in enumerate(lines)),
    )
    connection.executemany(
        "INSERT INTO deadlines (table_id, kind, due_at) VALUES (?, 'remind', ?)",
        ((table, IN_A_LONG_TIME + table) for table in numbers),
    )


def _begun(seed: bytes) -> Iterator[Event]:
    """A match of four people after a few moves."""
    match = MatchStarted("days-of-wonder", Options(), SEATS, 0, commitment(seed), "0-1-2-3")
    yield match
    state, events = advance(begin(match), Deal(seed), seed)
    yield from events
    for _ in range(MOVES):
        assert state.turn is not None
        state, events = advance(state, simple.choose(view(state, state.turn)), seed)
        yield from events
