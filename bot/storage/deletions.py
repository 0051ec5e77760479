"""Delete a user, a few rows in each transaction, so that others can write in between.

A row of `deletions` marks an unfinished deletion. Each transaction looks for what is left, so a deletion can continue
after an interruption. Rows about one user (`user_id` can't be null) are deleted; rows of a match lose the id and the
name.
"""

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, TypeAlias

from sqlalchemy import Select, delete, or_, select, tuple_, union, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import locks, logs, personal_data, user_settings
from bot.storage.database import upsert
from bot.storage.history import deal_of
from bot.storage.schema import (
    deletions,
    imports,
    metadata,
    ratings,
    seats,
    substitutes,
    tables,
    title_stats,
    titles,
    users,
)
from bot.storage.schema.parts import USER_LISTS

TABLES_AT_ONCE: Final = 20
ROWS_AT_ONCE: Final = 200
NO_USER: Final = 0
"""The host of a table whose host was deleted. In `deletions`, it marks that the file must be cleaned."""
_Names: TypeAlias = set[tuple[int, str]]
"""The names of a user in the record of a match, each with its seat."""
_WITH_USERS: Final = [
    sql_table for sql_table in metadata.sorted_tables if "user_id" in sql_table.c and sql_table is not deletions
]
_TABLE_DATA: Final = [sql_table for sql_table in _WITH_USERS if "table_id" in sql_table.c and sql_table is not titles]
"""Tables of the database with rows that belong to a table. Titles only refer to the match that won them."""
_USER_DATA: Final = [*(sql_table for sql_table in _WITH_USERS if sql_table not in (*_TABLE_DATA, users)), users]
"""The other ones. The settings come last, because they hide the user from leaderboards until the end."""


async def begin(connection: AsyncConnection, user_id: int, now: int) -> None:
    """Mark a user for deletion, and hide them from leaderboards immediately (`now`: UTC seconds)."""
    found = union(
        *(select(sql_table.c.guild_id).where(sql_table.c.user_id == user_id) for sql_table in (ratings, title_stats))
    )
    values = {"user_id": user_id, "started_at": now, "guilds": sorted(await connection.scalars(found))}
    await connection.execute(upsert(connection, deletions).values(values).on_conflict_do_nothing())
    await user_settings.hide(connection, user_id, hidden=True)


async def under_way(connection: AsyncConnection) -> dict[int, list[int]]:
    """The users being deleted, each with the guilds whose ratings and titles depend on them."""
    column = deletions.c
    query = select(column.user_id, column.guilds).where(column.user_id != NO_USER).order_by(column.started_at)
    return {row.user_id: row.guilds for row in await connection.execute(query)}


async def end(connection: AsyncConnection, user_id: int, now: int) -> bool:
    """Remove the mark and return True if nothing of the user is left. The file must then be cleaned."""
    left = [await connection.scalar(_rows_of(sql_table, user_id).limit(1)) for sql_table in _USER_DATA]
    if await tables_of(connection, user_id) or any(row is not None for row in left):
        return False
    await connection.execute(delete(deletions).where(deletions.c.user_id == user_id))
    values = {"user_id": NO_USER, "started_at": now, "guilds": []}
    await connection.execute(upsert(connection, deletions).values(values).on_conflict_do_nothing())
    return True


async def needs_cleaning(connection: AsyncConnection) -> bool:
    """True if the database file may still contain traces of a deleted user."""
    return await connection.scalar(select(deletions.c.user_id).where(deletions.c.user_id == NO_USER)) is not None


async def record_cleaned(connection: AsyncConnection) -> None:
    """Store that the database file has been cleaned."""
    await connection.execute(delete(deletions).where(deletions.c.user_id == NO_USER))


async def played_by(connection: AsyncConnection, user_id: int) -> list[int]:
    """The open tables where a user has a seat that they play or can come back to."""
    theirs = or_((seats.c.user_id == user_id) & seats.c.conceded.is_(False), seats.c.substitute_id == user_id)
    query = select(seats.c.table_id).join(tables, tables.c.id == seats.c.table_id).where(logs.IS_OPEN, theirs)
    return list(await connection.scalars(query))


