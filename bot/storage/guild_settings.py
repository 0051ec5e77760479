"""The settings of guilds, and whether the app is in them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.players.levels import Level
from bot.storage.database import put_rows
from bot.storage.guild_filter import is_ours
from bot.storage.schema import guilds
from bot.table.guild import Celebrations, GuildSettings, PostInterval, Schedule, TableDefaults
from bot.table.model import Pace, TakingBack, TimeoutPolicy

_GUILD: Final = select(guilds).where(guilds.c.id == bindparam("id"))


async def load(connection: AsyncConnection, guild_id: int) -> GuildSettings:
    """The settings of a guild, or the defaults."""
    found = (await connection.execute(_GUILD, {"id": guild_id})).one_or_none()
    return GuildSettings() if found is None else _settings(found)


async def save(connection: AsyncConnection, guild_id: int, settings: GuildSettings) -> None:
    """Store the settings of a guild."""
    values = _values(settings)
    await put_rows(connection, guilds, [{"id": guild_id, **values}], values)


async def due_posts(connection: AsyncConnection, now: int) -> dict[int, Schedule]:
    """The schedules of our guilds due at `now` (UTC seconds), by guild."""
    due = (guilds.c.post_at <= now, guilds.c.left_at.is_(None), is_ours(connection, guilds.c.id))
    query = select(guilds).where(*due)
    found = [(row.id, _settings(row).schedule) for row in await connection.execute(query)]
    return {guild_id: schedule for guild_id, schedule in found if schedule is not None}


async def set_post_at(connection: AsyncConnection, guild_id: int, schedule: Schedule, at: int) -> None:
    """Store when a leaderboard is posted next, unless the schedule has been changed since."""
    same = (guilds.c.id == guild_id, guilds.c.post_every == schedule.every, guilds.c.post_at == schedule.at)
    await connection.execute(update(guilds).where(*same).values(post_at=at))


async def presence(connection: AsyncConnection) -> dict[int, int | None]:
    """All of our guilds, and when the app left them (UTC seconds); None if it's there."""
    is_guild = guilds.c.id > 0  # not the place of a user's own matches
    query = select(guilds.c.id, guilds.c.left_at).where(is_guild, is_ours(connection, guilds.c.id))
    found = await connection.execute(query)
    return {row.id: row.left_at for row in found}


async def left_before(connection: AsyncConnection, moment: int) -> list[int]:
    """The guilds that the app left before a moment (UTC seconds), also those of other processes."""
    return list(await connection.scalars(select(guilds.c.id).where(guilds.c.left_at < moment)))


async def set_presence(connection: AsyncConnection, left: Mapping[int, int | None]) -> None:
    """Store for each guild when the app left it (UTC seconds); None if it's there."""
    rows = [{"id": guild_id, "left_at": at, **_values(GuildSettings())} for guild_id, at in left.items()]
    await put_rows(connection, guilds, rows, ["left_at"])


def _settings(row: Any) -> GuildSettings:  # noqa: ANN401  # a row with these columns
    schedule = None
    if row.post_every:
        schedule = Schedule(PostInterval(row.post_every), row.post_channel_id, row.post_at)
    kinds: dict[str, Callable[[str], Any]] = {
        "pace": Pace,
        "late": TimeoutPolicy,
        "undo": TakingBack,
        "ai_level": Level,
    }
    defaults = {name: kinds[name](value) if name in kinds else value for name, value in row.defaults.items()}
    return GuildSettings(
        row.locale,
        row.language,
        Celebrations(row.celebrations),
        tuple(row.channels),
        tuple(row.roles),
        TableDefaults(**defaults),
        schedule,
        row.text_cards,
        row.limits,
    )


def _values(settings: GuildSettings) -> dict[str, Any]:
    schedule = settings.schedule
    return {
        "locale": settings.locale,
        "language": settings.language,
        "celebrations": settings.celebrations,
        "text_cards": settings.text_cards,
        "channels": list(settings.channels),
        "roles": list(settings.roles),
        "defaults": asdict(settings.defaults),
        "limits": dict(settings.limits),
        "post_every": "" if schedule is None else schedule.every,
        "post_channel_id": None if schedule is None else schedule.channel_id,
        "post_at": None if schedule is None else schedule.at,
    }
