"""What people have set for themselves."""

from datetime import date
from typing import Final

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import users
from bot.storage.upserts import upsert
from bot.table.user import NotificationMode, UserSettings

"""The same statement, `INSERT … ON CONFLICT DO UPDATE`, by the engine that carries it out."""
_day: Final = date.fromisoformat


async def load(connection: AsyncConnection, user_id: int) -> UserSettings:
    """What somebody has set; what everybody begins with, if nothing."""
    found = (await connection.execute(select(users).where(users.c.user_id == user_id))).one_or_none()
    return UserSettings() if found is None else _settings(found)


async def save(connection: AsyncConnection, user_id: int, settings: UserSettings) -> None:
    """Store what somebody has set, all of it."""
    quiet_from, quiet_until = settings.quiet or (None, None)
    away_from, away_until = settings.away or (None, None)
    values = {
        "notifications": settings.notifications,
        "zone": settings.zone,
        "quiet_from": quiet_from,
        "quiet_until": quiet_until,
        "away_from": away_from and away_from.isoformat(),
        "away_until": away_until and away_until.isoformat(),
        "language": settings.language,
        "text_cards": settings.text_cards,
    }
    new = upsert(connection, users).values(user_id=user_id, greeted=False, lesson=0, hidden=False, **values)
    await connection.execute(new.on_conflict_do_update(index_elements=[users.c.user_id], set_=values))


async def is_welcomed(connection: AsyncConnection, user_id: int) -> bool:
    """Whether somebody has been welcomed."""
    return bool(await connection.scalar(select(users.c.greeted).where(users.c.user_id == user_id)))


async def welcome(connection: AsyncConnection, user_id: int) -> None:
    """Note that somebody has been welcomed."""
    await _note(connection, user_id, greeted=True)


async def lesson(connection: AsyncConnection, user_id: int) -> int:
    """How many lessons of the tutorial somebody has done."""
    return await connection.scalar(select(users.c.lesson).where(users.c.user_id == user_id)) or 0


async def set_lesson(connection: AsyncConnection, user_id: int, done: int) -> None:
    """Note how many lessons somebody has done."""
    await _note(connection, user_id, lesson=done)


async def is_hidden(connection: AsyncConnection, user_id: int) -> bool:
    """Whether somebody wants to stand on no board."""
    return bool(await connection.scalar(select(users.c.hidden).where(users.c.user_id == user_id)))


async def hide(connection: AsyncConnection, user_id: int, *, hidden: bool) -> None:
    """Note whether somebody wants to stand on no board."""
    await _note(connection, user_id, hidden=hidden)


async def _note(connection: AsyncConnection, user_id: int, **values: object) -> None:
    """Note something of somebody who may have set nothing yet."""
    await save(connection, user_id, await load(connection, user_id))
    await connection.execute(update(users).where(users.c.user_id == user_id).values(**values))


def _settings(found: Row[tuple[object, ...]]) -> UserSettings:
    return UserSettings(
        NotificationMode(found.notifications),
        found.zone,
        None if found.quiet_from is None else (found.quiet_from, found.quiet_until),
        None if found.away_from is None else (_day(found.away_from), _day(found.away_until)),
        found.language,
        found.text_cards,
    )
