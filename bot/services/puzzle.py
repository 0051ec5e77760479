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
from bot.fair_queue import Requester
from bot.services.background import Background
from bot.storage import puzzle as stored
from bot.storage.database import Database
from bot.table.days import day_of
from bot.table.refusals import OutdatedAction

FILE: Final = Path(__file__).with_name("puzzles.jsonl")
SHA256: Final = "9980ecb0e46d135ba8b1363f717539cd27f2483a767c7f57d76b3674a17f5ad0"


class WrongPuzzles(Exception):
    """The file isn't the one that belongs to this version."""


@cache
def puzzle_book() -> PuzzleBook:
    """All puzzles. Raises `WrongPuzzles` or OSError."""
    content = FILE.read_bytes()
    if sha256(content).hexdigest() != SHA256:
        raise WrongPuzzles(FILE.name)
    return PuzzleBook(content.decode())


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """The answer to a puzzle."""

    cards: Cards
    """The cards played; none for a pass."""
    hint: Hint
    """The best move, with its reasons."""
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

    def __init__(self, database: Database, background: Background, now: Callable[[], int]) -> None:
        """`now`: UTC milliseconds."""
        self._database = database
        self._background = background
        self._now = now
        self._book = puzzle_book()

    @property
    def today(self) -> str:
        """Today's date in UTC, as for the hand of the day."""
        return day_of(self._now())

    async def of_today(self, requester: Requester) -> UserPuzzle:
        """The puzzle of the day. Raises `TryAgainLater`."""
        return await self.get(requester, self._book.number_of(self.today))

    async def get(self, requester: Requester, number: int) -> UserPuzzle:
        """A puzzle by its number. Raises `OutdatedAction` if there is none, or `TryAgainLater`."""
        book = self._book
        if not 1 <= number <= book.total:
            raise OutdatedAction
        puzzle = await self._background.run(requester, book.get, number)
        day = self.today if book.number_of(self.today) == number else None
        return UserPuzzle(puzzle, day, await self._database.fetch(stored.load, requester.user_id))

    async def before(self, requester: Requester, number: int) -> UserPuzzle:
        """An earlier puzzle, which doesn't count. Raises `TryAgainLater`."""
        return await self.get(requester, self._book.number_before(number))

    async def answer(self, requester: Requester, number: int, cards: Cards) -> UserPuzzle:
        """Answer a puzzle with a legal play, or with a pass if there are no cards. Raises a refusal of `get`."""
        shown = await self.get(requester, number)
        counts, progress = False, shown.progress
        if shown.day is not None and not shown.is_answered:
            progress = progress.after(shown.day, right=shown.puzzle.is_right(cards))
            counts = await self._database.commit(stored.save, requester.user_id, shown.progress, progress)
            if not counts:
                progress = await self._database.fetch(stored.load, requester.user_id)
        found = await self._background.run(requester, hint, shown.puzzle.view, shown.puzzle.best)
        return UserPuzzle(shown.puzzle, shown.day, progress, PuzzleAnswer(cards, found, counts))
