"""The progress of users with the puzzles of the day."""

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.analysis.puzzle import PuzzleProgress
from bot.storage import user_settings
from bot.storage.schema import users

_COLUMNS = (users.c.puzzle_day, users.c.puzzle_streak, users.c.puzzle_best)


async def load(connection: AsyncConnection, user_id: int) -> PuzzleProgress:
    """The progress of a user."""
    found = (await connection.execute(select(*_COLUMNS).where(users.c.user_id == user_id))).one_or_none()
    if found is None or found.puzzle_day is None:
        return PuzzleProgress()
    return PuzzleProgress(found.puzzle_day, found.puzzle_streak, found.puzzle_best)


async def save(connection: AsyncConnection, user_id: int, known: PuzzleProgress, new: PuzzleProgress) -> bool:
    """Store a user's progress. Returns False if it isn't `known` any more, because of an answer in the meantime."""
    await user_settings.add(connection, user_id)
    is_known = users.c.puzzle_day == known.day if known.day else users.c.puzzle_day.is_(None)
    values = {"puzzle_day": new.day, "puzzle_streak": new.streak, "puzzle_best": new.best}
    changed = await connection.execute(update(users).where(users.c.user_id == user_id, is_known).values(values))
    return changed.rowcount > 0
