"""What people set for themselves, in every server alike."""

from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from bot.storage import user_settings
from bot.storage.database import Database
from bot.table.quiet_hours import local
from bot.table.refusals import BadHolidays, BadQuietHours
from bot.table.time_zones import find_zone, zone_of
from bot.table.user import NotificationMode, UserSettings

DAY: Final = 24 * 60
"""Minutes."""
MAX_QUIET_MINUTES: Final = 16 * 60
"""Minutes of quiet a day: the others have to find somebody awake."""
MAX_HOLIDAYS: Final = 60
"""Days of holidays, for which a table waits."""
MAX_DAYS_AHEAD: Final = 365
"""Days ahead at which holidays have to be over."""


class Users:
    """Asks and changes what a person has set. Whatever is refused has changed nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: int) -> UserSettings:
        """What somebody has set, or what everybody begins with."""
        async with self._database.read() as connection:
            return await user_settings.load(connection, user_id)

    async def set_notifications(self, user_id: int, notifications: NotificationMode) -> UserSettings:
        """Be told in this way."""
        return await self._set(user_id, notifications=notifications)

    async def set_zone(self, user_id: int, typed: str) -> UserSettings:
        """Live in this time zone. Raises `BadTimeZone`, with the names that come near."""
        return await self._set(user_id, zone=find_zone(typed))

    async def set_quiet(self, user_id: int, quiet: tuple[int, int] | None) -> UserSettings:
        """Have quiet hours from one minute of the day until another, or none. Raises `BadQuietHours`."""
        if quiet is not None:
            require_quiet_hours(*quiet)
        return await self._set(user_id, quiet=quiet)

    async def set_away(self, user_id: int, away: tuple[date, date] | None, now: int) -> UserSettings:
        """Have holidays from one day to another, or none; `now` in UTC milliseconds. Raises `BadHolidays`."""
        if away is not None:
            require_holidays(*away, local_time(await self.get(user_id), now).date())
        return await self._set(user_id, away=away)

    async def set_language(self, user_id: int, language: str) -> UserSettings:
        """Read private messages in this language; empty: in Discord's."""
        return await self._set(user_id, language=language)

    async def set_text_cards(self, user_id: int, *, wanted: bool) -> UserSettings:
        """Read cards as `7R`, or see their pictures."""
        return await self._set(user_id, text_cards=wanted)

    async def is_new(self, user_id: int) -> bool:
        """Whether somebody has not been welcomed yet."""
        async with self._database.read() as connection:
            return not await user_settings.is_welcomed(connection, user_id)

    async def welcome(self, user_id: int) -> None:
        """Remember that somebody has been welcomed."""
        async with self._database.write() as connection:
            await user_settings.welcome(connection, user_id)

    async def lesson(self, user_id: int) -> int:
        """How many lessons of the tutorial somebody has done."""
        async with self._database.read() as connection:
            return await user_settings.lesson(connection, user_id)

    async def set_lesson(self, user_id: int, done: int) -> None:
        """Remember how many lessons somebody has done."""
        async with self._database.write() as connection:
            await user_settings.set_lesson(connection, user_id, done)

    async def _set(self, user_id: int, **changes: Any) -> UserSettings:  # noqa: ANN401  # a field each
        async with self._database.write() as connection:
            settings = replace(await user_settings.load(connection, user_id), **changes)
            await user_settings.save(connection, user_id, settings)
        return settings


def local_time(settings: UserSettings, now: int) -> datetime:
    """What clocks show in somebody's zone `now` (UTC milliseconds)."""
    return local(now, zone_of(settings.zone))


def require_quiet_hours(start: int, end: int) -> None:
    """Raise `BadQuietHours` for quiet hours that never end, or leave too little of the day."""
    if not (0 <= start < DAY and 0 <= end < DAY and 0 < (end - start) % DAY <= MAX_QUIET_MINUTES):
        raise BadQuietHours(MAX_QUIET_MINUTES // 60)


def require_holidays(first: date, last: date, today: date) -> None:
    """Raise `BadHolidays` for holidays that are over, or that nobody can wait for."""
    if not (
        first <= last and today <= last and (last - first).days < MAX_HOLIDAYS and (last - today).days <= MAX_DAYS_AHEAD
    ):
        raise BadHolidays(MAX_HOLIDAYS)
