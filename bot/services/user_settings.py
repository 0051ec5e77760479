"""The settings of users, the same in all guilds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from bot.services.caches import ReadCache
from bot.storage import locks, user_settings
from bot.storage.database import Database
from bot.table.quiet_hours import local
from bot.table.refusals import BadHolidays, BadQuietHours, DeletionRunning
from bot.table.time_zones import find_zone, zone_of
from bot.table.user import UserSettings

DAY_MINUTES: Final = 24 * 60
MAX_QUIET_MINUTES: Final = 16 * 60
"""The longest quiet hours: other players need time to reach the user."""
MAX_HOLIDAYS: Final = 60
"""The longest holidays, in days."""
MAX_DAYS_AHEAD: Final = 365
"""The latest end of holidays, in days from now."""


class Users:
    """Reads and changes user settings. A refused change has no effect."""

    def __init__(self, database: Database, changed: Callable[[int], None] = lambda _: None) -> None:
        """`changed` is called with each user whose settings have changed."""
        self._database = database
        self._changed = changed
        self._known = ReadCache(database, user_settings.load_known)
        self.forget: Final = self._known.forget
        """Reads the settings of a user again next time."""
        self.forget_all: Final = self._known.forget_all
        """The same for all users."""

    def record_change(self, user_id: int) -> None:
        """Read the settings of a user again next time, because they have changed in the database."""
        self.forget(user_id)
        self._changed(user_id)

    async def get(self, user_id: int) -> UserSettings:
        """The settings of a user, or the defaults."""
        return (await self._known.get(user_id)).settings

    async def set(self, user_id: int, **changes: Any) -> UserSettings:  # noqa: ANN401  # a field each
        """Change fields of a user's settings that need no check."""
        async with self._database.write() as connection:
            await locks.lock(connection, user_id)
            settings = replace(await user_settings.load(connection, user_id), **changes)
            await user_settings.save(connection, user_id, settings)
        self.record_change(user_id)
        return settings

    async def set_zone(self, user_id: int, typed: str) -> UserSettings:
        """Set the time zone. Raises `BadTimeZone` with similar names."""
        return await self.set(user_id, zone=find_zone(typed))

    async def set_quiet(self, user_id: int, quiet: tuple[int, int] | None, zone: str = "") -> UserSettings:
        """Set or remove the quiet hours, in minutes of the day, and perhaps the time zone as typed.

        Raises `BadQuietHours` or `BadTimeZone`.
        """
        if quiet is not None:
            require_quiet_hours(*quiet)
        return await self.set(user_id, quiet=quiet, **_zone(zone))

    async def set_away(self, user_id: int, away: tuple[date, date] | None, now: int, zone: str = "") -> UserSettings:
        """Set or remove the first and last day of holidays, and perhaps the time zone (`now`: UTC milliseconds).

        Raises `BadHolidays` or `BadTimeZone`.
        """
        changes = _zone(zone)
        if away is not None:
            own = (await self.get(user_id)).zone
            require_holidays(*away, local(now, zone_of(changes.get("zone", own))).date())
        return await self.set(user_id, away=away, **changes)

    async def log_out(self, user_id: int, now: int) -> None:
        """End all sessions of a user at the page (`now`: UTC milliseconds)."""
        await self._database.commit(user_settings.record_logout, user_id, now)
        self.record_change(user_id)

    async def logged_out_at(self, user_id: int) -> int:
        """When a user last logged out of the page, in UTC milliseconds; 0: never."""
        return (await self._known.get(user_id)).logged_out_at

    async def is_new(self, user_id: int) -> bool:
        """True until the user has been welcomed."""
        return not (await self._known.get(user_id)).is_welcomed

    async def require_not_deleting(self, user_id: int) -> None:
        """Raise `DeletionRunning` for a user whose data is being deleted."""
        if (await self._known.get(user_id)).is_being_deleted:
            raise DeletionRunning

    async def record_welcome(self, user_id: int) -> None:
        """Store that the user has been welcomed."""
        await self._database.commit(user_settings.record_welcome, user_id)
        self.record_change(user_id)

    async def lesson(self, user_id: int) -> int:
        """The number of tutorial lessons that the user has completed."""
        return await self._database.fetch(user_settings.lesson, user_id)

    async def set_lesson(self, user_id: int, done: int) -> None:
        """Store the number of completed lessons."""
        await self._database.commit(user_settings.set_lesson, user_id, done)


def _zone(typed: str) -> dict[str, str]:
    """The change of the time zone, if one was typed. Raises `BadTimeZone`."""
    return {"zone": find_zone(typed)} if typed else {}


def local_time(settings: UserSettings, now: int) -> datetime:
    """The local time of a user (`now`: UTC milliseconds)."""
    return local(now, zone_of(settings.zone))


def require_quiet_hours(start: int, end: int) -> None:
    """Raise `BadQuietHours` for quiet hours that never end, or that leave too little of the day."""
    if not (
        0 <= start < DAY_MINUTES and 0 <= end < DAY_MINUTES and 0 < (end - start) % DAY_MINUTES <= MAX_QUIET_MINUTES
    ):
        raise BadQuietHours(MAX_QUIET_MINUTES // 60)


def require_holidays(first: date, last: date, today: date) -> None:
    """Raise `BadHolidays` for holidays that are over, too long or too far away."""
    if not (
        first <= last and today <= last and (last - first).days < MAX_HOLIDAYS and (last - today).days <= MAX_DAYS_AHEAD
    ):
        raise BadHolidays(MAX_HOLIDAYS)
