"""The stored logs of matches: one row for each line during a match, compressed after it.

The lines of a log are similar, so a compressed log takes about an eighth of the space.
"""

import asyncio
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, bindparam, delete, exists, insert, null, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import events, packed_logs, tables
from bot.table.model import Status

IS_OPEN: Final = tables.c.status.in_([status for status in Status if status.is_open])
_LOG: Final = union_all(
    select(events.c.seq, events.c.line, null().label("packed")).where(
        events.c.table_id == bindparam("id"), events.c.seq >= bindparam("since")
    ),
    select(packed_logs.c.table_id, null(), packed_logs.c.lines).where(packed_logs.c.table_id == bindparam("id")),
).order_by("seq")
"""One statement for both, because tables are read far more often than matches end."""


def pack_lines(lines: Sequence[str]) -> bytes:
    """The lines of a log, compressed. A line is JSON, so it contains no line feed."""
    return zlib.compress("\n".join(lines).encode(), level=9)


def unpack(log: bytes) -> list[str]:
    """The lines of a compressed log."""
    return zlib.decompress(log).decode().split("\n")


def has_log() -> ColumnElement[bool]:
    """The condition that a table has a log, so its match has started."""
    return exists().where(events.c.table_id == tables.c.id) | exists().where(packed_logs.c.table_id == tables.c.id)


async def load(connection: AsyncConnection, table_id: int, since: int = 0) -> list[str]:
    """The lines of a log after the first `since`; empty before the match starts."""
    rows = (await connection.execute(_LOG, {"id": table_id, "since": since})).all()
    if rows and rows[0].packed is not None:
        return (await asyncio.to_thread(unpack, rows[0].packed))[since:]
    return [row.line for row in rows]


@dataclass(frozen=True, slots=True)
class StoredLogs:
    """The complete logs of some tables, as they are stored."""

    rows: Sequence[Row[int, str]]
    """Tables and lines, in order."""
    packs: Sequence[Row[Any]]
    """Tables and compressed logs."""

    def unpack(self) -> dict[int, list[str]]:
        """The lines by table, without tables that have no log. Takes about 1 ms for a long compressed log."""
        found = {number: [row.line for row in rows] for number, rows in groupby(self.rows, key=itemgetter(0))}
        return found | {row.table_id: unpack(row.lines) for row in self.packs}


async def load_stored(connection: AsyncConnection, numbers: Collection[int]) -> StoredLogs:
    """The complete logs of some tables, to be decompressed in a thread."""
    column = events.c
    query = select(column.table_id, column.line).where(column.table_id.in_(numbers))
    rows = (await connection.execute(query.order_by(column.table_id, column.seq))).all()
    packs = select(packed_logs).where(packed_logs.c.table_id.in_(numbers))
    return StoredLogs(rows, (await connection.execute(packs)).all())


async def replace(connection: AsyncConnection, changed: Mapping[int, Mapping[int, str]]) -> None:
    """Replace lines of logs: by table, the new lines by number (from 0)."""
    rows = [{"t": number, "s": seq, "new": line} for number, lines in changed.items() for seq, line in lines.items()]
    if not rows:
        return
    key = (events.c.table_id == bindparam("t"), events.c.seq == bindparam("s"))
    await connection.execute(update(events).where(*key).values(line=bindparam("new")), rows)
    query = select(packed_logs).where(packed_logs.c.table_id.in_(changed))
    packs = (await connection.execute(query)).all()
    if packs:
        statement = update(packed_logs).where(packed_logs.c.table_id == bindparam("t"))
        new = await asyncio.to_thread(_repacked, packs, changed)
        await connection.execute(statement.values(lines=bindparam("new")), new)


def _repacked(packs: Sequence[Row[Any]], changed: Mapping[int, Mapping[int, str]]) -> list[dict[str, object]]:
    """The rows of compressed logs after replacing lines."""
    found = []
    for number, log in map(tuple, packs):
        lines = [changed[number].get(seq, line) for seq, line in enumerate(unpack(log))]
        found.append({"t": number, "new": pack_lines(lines)})
    return found


async def pack(connection: AsyncConnection, numbers: Collection[int]) -> None:
    """Compress the logs of matches that have ended."""
    query = select(events.c.table_id, events.c.line).where(events.c.table_id.in_(numbers))
    rows = (await connection.execute(query.order_by(events.c.table_id, events.c.seq))).all()
    logs = {number: [line for _, line in lines] for number, lines in groupby(rows, key=itemgetter(0))}
    if logs:
        await connection.execute(delete(events).where(events.c.table_id.in_(logs)))
        await connection.execute(insert(packed_logs), await asyncio.to_thread(_packs, logs))


def _packs(logs: Mapping[int, Sequence[str]]) -> list[dict[str, object]]:
    return [{"table_id": number, "lines": pack_lines(lines)} for number, lines in logs.items()]
