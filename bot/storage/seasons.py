"""Seasons of a server."""

from dataclasses import dataclass

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import seasons


@dataclass(frozen=True, slots=True)
class Season:
    """A season; its number is 1 for the first of a server."""

    number: int
    name: str
    began_at: int
    """UTC seconds."""
    ended_at: int | None = None


async def current(connection: AsyncConnection, guild_id: int) -> Season | None:
    """The season that has not ended, if there is one."""
    column = seasons.c
    query = select(column.number, column.name, column.began_at, column.ended_at).where(
        column.guild_id == guild_id, column.ended_at.is_(None)
    )
    found = (await connection.execute(query)).one_or_none()
    return None if found is None else Season(*found)


async def begin(connection: AsyncConnection, guild_id: int, name: str, at: int) -> Season:
    """Begin the next season; the one before must have ended."""
    last = await connection.scalar(select(func.max(seasons.c.number)).where(seasons.c.guild_id == guild_id))
    season = Season((last or 0) + 1, name, at)
    await connection.execute(
        insert(seasons).values(guild_id=guild_id, number=season.number, name=season.name, began_at=season.began_at)
    )
    return season


async def end(connection: AsyncConnection, guild_id: int, number: int, at: int) -> None:
    """End a season."""
    chosen = (seasons.c.guild_id == guild_id) & (seasons.c.number == number)
    await connection.execute(update(seasons).where(chosen).values(ended_at=at))
