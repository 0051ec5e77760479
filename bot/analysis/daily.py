"""The results of the hand of the day."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.engine.scoring import penalty
from bot.table.days import day_before


@dataclass(frozen=True, slots=True)
class DailyResult:
    """A user's result in the hand of a day."""

    user_id: int
    name: str
    points: int | None
    """Their penalty points; None if they have not finished it."""
    others: int | None
    """The sum of the AI players' points."""

    @property
    def cards_left(self) -> int | None:
        """The cards left at the end; None if the hand isn't finished."""
        return next((left for left in range(17) if penalty(left) == self.points), None)


def streak(days: Iterable[str], last: str) -> int:
    """The number of consecutive days up to `last` that are in `days`, the latest of which comes first."""
    number = 0
    for day in days:
        if day != last:
            break
        number, last = number + 1, day_before(last)
    return number
