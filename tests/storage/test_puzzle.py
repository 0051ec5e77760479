"""The stored progress with puzzles, on both databases."""

from bot.analysis.puzzle import PuzzleProgress
from bot.storage import puzzle as stored
from bot.storage import user_settings
from bot.storage.database import Database
from bot.table.user import UserSettings

ADA, BO = 104, 2**62
FIRST = PuzzleProgress("2026-12-24", 1, 1)
SECOND = PuzzleProgress("2026-12-25", 2, 2)


async def test_progress_is_stored_for_each_user(database: Database) -> None:
    assert await database.fetch(stored.load, ADA) == PuzzleProgress()
    assert await database.commit(stored.save, ADA, PuzzleProgress(), FIRST)
    assert await database.commit(stored.save, ADA, FIRST, SECOND)
    assert await database.fetch(stored.load, ADA) == SECOND
    assert await database.fetch(stored.load, BO) == PuzzleProgress()


async def test_of_two_simultaneous_answers_one_counts(database: Database) -> None:
    missed = PuzzleProgress("2026-12-24", 0, 0)
    assert await database.commit(stored.save, ADA, PuzzleProgress(), missed)
    assert not await database.commit(stored.save, ADA, PuzzleProgress(), FIRST)
    assert await database.fetch(stored.load, ADA) == missed


async def test_progress_and_settings_do_not_change_each_other(database: Database) -> None:
    settings = UserSettings(language="de", text_cards=True)
    await database.commit(user_settings.save, ADA, settings)
    await database.commit(stored.save, ADA, PuzzleProgress(), FIRST)
    await database.commit(user_settings.save, ADA, settings)
    assert await database.fetch(user_settings.load, ADA) == settings
    assert await database.fetch(stored.load, ADA) == FIRST
