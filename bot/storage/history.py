"""The finished matches of a guild, and the imported records of users."""

import json
from collections.abc import Collection
from hashlib import sha256

from sqlalchemy import ColumnElement, Select, Table, delete, exists, func, insert, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.history import FinishedMatch, FinishedPlayer, HistoryFilter
from bot.storage.locks import lock
from bot.storage.schema import imports, match_players, matches, tables


async def finished(connection: AsyncConnection, filters: HistoryFilter, offset: int, limit: int) -> list[FinishedMatch]:
    """At most `limit` finished matches after the newest `offset`."""
    match, guild = matches.c, filters.guild_id
    chosen: ColumnElement[bool]
    if filters.user_id is not None:
        chosen = match.table_id.in_(_newest(match_players, guild, "user_id", filters.user_id, offset + limit))
    elif filters.channels:
        shown = exists().where(tables.c.id == match.table_id, tables.c.in_channel)
        newest = [_newest(matches, guild, "channel_id", each, offset + limit, shown) for each in filters.channels]
        chosen = match.table_id.in_(union_all(*newest))
    else:
        chosen = match.guild_id == guild
    query = select(match.table_id, match.finished_at, match.edition, match.hands).where(chosen)
    found = list(await connection.execute(query.order_by(match.nth.desc()).offset(offset).limit(limit)))
    players = await _players(connection, [number for number, *_ in found])
    return [FinishedMatch(number, at, edition, hands, tuple(players[number])) for number, at, edition, hands in found]


def _newest(
    rows: Table, guild_id: int, column: str, number: int, limit: int, *chosen: ColumnElement[bool]
) -> Select[tuple[int]]:
    """The tables of the newest matches of a user or in a channel, read in the order of an index."""
    query = select(rows.c.table_id).where(rows.c.guild_id == guild_id, rows.c[column] == number, *chosen)
    return select(query.order_by(rows.c.nth.desc()).limit(limit).subquery().c.table_id)


async def _players(connection: AsyncConnection, numbers: Collection[int]) -> dict[int, list[FinishedPlayer]]:
    player = match_players.c
    place = func.rank().over(
        partition_by=player.table_id, order_by=player.total
    )  # the place at the table, even of absent players
    query = (
        select(player.table_id, player.name, place, player.total, player.user_id.is_(None))
        .where(player.table_id.in_(numbers))
        .order_by(player.table_id, player.total, player.seat)
    )
    found: dict[int, list[FinishedPlayer]] = {number: [] for number in numbers}
    for number, name, rank, total, is_ai in await connection.execute(query):
        found[number].append(FinishedPlayer(name, rank, total, bool(is_ai)))
    return found


async def played_between(connection: AsyncConnection, guild_id: int, start: int, end: int) -> tuple[int, int]:
    """The number of matches finished from `start` to before `end` (UTC seconds), and of their players."""
    match, player = matches.c, match_players.c
    query = (
        select(func.count(match.table_id.distinct()), func.count(player.user_id.distinct()))
        .join_from(matches, match_players, player.table_id == match.table_id)
        .where(match.guild_id == guild_id, match.finished_at >= start, match.finished_at < end)
    )
    found, players = (await connection.execute(query)).one()
    return found, players


def deal_of(first_line: str) -> str:
    """A hash of the commitment and the salt in the first line of a record, which identifies the deals."""
    match = json.loads(first_line)
    return sha256(f"{match['commitment']} {match['salt']}".encode()).hexdigest()


async def save_import(connection: AsyncConnection, user_id: int, record: str, at: int) -> int:
    """Store an imported record in place of the user's last one (`at`: UTC seconds). Returns its number.

    The record must be as `bot.engine.record.write` writes it, so that names in it can be found and deleted.
    """
    await lock(connection, user_id)
    await connection.execute(delete(imports).where(imports.c.user_id == user_id))
    values = {"user_id": user_id, "record": record, "deal": deal_of(record.partition("\n")[0]), "at": at}
    number: int = (await connection.execute(insert(imports).values(values).returning(imports.c.id))).scalar_one()
    return number


async def delete_imports(connection: AsyncConnection, before: int) -> None:
    """Delete records imported before `before` (UTC seconds)."""
    await connection.execute(delete(imports).where(imports.c.at < before))


async def load_import(connection: AsyncConnection, user_id: int, number: int, since: int) -> str | None:
    """An imported record of a user; None if it was deleted, or imported before `since` (UTC seconds)."""
    query = select(imports.c.record).where(imports.c.id == number, imports.c.user_id == user_id, imports.c.at >= since)
    record: str | None = await connection.scalar(query)
    return record
