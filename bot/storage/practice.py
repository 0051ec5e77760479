"""The practice hands of users: the last one of each."""

from typing import Any

from sqlalchemy import Row, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.practice import Position, Practice, Source
from bot.engine import Line, read, write
from bot.players.levels import Level
from bot.storage.database import put_rows
from bot.storage.schema import practices


async def load(connection: AsyncConnection, user_id: int) -> Row[Any] | None:
    """The row of a user's last practice hand, if there is one."""
    return (await connection.execute(select(practices).where(practices.c.user_id == user_id))).one_or_none()


def parse(row: Row[Any]) -> Practice:
    """The practice hand of a row. Takes about 15 µs for each event, so use a thread."""
    log = tuple(line.event for line in read(row.log))
    start = Position(Source(row.source), row.seat, log[: row.begins], row.match_number)
    return Practice.begin(start, Level(row.level), row.begun_at, log[row.begins :])


def written(practice: Practice) -> str:
    """The log of a practice hand as it is stored. Takes about 5 µs for each event, so use a thread."""
    return write(map(Line, practice.log))


async def save(connection: AsyncConnection, user_id: int, practice: Practice, log: str) -> None:
    """Store a new practice hand, whose written log is `log`, in place of the user's last one."""
    values = {
        "begun_at": practice.number,
        "source": practice.start.source,
        "match_number": practice.start.match_number,
        "level": practice.level,
        "seat": practice.start.seat,
        "begins": len(practice.start.log),
        "log": log,
    }
    await put_rows(connection, practices, [{"user_id": user_id, **values}], values)


async def move_on(connection: AsyncConnection, user_id: int, number: int, known: str, new: str) -> bool:
    """Store a longer log of a practice hand. Returns False if its log isn't `known` any more."""
    column = practices.c
    own = (column.user_id == user_id) & (column.begun_at == number) & (column.log == known)
    return (await connection.execute(update(practices).where(own).values(log=new))).rowcount > 0


async def delete_before(connection: AsyncConnection, before: int) -> None:
    """Delete practice hands that were begun before `before` (UTC milliseconds)."""
    await connection.execute(delete(practices).where(practices.c.begun_at < before))
