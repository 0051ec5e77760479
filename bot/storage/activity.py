"""The number of matches and players in a guild, without names."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import match_players, matches


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