async def tables_of(connection: AsyncConnection, user_id: int) -> list[int]:
    """The tables with stored data about a user."""
    listed = chain(*(await personal_data.listed(connection, user_id)).values())
    found = union(
        *(select(sql_table.c.table_id).where(sql_table.c.user_id == user_id) for sql_table in _TABLE_DATA),
        select(seats.c.table_id).where(seats.c.substitute_id == user_id),
        select(tables.c.id).where(tables.c.host_id == user_id),
        select(tables.c.id).where(tables.c.closed_by_id == user_id),
    )
    return sorted({*await connection.scalars(found), *listed})


@dataclass(frozen=True, slots=True)
class _Played:
    """The seats that a user played at a table, and their names in its log."""

    owned: set[int] = field(default_factory=set)
    """The seats that the user owns."""
    names: _Names = field(default_factory=set)
    """All seats that the user has played, with the names that the log may contain."""

    def read(self, log: Sequence[str]) -> None:
        """Add the names in the first line of the log."""
        if self.owned:
            self.names.update((seat, json.loads(log[0])["seats"][seat]) for seat in self.owned)


def _without_names(names: Collection[tuple[int, str]], line: str) -> str:
    """A line of a record without a user's names, which are given with their seats."""
    if '"match"' not in line and '"sub"' not in line:
        return line
    fields = json.loads(line)
    if fields.get("t") == "match":
        fields["seats"] = ["" if place in names else place[1] for place in enumerate(fields["seats"])]
    elif fields.get("t") == "sub" and (fields["seat"], fields["by"]) in names:
        fields["by"] = ""
    return json.dumps(fields, ensure_ascii=False)


async def delete_from_tables(connection: AsyncConnection, user_id: int, numbers: Collection[int]) -> None:
    """Delete a user from tables: from their logs, seats, results and lists, and from imports of their matches.

    The revision of open tables increases, so that nobody writes outdated values.
    """
    await locks.lock_tables(connection, numbers)
    played = await _played(connection, user_id, numbers)
    changes, deals = await asyncio.to_thread(_rewritten, played, await logs.load_stored(connection, played))
    await logs.replace(connection, changes)
    await _remove_from_imports(connection, [(deals[number], played[number].names) for number in deals])
    sat_in = (seats.c.substitute_id == user_id) & seats.c.table_id.in_(numbers)
    await connection.execute(update(seats).where(sat_in).values(substitute_id=None, substitute_name=""))
    for sql_table in _TABLE_DATA:
        await connection.execute(
            _removal(sql_table).where(sql_table.c.user_id == user_id, sql_table.c.table_id.in_(numbers))
        )
    await _remove_from_tables(connection, user_id, numbers, played)


def _removal(sql_table: SqlTable) -> Any:  # noqa: ANN401  # an update or a deletion
    """The statement that removes a user from rows of a table of the database."""
    if not sql_table.c.user_id.nullable:
        return delete(sql_table)
    return update(sql_table).values({"user_id": None} | ({"name": ""} if "name" in sql_table.c else {}))


async def _played(connection: AsyncConnection, user_id: int, numbers: Collection[int]) -> dict[int, _Played]:
    found: dict[int, _Played] = {}
    for sql_table in (seats, substitutes):
        query = select(sql_table.c.table_id, sql_table.c.seat, sql_table.c.name)
        theirs = (sql_table.c.user_id == user_id) & sql_table.c.table_id.in_(numbers)
        for number, seat, name in await connection.execute(query.where(theirs)):
            played = found.setdefault(number, _Played())
            played.names.add((seat, name))
            if sql_table is seats:
                played.owned.add(seat)
    return found


