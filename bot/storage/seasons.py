"""The seasons of a guild."""

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.guild_filter import is_ours
from bot.storage.schema import guilds, matches, scores, seasons
from bot.table.guild import Podium, Season


async def current(connection: AsyncConnection, guild_id: int) -> Season | None:
    """The season that hasn't ended, if any."""
    column = seasons.c
    query = select(column.number, column.name, column.began_at, column.ended_at).where(
        column.guild_id == guild_id, column.ended_at.is_(None)
    )
    found = (await connection.execute(query)).one_or_none()
    return None if found is None else Season(*found)


async def begin(connection: AsyncConnection, guild_id: int, name: str, at: int) -> Season:
    """Begin the next season. The previous one must have ended."""
    last = await connection.scalar(select(func.max(seasons.c.number)).where(seasons.c.guild_id == guild_id))
    season = Season((last or 0) + 1, name, at)
    await connection.execute(
        insert(seasons).values(guild_id=guild_id, number=season.number, name=season.name, began_at=season.began_at)
    )
    return season


async def end(connection: AsyncConnection, guild_id: int, number: int, at: int, channel_id: int | None = None) -> None:
    """End a season. Its podium will be posted in the channel."""
    await connection.execute(update(seasons).where(_is(guild_id, number)).values(ended_at=at, channel_id=channel_id))


async def reset(connection: AsyncConnection, guild_id: int, number: int, at: int) -> None:
    """Start a season again. Its previous matches stay, but belong to no season."""
    of_season = (matches.c.guild_id == guild_id) & (matches.c.season == number)
    await connection.execute(update(matches).where(of_season).values(season=None))
    of_period = (scores.c.guild_id == guild_id) & (scores.c.period == f"s{number}")
    await connection.execute(delete(scores).where(of_period))
    await connection.execute(update(seasons).where(_is(guild_id, number)).values(began_at=at))


async def podiums(connection: AsyncConnection) -> list[Podium]:
    """The podiums to post in our guilds, except those that the app has left."""
    column = seasons.c
    query = (
        select(column.guild_id, column.channel_id, column.number, column.name, column.began_at, column.ended_at)
        .outerjoin(guilds, guilds.c.id == column.guild_id)
        .where(column.channel_id.is_not(None), guilds.c.left_at.is_(None), is_ours(connection, column.guild_id))
    )
    return [Podium(guild, Season(*rest), channel) for guild, channel, *rest in await connection.execute(query)]


async def record_podium_posted(connection: AsyncConnection, podium: Podium) -> None:
    """Store that a podium has been posted."""
    chosen = _is(podium.guild_id, podium.season.number)
    await connection.execute(update(seasons).where(chosen).values(channel_id=None))


def _is(guild_id: int, number: int) -> ColumnElement[bool]:
    return (seasons.c.guild_id == guild_id) & (seasons.c.number == number)
