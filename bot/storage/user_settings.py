"""The settings of users."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from sqlalchemy import Row, bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import put_rows, upsert
from bot.storage.schema import deletions, users
from bot.table.user import NotificationMode, UserSettings

_day: Final = date.fromisoformat
_NEW: Final = {"greeted": False, "lesson": 0, "hidden": False}
"""The other columns of a new row."""
_USER: Final = select(users).where(users.c.user_id == bindparam("id"))
_DELETION: Final = select(deletions.c.user_id).where(deletions.c.user_id == bindparam("id"))


@dataclass(frozen=True, slots=True)
class KnownUser:
    """The stored data about a user that each press needs."""

    settings: UserSettings
    is_welcomed: bool
    is_being_deleted: bool
    logged_out_at: int
    """When they last logged out of the page, in UTC milliseconds; 0: never."""


async def load(connection: AsyncConnection, user_id: int) -> UserSettings:
    """The settings of a user, or the defaults."""
    return (await load_known(connection, user_id)).settings


async def load_known(connection: AsyncConnection, user_id: int) -> KnownUser:
    """The stored data about a user, or the defaults."""
    is_being_deleted = await connection.scalar(_DELETION, {"id": user_id}) is not None
    found = (await connection.execute(_USER, {"id": user_id})).one_or_none()
    if found is None:
        return KnownUser(UserSettings(), False, is_being_deleted, 0)
    return KnownUser(_settings(found), bool(found.greeted), is_being_deleted, found.logged_out_at or 0)


async def save(connection: AsyncConnection, user_id: int, settings: UserSettings) -> None:
    """Store the settings of a user."""
    values = _values(settings)
    await put_rows(connection, users, [{**_NEW, "user_id": user_id, **values}], values)


def _values(settings: UserSettings) -> dict[str, object]:
    quiet_from, quiet_until = settings.quiet or (None, None)
    away_from, away_until = settings.away or (None, None)
    return {
        "notifications": settings.notifications,
        "zone": settings.zone,
        "quiet_from": quiet_from,
        "quiet_until": quiet_until,
        "away_from": away_from and away_from.isoformat(),
        "away_until": away_until and away_until.isoformat(),
        "language": settings.language,
        "text_cards": settings.text_cards,
        "by_color": settings.by_color,
    }


async def record_welcome(connection: AsyncConnection, user_id: int) -> None:
    """Store that the user has been welcomed."""
    await _note(connection, user_id, greeted=True)


async def record_logout(connection: AsyncConnection, user_id: int, now: int) -> None:
    """Store that the user has logged out of the page (`now`: UTC milliseconds)."""
    await _note(connection, user_id, logged_out_at=now)


async def lesson(connection: AsyncConnection, user_id: int) -> int:
    """The number of tutorial lessons that the user has completed."""
    return await connection.scalar(select(users.c.lesson).where(users.c.user_id == user_id)) or 0


async def set_lesson(connection: AsyncConnection, user_id: int, done: int) -> None:
    """Store the number of completed lessons."""
    await _note(connection, user_id, lesson=done)


async def is_hidden(connection: AsyncConnection, user_id: int) -> bool:
    """True if the user is hidden from leaderboards."""
    return bool(await connection.scalar(select(users.c.hidden).where(users.c.user_id == user_id)))


async def hide(connection: AsyncConnection, user_id: int, *, hidden: bool) -> None:
    """Hide the user from leaderboards, or show them again."""
    await _note(connection, user_id, hidden=hidden)


async def add(connection: AsyncConnection, user_id: int) -> None:
    """Make sure that the user has a row."""
    row = {**_NEW, "user_id": user_id, **_values(UserSettings())}
    await connection.execute(upsert(connection, users).values(row).on_conflict_do_nothing())


async def _note(connection: AsyncConnection, user_id: int, **values: object) -> None:
    """Change columns of a user who may not have a row yet."""
    await add(connection, user_id)
    await connection.execute(update(users).where(users.c.user_id == user_id).values(**values))


def _settings(found: Row[tuple[object, ...]]) -> UserSettings:
    return UserSettings(
        NotificationMode(found.notifications),
        found.zone,
        None if found.quiet_from is None else (found.quiet_from, found.quiet_until),
        None if found.away_from is None else (_day(found.away_from), _day(found.away_until)),
        found.language,
        found.text_cards,
        found.by_color,
    )
