"""The hands of the day: their seeds, players and results."""

import hmac
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, delete, func, insert, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.daily import DailyResult
from bot.storage.bulk import fetch_converted
from bot.storage.database import upsert
from bot.storage.schema import daily_deals, daily_marks, daily_players, users


@dataclass(frozen=True, slots=True)
class Entry:
    """A user's hand of a day."""

    table_id: int
    is_finished: bool


async def lock_seed(connection: AsyncConnection, guild_id: int, day: str, fresh: bytes) -> bytes:
    """The seed of a day's hand. The first call sets it to `fresh`.

    The row stays locked until the end of the transaction. On PostgreSQL, this makes two presses of one user wait for
    each other.
    """
    new = upsert(connection, daily_deals).values(guild_id=guild_id, day=day, seed=fresh)
    await connection.execute(new.on_conflict_do_nothing())
    found: bytes = (await connection.execute(_seed_of(guild_id, day).with_for_update())).scalar_one()
    return found


async def seed(connection: AsyncConnection, guild_id: int, day: str) -> bytes | None:
    """The seed of a day's hand; None if it hasn't been drawn."""
    found: bytes | None = await connection.scalar(_seed_of(guild_id, day))
    return found


def _seed_of(guild_id: int, day: str) -> Select[Any]:
    return select(daily_deals.c.seed).where(daily_deals.c.guild_id == guild_id, daily_deals.c.day == day)


async def entry(connection: AsyncConnection, guild_id: int, day: str, user_id: int) -> Entry | None:
    """A user's hand of a day; None until it's dealt."""
    player = daily_players.c
    query = select(player.table_id, player.points.is_not(None)).where(
        player.guild_id == guild_id, player.day == day, player.user_id == user_id
    )
    found = (await connection.execute(query)).one_or_none()
    return None if found is None else Entry(found[0], bool(found[1]))


async def add_entry(
    connection: AsyncConnection, guild_id: int, day: str, user_id: int, name: str, table_id: int
) -> None:
    """Store that a user plays the hand of a day at a table of their own."""
    values = {"guild_id": guild_id, "day": day, "user_id": user_id, "name": name, "table_id": table_id}
    await connection.execute(insert(daily_players).values(values))


async def mark(connection: AsyncConnection, guild_id: int, day: str, user_id: int, key: bytes) -> bool:
    """Mark that a user was dealt the hand of a day. False if they were before, even if they were deleted since.

    The mark is a keyed hash. Without `key`, the seed of the day, it doesn't reveal the user.
    """
    digest = hmac.digest(key, str(user_id).encode(), "sha256")
    new = upsert(connection, daily_marks).values(guild_id=guild_id, day=day, mark=digest)
    return (await connection.execute(new.on_conflict_do_nothing())).rowcount == 1


async def delete_marks(connection: AsyncConnection, today: str) -> None:
    """Delete the marks of earlier days."""
    await connection.execute(delete(daily_marks).where(daily_marks.c.day < today))


async def finish(connection: AsyncConnection, table_id: int, points: int, others: int) -> None:
    """Store the result of a hand."""
    values = {"points": points, "others": others}
    await connection.execute(update(daily_players).where(daily_players.c.table_id == table_id).values(values))


async def finished(connection: AsyncConnection, guild_id: int, day: str) -> int:
    """The number of players who have finished the hand of a day, without hidden ones."""
    player = daily_players.c
    query = select(func.count()).outerjoin_from(daily_players, users, users.c.user_id == player.user_id)
    chosen = (player.guild_id == guild_id, player.day == day, player.points.is_not(None), users.c.hidden.is_not(True))
    return await connection.scalar(query.where(*chosen)) or 0


async def finished_days(connection: AsyncConnection, guild_id: int, user_id: int, last: str) -> list[str]:
    """The days up to `last` whose hand a user has finished, the latest first."""
    player = daily_players.c
    mine = (player.guild_id == guild_id, player.user_id == user_id, player.points.is_not(None), player.day <= last)
    return list(await connection.scalars(select(player.day).where(*mine).order_by(player.day.desc())))


async def results(connection: AsyncConnection, guild_id: int, day: str, *, unfinished: bool) -> list[DailyResult]:
    """The results of a day, best first, without hidden users. Unfinished hands come last if included."""
    player = daily_players.c
    shown = true() if unfinished else player.points.is_not(None)
    query = (
        select(player.user_id, player.name, player.points, player.others)
        .outerjoin(users, users.c.user_id == player.user_id)
        .where(player.guild_id == guild_id, player.day == day, shown, users.c.hidden.is_not(True))
        .order_by(player.points.is_(None), player.points, player.others.desc(), player.user_id)
    )
    return await fetch_converted(connection, query, lambda rows: [DailyResult(*tuple(row)) for row in rows])
