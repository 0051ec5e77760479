"""The puzzle of the day: the same for everyone. The first answer of a user on its day counts for their streak."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from bot.analysis.hints import Hint, hint
from bot.analysis.puzzle import Puzzle, PuzzleBook, PuzzleProgress
from bot.engine import Cards
from bot.storage import puzzle as stored
from bot.storage.database import Database
from bot.table.days import day_of
from bot.table.refusals import OutdatedAction

FILE: Final = Path(__file__).with_name("puzzles.jsonl")
SHA256: Final = "824d90b9605737751787959cffae4df2cfebd8aa6371faef28d52e4901d591e0"


@cache
def puzzle_book() -> PuzzleBook:
    """All puzzles. Raises ValueError if the file isn't the one of this version, or OSError."""
    content = FILE.read_bytes()
    if sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{FILE.name} isn't the one of this version")
    return PuzzleBook(content.decode())


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """The answer to a puzzle."""

    cards: Cards
    """The cards played; none for a pass."""
    hint: Hint
    """The user's move if it's right, otherwise the best one, with the reason for it."""
    counts: bool
    """True for the first answer to the puzzle of the day."""


@dataclass(frozen=True, slots=True)
class UserPuzzle:
    """A puzzle as a user sees it."""

    puzzle: Puzzle
    day: str | None
    """Today's date if it's the puzzle of the day; None for another one."""
    progress: PuzzleProgress
    answer: PuzzleAnswer | None = None

    @property
    def is_answered(self) -> bool:
        """True if the user has answered the puzzle of the day, now or earlier today."""
        return self.day is not None and self.progress.day == self.day


class Puzzles:
    """Shows puzzles and keeps the progress of users."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        """`now`: UTC milliseconds."""
        self._database = database
        self._now = now
        self._book = puzzle_book()

    @property
    def today(self) -> str:
        """Today's date in UTC, as for the hand of the day."""
        return day_of(self._now())

    async def of_today(self, user_id: int) -> UserPuzzle:
        """The puzzle of the day."""
        return await self.get(user_id, self._book.number_of(self.today))

    async def get(self, user_id: int, number: int) -> UserPuzzle:
        """A puzzle by its number. Raises `OutdatedAction` if there is none."""
        if not 1 <= number <= self._book.total:
            raise OutdatedAction
        day = self.today if self._book.number_of(self.today) == number else None
        return UserPuzzle(self._book.get(number), day, await self._database.fetch(stored.load, user_id))

    async def before(self, user_id: int, number: int) -> UserPuzzle:
        """An earlier puzzle, which doesn't count."""
        return await self.get(user_id, self._book.number_before(number))

    async def answer(self, user_id: int, number: int, cards: Cards) -> UserPuzzle:
        """Answer a puzzle with a legal play, or with a pass if there are no cards. Raises `OutdatedAction`."""
        shown = await self.get(user_id, number)
        counts, progress = False, shown.progress
        if shown.day is not None and not shown.is_answered:
            progress = progress.after(shown.day, right=shown.puzzle.is_right(cards))
            counts = await self._database.commit(stored.save, user_id, shown.progress, progress)
            if not counts:
                progress = await self._database.fetch(stored.load, user_id)
        puzzle = shown.puzzle
        own = puzzle.move_of(cards)
        better, worse = (own, puzzle.runner_up) if puzzle.is_right(cards) else (puzzle.best, own)
        return UserPuzzle(puzzle, shown.day, progress, PuzzleAnswer(cards, hint(puzzle.view, better, worse), counts))
