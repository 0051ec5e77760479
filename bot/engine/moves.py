"""What may be asked of a match: by a seat, or by the table itself. Whether it may be done, `rules.decide` says."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.engine.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class Play:
    """Lay `cards`; `last_card`: and say "Last card!" with it (R29)."""

    seat: int
    cards: Cards
    last_card: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """Knock (R23)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Say "Last card!" after the play (R29, R36)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GiveBack:
    """Complete the exchange as the winner of the last hand (R27)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the own play or pass back, the line just before."""

    seat: int


@dataclass(frozen=True, slots=True)
class Deal:
    """The table deals the next hand from the seed that it is committed to."""

    seed: bytes

    def __repr__(self) -> str:
        return "Deal(seed=secret)"


@dataclass(frozen=True, slots=True)
class Reveal:
    """The table closes a decided match: the ranking, and the seed for everybody to check."""

    seed: bytes

    def __repr__(self) -> str:
        return "Reveal(seed=secret)"


@dataclass(frozen=True, slots=True)
class Substitute:
    """From here on `by` plays for `seat`: a display name, or "ai:LEVEL"."""

    seat: int
    by: str
    for_owner: bool = False


@dataclass(frozen=True, slots=True)
class Abandon:
    """End the match without a ranking."""

    reason: str
    seed: bytes

    def __repr__(self) -> str:
        return f"Abandon(reason={self.reason!r}, seed=secret)"


Move: TypeAlias = Play | Pass | Declare | GiveBack | TakeBack | Deal | Reveal | Substitute | Abandon
