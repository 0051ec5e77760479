"""The results of the hand of the day."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A user's result in the hand of a day."""

    user_id: int
    name: str
    points: int | None
    """Their penalty points; None if they have not finished it."""
    others: int | None
    """The sum of the AI players' points."""