def _rewritten(
    played: Mapping[int, _Played], stored: logs.StoredLogs
) -> tuple[dict[int, dict[int, str]], dict[int, str]]:
    """The changed lines of each log, and the `deal_of` of each match, by table.

    Adds the names in the first lines to `played`. Takes up to 100 ms: call it in a thread.
    """
    found = stored.unpack()
    for number, log in found.items():
        played[number].read(log)
    changes = {number: _changes(played[number].names, log) for number, log in found.items()}
    return changes, {number: deal_of(log[0]) for number, log in found.items()}


def _changes(names: Collection[tuple[int, str]], log: Sequence[str]) -> dict[int, str]:
    """The changed lines of a log by number."""
    return {seq: new for seq, line in enumerate(log) if (new := _without_names(names, line)) != line}


async def _remove_from_imports(connection: AsyncConnection, matches: Sequence[tuple[str, _Names]]) -> None:
    """Delete names from imported records of the matches with these `deal_of` values."""
    known: dict[str, _Names] = {}
    for deal, names in matches:  # several matches can have the same deals
        known.setdefault(deal, set()).update(names)
    query = select(imports.c.id, imports.c.deal, imports.c.record).where(imports.c.deal.in_(known))
    for number, deal, record in (await connection.execute(query)).all():
        new = await asyncio.to_thread(_record_without, known[deal], record)
        await connection.execute(update(imports).where(imports.c.id == number).values(record=new))


def _record_without(names: Collection[tuple[int, str]], record: str) -> str:
    """A record without a user's names, which are given with their seats."""
    return "\n".join(_without_names(names, line) for line in record.split("\n"))


async def _remove_from_tables(
    connection: AsyncConnection, user_id: int, numbers: Collection[int], played: Collection[int]
) -> None:
    """Delete a user from the lists of tables and as host. Also drop the links between matches that they played."""
    column, chosen = tables.c, tables.c.id.in_(numbers)
    query = select(column.id, column.host_id, *(column[name] for name in USER_LISTS)).where(chosen)
    for row in (await connection.execute(query)).mappings().all():
        values: dict[str, Any] = {name: [user for user in row[name] if user != user_id] for name in USER_LISTS}
        values["host_id"] = NO_USER if row["host_id"] == user_id else row["host_id"]
        if any(values[name] != row[name] for name in values):
            await connection.execute(update(tables).where(column.id == row["id"]).values(values))
    await connection.execute(update(tables).where(chosen, column.closed_by_id == user_id).values(closed_by_id=None))
    await connection.execute(update(tables).where(column.id.in_(played)).values(rematch_of=None))
    await connection.execute(update(tables).where(chosen, logs.IS_OPEN).values(revision=column.revision + 1))


async def delete_some_rows(connection: AsyncConnection, user_id: int) -> bool:
    """Delete some of a user's rows that belong to no table. Returns False if there were none."""
    before = select(titles.c.guild_id).where(titles.c.before_id == user_id)
    if guilds := list(await connection.scalars(before)):
        await locks.lock(connection, *guilds)
        await connection.execute(update(titles).where(titles.c.before_id == user_id).values(before_id=None))
    for sql_table in _USER_DATA:
        key = tuple(sql_table.primary_key.columns)
        found = (await connection.execute(_rows_of(sql_table, user_id).limit(ROWS_AT_ONCE))).all()
        if found:
            if "guild_id" in sql_table.primary_key.columns:  # a recount may be about to store what it has read
                await locks.lock(connection, *(row.guild_id for row in found))
            await connection.execute(_removal(sql_table).where(tuple_(*key).in_([tuple(row) for row in found])))
            return True
    return False


def _rows_of(sql_table: SqlTable, user_id: int) -> Select[Any]:
    return select(*sql_table.primary_key.columns).where(sql_table.c.user_id == user_id)


async def mark_outdated(connection: AsyncConnection, numbers: Collection[int]) -> None:
    """Increase the revision of tables that are over, so that they're shown again."""
    ended = tables.c.id.in_(numbers) & ~logs.IS_OPEN
    await connection.execute(update(tables).where(ended).values(revision=tables.c.revision + 1))
