"""Stored deadlines, and the locales of guilds."""

import pytest

from bot.storage import guild_settings, matches
from bot.storage.database import Database
from bot.table.guild import GuildSettings
from bot.table.model import Deadline, DeadlineKind
from tests.storage.sample_rows import table_row


@pytest.fixture
async def numbers(any_database: Database) -> list[int]:
    """Three tables."""
    async with any_database.write() as connection:
        return [await matches.create(connection, table_row()) for _ in range(3)]


async def put(database: Database, *due: Deadline) -> None:
    async with database.write() as connection:
        for deadline in due:
            await matches.put_deadline(connection, deadline.table_id, deadline)


async def earliest(database: Database, most: int = 10) -> list[Deadline]:
    async with database.read() as connection:
        return await matches.earliest_deadlines(connection, most)


async def test_the_earliest_deadlines_come_first_up_to_the_limit(any_database: Database, numbers: list[int]) -> None:
    first, second, third = numbers
    late, soon = Deadline(first, DeadlineKind.TURN, 2**50), Deadline(second, DeadlineKind.AI, 5)
    next_one = Deadline(third, DeadlineKind.AI, 6)
    await put(any_database, late, soon, next_one)
    assert await earliest(any_database) == [soon, next_one, late]
    assert await earliest(any_database, 2) == [soon, next_one]


async def test_a_table_has_one_deadline(any_database: Database, numbers: list[int]) -> None:
    await put(any_database, Deadline(numbers[0], DeadlineKind.TURN, 5))
    await put(any_database, Deadline(numbers[0], DeadlineKind.AI, 9))
    assert await earliest(any_database) == [Deadline(numbers[0], DeadlineKind.AI, 9)]


async def test_a_deadline_can_be_removed(any_database: Database, numbers: list[int]) -> None:
    kept = Deadline(numbers[1], DeadlineKind.TURN, 5)
    await put(any_database, Deadline(numbers[0], DeadlineKind.TURN, 5), kept)
    async with any_database.write() as connection:
        await matches.put_deadline(connection, numbers[0], None)
    assert await earliest(any_database) == [kept]


async def test_the_deadline_of_a_table_can_be_loaded(any_database: Database, numbers: list[int]) -> None:
    due = Deadline(numbers[0], DeadlineKind.REMIND, 5)
    await put(any_database, due)
    async with any_database.read() as connection:
        assert [await matches.deadline(connection, number) for number in numbers[:2]] == [due, None]


async def test_the_locale_of_a_guild_is_stored_and_can_change(any_database: Database) -> None:
    for locale in ("de", "de", "pt-BR"):
        async with any_database.write() as connection:
            await guild_settings.save(connection, 2**62, GuildSettings(locale))
        async with any_database.read() as connection:
            assert await guild_settings.load(connection, 2**62) == GuildSettings(locale)
            assert await guild_settings.load(connection, 5) == GuildSettings()
