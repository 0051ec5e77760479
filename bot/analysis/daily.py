"""The results of the hand of the day."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """How the hand of a day ended for somebody."""

    user_id: int
    name: str
    points: int | None
    """Their penalty points; None if they have not finished it."""
    others: int | None
    """Those of the AI players in all."""
