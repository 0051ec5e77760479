"""The practice hands of users: the last one of each."""

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.practice import Position, Practice, Source
from bot.engine import Line, read, write
from bot.players.levels import Level
from bot.storage.schema import practices
from bot.storage.upserts import put


async def load(connection: AsyncConnection, user_id: int) -> Practice | None:
    """The last practice hand of a user, if there is one."""
    found = (await connection.execute(select(practices).where(practices.c.user_id == user_id))).one_or_none()
    if found is None:
        return None
    log = tuple(line.event for line in read(found.log))
    start = Position(Source(found.source), found.seat, log[: found.begins], found.match_number)
    return Practice.begin(start, Level(found.level), found.begun_at, log[found.begins :])


async def save(connection: AsyncConnection, user_id: int, practice: Practice) -> None:
    """Store a new practice hand in place of the user's last one."""
    values = {
        "begun_at": practice.number,
        "source": practice.start.source,
        "match_number": practice.start.match_number,
        "level": practice.level,
        "seat": practice.start.seat,
        "begins": len(practice.start.log),
        "log": _log(practice),
    }
    await put(connection, practices, [{"user_id": user_id, **values}], values)


async def move_on(connection: AsyncConnection, user_id: int, known: Practice, new: Practice) -> bool:
    """Store moves in a practice hand. Returns False if it isn't in the state `known` any more."""
    column = practices.c
    own = (column.user_id == user_id) & (column.begun_at == known.number) & (column.log == _log(known))
    return (await connection.execute(update(practices).where(own).values(log=_log(new)))).rowcount > 0


async def delete_before(connection: AsyncConnection, before: int) -> None:
    """Delete practice hands that were begun before `before` (UTC milliseconds)."""
    await connection.execute(delete(practices).where(practices.c.begun_at < before))


def _log(practice: Practice) -> str:
    return write(map(Line, practice.log))
