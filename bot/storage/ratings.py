"""The stored ratings: the current one of each member, and those after each match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from sqlalchemy import bindparam, delete, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.rating import Rated, Rating, Seats
from bot.storage import locks
from bot.storage.bulk import MAX_ROWS_ON_LOOP, fetch_converted, stream_parts, stream_rows
from bot.storage.database import put_rows
from bot.storage.schema import match_players, matches, members, ratings

BATCH_SIZE: Final = 200
"""Rows stored in one transaction when ratings are computed again."""
Row: TypeAlias = dict[str, Any]
"""A row of `ratings`."""
Stored: TypeAlias = dict[tuple[int, int], Row]
"""Rows of `ratings`, by table and seat."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """The result of a rated match."""

    nth: int
    """The number of the match in its guild."""
    table_id: int
    seats: Seats


async def of_guild(connection: AsyncConnection, guild_id: int, users: Sequence[int] | None = None) -> dict[int, Rating]:
    """The ratings of a guild's members, or of some of them. Members without a rating are missing."""
    column = members.c
    query = select(column.user_id, column.mu, column.sigma, column.rated).where(
        column.guild_id == guild_id, column.mu.is_not(None)
    )
    if users is not None:
        query = query.where(column.user_id.in_(users))
    return await fetch_converted(connection, query, lambda rows: {row.user_id: Rating(*row[1:]) for row in rows})


async def owners_and_places(connection: AsyncConnection, table_id: int) -> tuple[int, list[tuple[int | None, int]]]:
    """The guild of a finished match, and the owner and place of each seat."""
    column = match_players.c
    query = select(column.guild_id, column.user_id, column.place).where(column.table_id == table_id)
    found = list(await connection.execute(query.order_by(column.seat)))
    return found[0].guild_id, [(user, place) for _, user, place in found]


async def rated_matches(connection: AsyncConnection, guild_id: int, since: int) -> list[RatedMatch]:
    """The rated matches of a guild after match number `since`, in the order in which they ended."""
    player = match_players.c
    query = (
        select(matches.c.nth, matches.c.table_id, player.user_id, player.place)
        .join(match_players, player.table_id == matches.c.table_id)
        .where(matches.c.guild_id == guild_id, matches.c.nth > since, matches.c.rated)
        .order_by(matches.c.nth, player.seat)
    )
    found: dict[tuple[int, int], list[tuple[int | None, int]]] = {}
    async for nth, number, user, place in stream_rows(connection, query):
        found.setdefault((nth, number), []).append((user, place))
    return [RatedMatch(nth, number, seats) for (nth, number), seats in found.items()]


async def stored(connection: AsyncConnection, guild_id: int, since: int) -> Stored:
    """The stored ratings of a guild's matches after match number `since`, by table and seat."""
    query = select(ratings).join(matches, matches.c.table_id == ratings.c.table_id)
    parts = stream_parts(connection, query.where(ratings.c.guild_id == guild_id, matches.c.nth > since))
    return {(row["table_id"], row["seat"]): dict(row) async for part in parts for row in part}


async def put(connection: AsyncConnection, new: Sequence[Row]) -> None:
    """Insert or replace ratings after matches. Their owners are read again: they may have been deleted meanwhile."""
    numbers, player = {row["table_id"] for row in new}, match_players.c
    await locks.lock_tables(connection, numbers)
    query = select(player.table_id, player.seat, player.user_id).where(player.table_id.in_(numbers))
    owners = {(number, seat): user for number, seat, user in await connection.execute(query)}
    rows = [row | {"user_id": owners[key]} for row in new if (key := (row["table_id"], row["seat"])) in owners]
    await put_rows(connection, ratings, rows, ("guild_id", "user_id", "mu", "sigma"))


async def delete_rows(connection: AsyncConnection, keys: Sequence[tuple[int, int]]) -> None:
    """Delete the ratings of some tables and seats."""
    await connection.execute(delete(ratings).where(tuple_(ratings.c.table_id, ratings.c.seat).in_(keys)))


async def replace_members(connection: AsyncConnection, guild_id: int, new: Mapping[int, Rating]) -> None:
    """Replace the current ratings of a guild's members. Members missing from `new` lose theirs."""
    before = await of_guild(connection, guild_id)
    gone = members.c.user_id.in_(before.keys() - new.keys())
    without = update(members).where(members.c.guild_id == guild_id, gone)
    await connection.execute(without.values(mu=None, sigma=None, rated=0))
    await _save_newest(connection, guild_id, {user: each for user, each in new.items() if before.get(user) != each})


async def save(connection: AsyncConnection, guild_id: int, table_id: int, after: Rated) -> None:
    """Store the ratings after a match."""
    await connection.execute(insert(ratings), rows(guild_id, {table_id: after}))
    await _save_newest(connection, guild_id, {user: new for user, new in after if user is not None})


def rows(guild_id: int, after: Mapping[int, Rated]) -> list[Row]:
    """The ratings after matches of a guild as rows."""
    return [
        {"table_id": number, "seat": seat, "guild_id": guild_id, "user_id": user, "mu": new.mu, "sigma": new.sigma}
        for number, rated in after.items()
        for seat, (user, new) in enumerate(rated)
    ]


async def _save_newest(connection: AsyncConnection, guild_id: int, newest: Mapping[int, Rating]) -> None:
    """Store current ratings with few statements, because others wait for the transaction."""
    own = (members.c.guild_id == guild_id, members.c.user_id == bindparam("id"))
    new = [{"id": user, "mu": each.mu, "sigma": each.sigma, "rated": each.matches} for user, each in newest.items()]
    for start in range(0, len(new), MAX_ROWS_ON_LOOP):
        await connection.execute(update(members).where(*own), new[start : start + MAX_ROWS_ON_LOOP])
