"""The moves of a match, by a seat or by the table itself. `rules.decide` checks and applies them."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.engine.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class Play:
    """Play `cards`; with `last_card`, declare "Last card!" as well (R29)."""

    seat: int
    cards: Cards
    last_card: bool = False


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass (R23)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declare:
    """Declare "Last card!" after the play (R29, R36)."""

    seat: int


@dataclass(frozen=True, slots=True)
class GiveBack:
    """Complete the exchange as the winner of the last hand (R27)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the seat's play or pass, if it is the latest event."""

    seat: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next hand from the seed that the match is committed to. A move of the table."""

    seed: bytes

    def __repr__(self) -> str:
        return "Deal(seed=secret)"


@dataclass(frozen=True, slots=True)
class Reveal:
    """End a decided match with the ranking, and reveal the seed. A move of the table."""

    seed: bytes

    def __repr__(self) -> str:
        return "Reveal(seed=secret)"


@dataclass(frozen=True, slots=True)
class Substitute:
    """Let `by`, a display name or "ai:LEVEL", play for `seat` from now on."""

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


ChosenMove: TypeAlias = Play | Pass | Declare | GiveBack
"""A move that people and AI players choose, and that hints suggest."""
Move: TypeAlias = ChosenMove | TakeBack | Deal | Reveal | Substitute | Abandon
