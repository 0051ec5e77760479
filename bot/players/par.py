"""Par: the penalty points that the strongest network makes with dealt cards. Only the process that thinks has it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from bot.engine import Cards, Options


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A hand as it was dealt, before the exchange."""

    options: Options
    hands: tuple[Cards, ...] = field(repr=False)
    """The cards by seat."""
    direction: int
    """1 counter-clockwise, -1 clockwise."""
    leader: int | None
    """The first leader of the match; None in later hands, which the last winner leads."""


class Par(NamedTuple):
    """By seat: the mean penalty points, and their standard errors."""

    points: tuple[float, ...]
    errors: tuple[float, ...]


def par_of(deal: DealtHand) -> Par:
    """The par of each seat. Raises ImportError without numba. The same deal gives the same par."""
    from bot.players.compiled.par import estimator  # noqa: PLC0415  # numba takes time and memory

    return Par(*estimator().par(deal.options, deal.hands, deal.direction, deal.leader))
