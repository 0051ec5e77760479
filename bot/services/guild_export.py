"""The export of a guild for its managers: a zip file with the guild's data and the records of its matches."""

import asyncio
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from bot.base.fair_queue import Requester
from bot.services.background import RequestLock
from bot.services.json_file import JsonWriter
from bot.storage import guild_export, leaderboard
from bot.storage.database import Database
from bot.storage.leaderboard import Scope
from bot.storage.logs import StoredLogs, load_stored
from bot.storage.readable import readable_row
from bot.table.model import Place
from bot.table.refusals import ExportTooLarge

RECORDS_AT_ONCE: Final = 20
"""Logs in memory at the same time."""
ENTRY_BYTES: Final = 200
"""The most bytes that a file in a zip file takes besides its content."""
LEADERBOARDS: Final = {"leaderboard": True, "leaderboard_with_ai": False}
"""The leaderboards by name. True: only matches between people count."""


@dataclass(frozen=True, slots=True)
class GuildExport:
    """A zip file with `server.json`, and `records/table-N.jsonl` for matches, the newest first while there is room."""

    data: bytes
    records: int
    missing: int
    """Older matches whose record didn't fit."""
    oldest: int | None
    """The table of the last record; None without records."""


class GuildExports:
    """Makes exports of guilds."""

    def __init__(self, database: Database, exports: RequestLock) -> None:
        self._database = database
        self._exports = exports

    async def export(
        self, requester: Requester, may_see: Callable[[Place], bool], limit: int, before: int | None = None
    ) -> GuildExport:
        """The stored data of the requester's guild, in at most `limit` bytes.

        Leaves out matches in channels that the manager can't see. With `before`, it holds only the records of tables
        before this one, to continue another export. Only one export runs at a time, because each holds a connection.
        Raises `ExportTooLarge` if the data without records is larger, and `TryAgainLater` if too many exports wait.
        """
        async with self._exports.turn(requester):
            file = _Zip(limit)
            numbers = await self._add_facts(file, requester.guild_id, may_see)
            if file.room < 0:
                raise ExportTooLarge(limit)
            wanted = [number for number in numbers if before is None or number < before]
            records = await self._add_records(file, wanted)
            return GuildExport(file.close(), records, len(wanted) - records, wanted[records - 1] if records else None)

    async def _add_facts(self, file: "_Zip", guild_id: int, may_see: Callable[[Place], bool]) -> list[int]:
        """Write `server.json`. Returns the tables in it, the newest first."""
        run, numbers = asyncio.to_thread, []
        with file.json("server.json") as facts:
            async with self._database.read() as connection:
                await run(facts.add, "guild_id", guild_id)
                async for name, rows in guild_export.rows(connection, guild_id):
                    await run(facts.extend, name, rows)
                for name, people_only in LEADERBOARDS.items():
                    standings = await leaderboard.standings(connection, Scope(guild_id, people_only=people_only))
                    await run(facts.extend, name, map(asdict, standings))
                await run(facts.extend, "matches", [])
                async for tables in guild_export.ended_tables(connection, guild_id):
                    seen = [
                        row for row in tables if may_see(Place(row["channel_id"], row["thread_id"], row["parent_id"]))
                    ]
                    players = await guild_export.players(connection, [row["id"] for row in seen])
                    rows = [readable_row(row) | {"players": players[row["id"]]} for row in seen]
                    await run(facts.extend, "matches", rows)
                    numbers += [row["id"] for row in seen]
        return numbers

    async def _add_records(self, file: "_Zip", numbers: Sequence[int]) -> int:
        """Add the records of matches while there is room. Returns the number of records."""
        for start in range(0, len(numbers), RECORDS_AT_ONCE):
            some = numbers[start : start + RECORDS_AT_ONCE]
            logs = await self._database.fetch(load_stored, some)
            added = await asyncio.to_thread(file.add_records, some, logs)
            if added < len(some):
                return start + added
        return len(numbers)


class _Zip:
    """A zip file in memory. Its methods are slow: call them in a thread."""

    def __init__(self, limit: int) -> None:
        self._data = BytesIO()
        self._file = ZipFile(self._data, "w", ZIP_DEFLATED, compresslevel=9)
        self._limit = limit

    @property
    def room(self) -> int:
        """The bytes left, after reserving the directory at the end of the file."""
        return self._limit - self._data.tell() - ENTRY_BYTES * (len(self._file.namelist()) + 1)

    @contextmanager
    def json(self, name: str) -> Iterator[JsonWriter]:
        """Add a file with one JSON object, written by the block."""
        with self._file.open(name, "w") as stream:
            writer = JsonWriter(stream)
            yield writer
            writer.end()

    def add_records(self, numbers: Sequence[int], logs: StoredLogs) -> int:
        """Add the records of tables, in this order, while there is room. Returns the number of records."""
        lines: Mapping[int, Sequence[str]] = logs.unpack()
        for added, number in enumerate(numbers):
            record = "".join(f"{line}\n" for line in lines[number]).encode()
            if len(zlib.compress(record, level=9)) > self.room:
                return added
            self._file.writestr(f"records/table-{number}.jsonl", record)
        return len(numbers)

    def close(self) -> bytes:
        """Finish the file and return it."""
        self._file.close()
        return self._data.getvalue()
