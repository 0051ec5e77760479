"""What a server has set, and whether we are in it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import guilds
from bot.storage.upserts import upsert
from bot.table.guild import GuildSettings, PostInterval, Schedule, TableDefaults
from bot.table.model import Pace

_COLUMNS: Final = (
    guilds.c.locale,
    guilds.c.language,
    guilds.c.celebrates,
    guilds.c.channels,
    guilds.c.roles,
    guilds.c.defaults,
    guilds.c.limits,
    guilds.c.post_every,
    guilds.c.post_channel_id,
    guilds.c.post_at,
)


async def load(connection: AsyncConnection, guild_id: int) -> GuildSettings:
    """What a server has set; what every server begins with, if nothing."""
    found = (await connection.execute(select(*_COLUMNS).where(guilds.c.id == guild_id))).one_or_none()
    return GuildSettings() if found is None else _settings(found)


async def save(connection: AsyncConnection, guild_id: int, settings: GuildSettings) -> None:
    """Store what a server has set, all of it."""
    values = _values(settings)
    new = upsert(connection, guilds).values(id=guild_id, **values)
    await connection.execute(new.on_conflict_do_update(index_elements=[guilds.c.id], set_=values))


async def due_posts(connection: AsyncConnection, now: int) -> dict[int, Schedule]:
    """The schedules, by server, whose time has come `now` (UTC seconds)."""
    query = select(guilds.c.id, *_COLUMNS).where(guilds.c.post_at <= now, guilds.c.left_at.is_(None))
    found = [(row.id, _settings(row).schedule) for row in await connection.execute(query)]
    return {guild_id: schedule for guild_id, schedule in found if schedule is not None}


async def set_post_at(connection: AsyncConnection, guild_id: int, schedule: Schedule, at: int) -> None:
    """Note when a leaderboard is posted next, unless the schedule has been changed meanwhile."""
    same = (guilds.c.id == guild_id, guilds.c.post_every == schedule.every, guilds.c.post_at == schedule.at)
    await connection.execute(update(guilds).where(*same).values(post_at=at))


async def presence(connection: AsyncConnection) -> dict[int, int | None]:
    """Every server of which something is kept, and when we were thrown out of it (UTC seconds), or None."""
    found = await connection.execute(select(guilds.c.id, guilds.c.left_at))
    return {row.id: row.left_at for row in found}


async def set_presence(connection: AsyncConnection, left: Mapping[int, int | None]) -> None:
    """Note that we are in these servers, or since when we are not."""
    if left:
        new = upsert(connection, guilds)
        rows = [{"id": guild_id, "left_at": at, **_values(GuildSettings())} for guild_id, at in left.items()]
        change = {"left_at": new.excluded.left_at}
        await connection.execute(new.on_conflict_do_update(index_elements=[guilds.c.id], set_=change), rows)


def _settings(row: Any) -> GuildSettings:  # noqa: ANN401  # a row with these columns
    schedule = None
    if row.post_every:
        schedule = Schedule(PostInterval(row.post_every), row.post_channel_id, row.post_at)
    defaults = {**row.defaults}
    if "pace" in defaults:
        defaults["pace"] = Pace(defaults["pace"])
    return GuildSettings(
        row.locale,
        row.language,
        row.celebrates,
        tuple(row.channels),
        tuple(row.roles),
        TableDefaults(**defaults),
        schedule,
        row.limits,
    )


def _values(settings: GuildSettings) -> dict[str, Any]:
    schedule = settings.schedule
    return {
        "locale": settings.locale,
        "language": settings.language,
        "celebrates": settings.celebrates,
        "channels": list(settings.channels),
        "roles": list(settings.roles),
        "defaults": asdict(settings.defaults),
        "limits": dict(settings.limits),
        "post_every": "" if schedule is None else schedule.every,
        "post_channel_id": None if schedule is None else schedule.channel_id,
        "post_at": None if schedule is None else schedule.at,
    }
