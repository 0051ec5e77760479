"""The stored data of a guild, for an export by its managers. Members hidden from leaderboards are left out."""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, RowMapping, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.bulk import stream_parts
from bot.storage.logs import IS_OPEN, has_log
from bot.storage.personal_data import MATCH_COLUMNS, TABLE_COLUMNS
from bot.storage.readable import readable_row
from bot.storage.schema import audit_log, guilds, match_players, matches, members, seasons, tables, titles, users

_LEFT_OUT: Final = ("guild_id", "created_at", "in_channel", "daily")
"""Columns of a member's export that this one leaves out."""
PLAYER_COLUMNS: Final = ("table_id", "seat", "user_id", "name", "place", "total", "hands_won", "conceded", "absent")


async def rows(connection: AsyncConnection, guild_id: int) -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    """The lists of the export in parts, each part with the list's name. The first part of each list is empty."""
    for name, query in _queries(guild_id).items():
        yield name, []
        async for part in stream_parts(connection, query):
            yield name, [readable_row(row, ("guild_id",)) for row in part]


def _queries(guild_id: int) -> dict[str, Select[Any]]:
    rated = select(members.c.user_id, members.c.name, members.c.mu, members.c.sigma, members.c.rated)
    return {
        "settings": select(guilds).where(guilds.c.id == guild_id),
        "seasons": select(seasons).where(seasons.c.guild_id == guild_id).order_by(seasons.c.number),
        "audit_log": select(audit_log).where(audit_log.c.guild_id == guild_id).order_by(audit_log.c.id),
        "ratings": rated.where(
            members.c.guild_id == guild_id, members.c.mu.is_not(None), _is_shown(members.c.user_id)
        ).order_by(members.c.user_id),
        "titles": select(titles.c.title, titles.c.user_id, titles.c.value, titles.c.since, titles.c.table_id)
        .where(titles.c.guild_id == guild_id, _is_shown(titles.c.user_id))
        .order_by(titles.c.title),
    }


def _is_shown(user_id: ColumnElement[int]) -> ColumnElement[bool]:
    return user_id.not_in(select(users.c.user_id).where(users.c.hidden))


async def ended_tables(connection: AsyncConnection, guild_id: int) -> AsyncIterator[Sequence[RowMapping]]:
    """The tables whose match has ended, the newest first, in parts.

    Leaves out tables that only their player sees, and those with secret deals.
    """
    query = (
        select(
            *(tables.c[name] for name in TABLE_COLUMNS if name not in _LEFT_OUT),
            *(matches.c[name] for name in MATCH_COLUMNS),
        )
        .outerjoin(matches, matches.c.table_id == tables.c.id)
        .where(
            tables.c.guild_id == guild_id,
            ~IS_OPEN,
            tables.c.in_channel,
            tables.c.deals_secret.is_(False),
            has_log(),
        )
        .order_by(tables.c.id.desc())
    )
    async for part in stream_parts(connection, query):
        yield part


async def players(connection: AsyncConnection, numbers: Collection[int]) -> dict[int, list[dict[str, Any]]]:
    """The results of the players by table."""
    query = select(*(match_players.c[name] for name in PLAYER_COLUMNS)).where(match_players.c.table_id.in_(numbers))
    found: dict[int, list[dict[str, Any]]] = {number: [] for number in numbers}
    for row in (await connection.execute(query.order_by(match_players.c.table_id, match_players.c.seat))).mappings():
        found[row["table_id"]].append(readable_row(row, ("table_id",)))
    return found
