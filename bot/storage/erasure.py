"""Forgetting: a person, a server, a lobby. What stays of a match says nothing of who a former player was.

Both go by the schema: a row that is about one person (whose `user_id` cannot be empty) goes, another loses the id and
the name; whatever belongs to a server or a table goes with it.
"""

import json
from collections.abc import Collection, Iterable
from typing import Any, Final

from sqlalchemy import Text, cast, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.rows import Status
from bot.storage.schema import LISTS_OF_PEOPLE, events, guilds, metadata, ratings, seats, sitters, tables, titles

OPEN: Final = tables.c.status.in_([status for status in Status if status.is_open])
NOBODY: Final = 0
"""The host of a table whose host was a former player."""


async def played_by(connection: AsyncConnection, user_id: int) -> list[int]:
    """The open tables at which somebody has a seat that they play, or may come back to."""
    theirs = or_((seats.c.user_id == user_id) & seats.c.conceded.is_(False), seats.c.sitter_id == user_id)
    query = select(seats.c.table_id).join(tables, tables.c.id == seats.c.table_id).where(OPEN, theirs)
    return list(await connection.scalars(query))


async def rated_in(connection: AsyncConnection, user_id: int) -> list[int]:
    """The servers in which somebody has played rated matches."""
    query = select(ratings.c.guild_id).where(ratings.c.user_id == user_id).distinct()
    return list(await connection.scalars(query))


async def forget_person(connection: AsyncConnection, user_id: int, just_left: Collection[int]) -> list[int]:
    """Take all of a person out of the database; gives the tables that are others now.

    The revision of those that are open grows, so that nobody writes what was before, and that of those which they have
    `just_left`, so that they are shown anew even where that was their end.
    """
    numbers = {*await _leave_logs(connection, user_id), *await _leave_tables(connection, user_id)}
    sat_in = {"sitter_id": None, "sitter_name": ""}
    await connection.execute(update(seats).where(seats.c.sitter_id == user_id).values(sat_in))
    await connection.execute(update(titles).where(titles.c.before_id == user_id).values(before_id=None))
    await connection.execute(update(tables).where(tables.c.closed_by_id == user_id).values(closed_by_id=None))
    for table in metadata.sorted_tables:
        if "user_id" in table.c:
            theirs = table.c.user_id == user_id
            if table.c.user_id.nullable:
                emptied: dict[str, Any] = {"user_id": None} | ({"name": ""} if "name" in table.c else {})
                await connection.execute(update(table).where(theirs).values(emptied))
            else:
                await connection.execute(delete(table).where(theirs))
    if numbers:
        alive = or_(OPEN, tables.c.id.in_(just_left))
        grown = update(tables).where(tables.c.id.in_(numbers), alive).values(revision=tables.c.revision + 1)
        await connection.execute(grown)
    return sorted(numbers)


async def _leave_logs(connection: AsyncConnection, user_id: int) -> set[int]:
    """Take somebody's names out of the logs of matches; gives the tables."""
    owned = select(seats.c.table_id, seats.c.seat, seats.c.name).where(seats.c.user_id == user_id)
    sat_in = select(sitters.c.table_id, sitters.c.seat, sitters.c.name).where(sitters.c.user_id == user_id)
    own = {(table_id, seat): name for table_id, seat, name in await connection.execute(owned)}
    names = {(*place, name) for place, name in own.items()} | {tuple(row) for row in await connection.execute(sat_in)}
    numbers = {table_id for table_id, _, _ in names}
    for table_id in numbers:
        told = events.c.line.like('{"t": "match"%') | events.c.line.like('{"t": "sub"%')
        query = select(events.c.seq, events.c.line).where(events.c.table_id == table_id, told)
        for seq, line in list(await connection.execute(query)):
            fields = json.loads(line)
            if "seats" in fields:
                fields["seats"] = ["" if (table_id, n) in own else name for n, name in enumerate(fields["seats"])]
            elif (table_id, fields["seat"], fields["by"]) in names:
                fields["by"] = ""
            new = json.dumps(fields, ensure_ascii=False)
            row = (events.c.table_id == table_id, events.c.seq == seq)
            await connection.execute(update(events).where(*row).values(line=new))
    return numbers


async def _leave_tables(connection: AsyncConnection, user_id: int) -> set[int]:
    """Take somebody out of the lists of tables, and off their host's place; gives the tables."""
    column = tables.c
    named = [cast(column[name], Text).contains(str(user_id)) for name in LISTS_OF_PEOPLE]
    query = select(column.id, column.host_id, *(column[name] for name in LISTS_OF_PEOPLE))
    found = (await connection.execute(query.where(or_(column.host_id == user_id, *named)))).mappings().all()
    for row in found:
        values: dict[str, Any] = {
            name: [person for person in row[name] if person != user_id] for name in LISTS_OF_PEOPLE
        }
        values["host_id"] = NOBODY if row["host_id"] == user_id else row["host_id"]
        await connection.execute(update(tables).where(column.id == row["id"]).values(values))
    return {row["id"] for row in found}


async def forget_server(connection: AsyncConnection, guild_id: int, left_before: int, most: int) -> list[int] | None:
    """Forget a server that has been left for so long (UTC seconds): so many tables, and the rest when none is left.

    Gives the tables; None when nothing more is to be done.
    """
    left = select(guilds.c.id).where(guilds.c.id == guild_id, guilds.c.left_at < left_before)
    if await connection.scalar(left) is None:
        return None
    query = select(tables.c.id).where(tables.c.guild_id == guild_id).limit(most)
    numbers = list(await connection.scalars(query))
    if numbers:
        await forget_tables(connection, numbers)
        return numbers
    for table in metadata.sorted_tables:
        if "guild_id" in table.c:
            await connection.execute(delete(table).where(table.c.guild_id == guild_id))
    await connection.execute(delete(guilds).where(guilds.c.id == guild_id))
    return None


async def forget_tables(connection: AsyncConnection, numbers: Iterable[int]) -> None:
    """Forget tables, and whatever belongs to them; the other table of a duplicate match becomes an ordinary one."""
    numbers = list(numbers)
    alone = {"twin_id": None, "sealed": False, "revision": tables.c.revision + 1}
    await connection.execute(update(tables).where(tables.c.twin_id.in_(numbers)).values(alone))
    await connection.execute(delete(tables).where(tables.c.id.in_(numbers)))


async def old_lobbies(connection: AsyncConnection, before: int, most: int) -> list[int]:
    """Tables opened before (UTC seconds) and closed without a match, as far as their channels know of it."""
    began = exists().where(events.c.table_id == tables.c.id)
    ended = (tables.c.status == Status.CLOSED, tables.c.shown_revision >= tables.c.revision)
    query = select(tables.c.id).where(tables.c.created_at < before, *ended, ~began).limit(most)
    return list(await connection.scalars(query))
