"""User settings, and the tables of a user."""

import asyncio
from datetime import date

import pytest

from bot.storage import user_settings
from bot.storage.database import Database
from bot.table.user import NotificationMode, UserSettings
from tests.storage.sample_rows import HUGE

FULL = UserSettings(
    NotificationMode.DIRECT, "America/Argentina/ComodRivadavia", (1320, 480), (date(2026, 12, 24), date(2027, 1, 2))
)
"""With the longest zone name."""


async def save(database: Database, user_id: int, settings: UserSettings) -> None:
    async with database.write() as connection:
        await user_settings.save(connection, user_id, settings)


async def load(database: Database, user_id: int) -> UserSettings:
    async with database.read() as connection:
        return await user_settings.load(connection, user_id)


async def test_default_settings_mention_the_user_without_quiet_hours_and_holidays(
    any_database: Database,
) -> None:
    assert await load(any_database, 101) == UserSettings(NotificationMode.AWAY, "", None, None)


@pytest.mark.parametrize(
    "settings",
    [
        UserSettings(),
        FULL,
        UserSettings(NotificationMode.NEVER),
        UserSettings(zone="UTC+05:30", quiet=(0, 1439)),
        UserSettings(away=(date(2028, 2, 29), date(2028, 2, 29))),
    ],
)
async def test_settings_are_stored(any_database: Database, settings: UserSettings) -> None:
    await save(any_database, HUGE, settings)
    assert await load(any_database, HUGE) == settings
    assert await load(any_database, 101) == UserSettings()


async def test_later_settings_replace_earlier_ones(any_database: Database) -> None:
    for settings in (FULL, UserSettings(), FULL):
        await save(any_database, 101, settings)
        assert await load(any_database, 101) == settings


async def test_two_first_settings_at_once_do_not_fail(any_database: Database) -> None:
    await asyncio.gather(*(save(any_database, 101, settings) for settings in (FULL, UserSettings(zone="Asia/Tokyo"))))
    assert await load(any_database, 101) in (FULL, UserSettings(zone="Asia/Tokyo"))


async def lesson(database: Database, user_id: int) -> int:
    async with database.read() as connection:
        return await user_settings.lesson(connection, user_id)


async def test_lessons_and_settings_do_not_affect_each_other(any_database: Database) -> None:
    assert await lesson(any_database, 101) == 0
    for done in (3, 18, 0, 7):
        async with any_database.write() as connection:
            await user_settings.set_lesson(connection, 101, done)
        assert await lesson(any_database, 101) == done
    await save(any_database, 101, FULL)
    async with any_database.write() as connection:
        await user_settings.record_welcome(connection, 101)
    assert await lesson(any_database, 101) == 7
    assert await load(any_database, 101) == FULL
    assert await lesson(any_database, HUGE) == 0
