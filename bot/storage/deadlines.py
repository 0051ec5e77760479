"""The next deadline of each table."""

from typing import Final

from sqlalchemy import bindparam, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import put_rows
from bot.storage.guild_filter import ALL_GUILDS, GuildFilter
from bot.storage.schema import deadlines, tables
from bot.storage.schema import guilds as guild_rows
from bot.table.model import Deadline, DeadlineKind

_OF_TABLE: Final = select(deadlines).where(deadlines.c.table_id == bindparam("id"))
_DELETE: Final = delete(deadlines).where(deadlines.c.table_id == bindparam("id"))
_IS_LEFT: Final = exists().where(guild_rows.c.id == tables.c.guild_id, guild_rows.c.left_at.is_not(None))
_NEEDS_NO_PERSON: Final = deadlines.c.kind.in_([DeadlineKind.AI, DeadlineKind.ORDERS])
_EARLIEST: Final = (
    select(deadlines)
    .join(tables, tables.c.id == deadlines.c.table_id)
    .where(or_(_NEEDS_NO_PERSON, ~_IS_LEFT))
    .order_by(deadlines.c.due_at)
    .limit(bindparam("limit"))
)


async def put(connection: AsyncConnection, table_id: int, deadline: Deadline | None) -> None:
    """Replace the deadline of a table."""
    if deadline is None:
        await connection.execute(_DELETE, {"id": table_id})
    else:
        row = {"table_id": table_id, "kind": deadline.kind, "due_at": deadline.due_at}
        await put_rows(connection, deadlines, [row], ("kind", "due_at"))


async def load(connection: AsyncConnection, table_id: int) -> Deadline | None:
    """The deadline of a table."""
    found = (await connection.execute(_OF_TABLE, {"id": table_id})).first()
    return None if found is None else Deadline(found.table_id, DeadlineKind(found.kind), found.due_at)


async def earliest(connection: AsyncConnection, limit: int, guilds: GuildFilter = ALL_GUILDS) -> list[Deadline]:
    """The earliest deadlines of tables in these guilds, at most `limit`, in order.

    Where the app was removed, players can't answer, so only deadlines of AI players and standing orders count.
    """
    query = _EARLIEST if guilds.is_all else _EARLIEST.where(guilds.condition(tables.c.guild_id))
    found = await connection.execute(query, {"limit": limit})
    return [Deadline(row.table_id, DeadlineKind(row.kind), row.due_at) for row in found]


async def bring_forward(connection: AsyncConnection, kind: DeadlineKind, latest: int) -> None:
    """Move deadlines of a kind that are later than `latest` to `latest`."""
    late = (deadlines.c.kind == kind, deadlines.c.due_at > latest)
    await connection.execute(update(deadlines).where(*late).values(due_at=latest))
