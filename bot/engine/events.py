"""What happened in a match, one frozen value each: the lines of the match record (docs/record.md)."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.engine.cards import Card, Cards
from bot.engine.excerpt import excerpt
from bot.engine.options import Options
from bot.engine.scoring import Ranking


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """`match`: the players and the rules in force. Seats are numbered counter-clockwise, 0 … n-1.

    Raises `ValueError` for other than 3 or 4 seats (R19), and for a dealer in none of them.
    """

    edition: str
    options: Options
    seats: tuple[str, ...]
    """Display names."""
    dealer: int
    """The eldest, who deals the first hand (R22)."""
    commitment: str
    """SHA-256 of the seed, hex."""
    salt: str
    """What the server could not know when it chose the seed."""

    def __post_init__(self) -> None:
        if len(self.seats) not in (3, 4):
            raise ValueError(f"{len(self.seats)} seats; three or four can play")
        if not 0 <= self.dealer < len(self.seats):
            raise ValueError(f"no seat {excerpt(self.dealer)}")


@dataclass(frozen=True, slots=True)
class Dealt:
    """`deal`: a new hand. `hands` and `dummy` are secret while it is played."""

    hand: int
    """1, 2, …"""
    direction: int
    """1 counter-clockwise, -1 clockwise (R20)."""
    hands: tuple[Cards, ...]
    """Sixteen cards a seat, as they were dealt; the state sorts them."""
    dummy: Cards
    cut: Cards = ()
    first: int | None = None

    def __repr__(self) -> str:
        return f"Dealt(hand={self.hand}, direction={self.direction})"  # no hand ever reaches a log


@dataclass(frozen=True, slots=True)
class Gave:
    """`give`: the loser's highest card goes to the winner (R27). Shown to all."""

    seat: int
    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class GaveBack:
    """`give_back`: the winner's choice goes to the loser (R27). Shown to all."""

    seat: int
    to: int
    card: Card


@dataclass(frozen=True, slots=True)
class Played:
    """`play`: cards laid; `last_card`: "Last card!" was declared with it."""

    seat: int
    cards: Cards
    last_card: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """`pass`."""

    seat: int


@dataclass(frozen=True, slots=True)
class Declared:
    """`declare`: "Last card!" said after the play."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forgot:
    """`forgot`: "Last card!" was not said, and is settled as the option says (R30, R36)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Undone:
    """`undo`: the seat's play or pass just before is taken back."""

    seat: int


@dataclass(frozen=True, slots=True)
class Substituted:
    """`sub`: `by` plays this seat from here on."""

    seat: int
    by: str
    for_owner: bool = False


@dataclass(frozen=True, slots=True)
class HandEnded:
    """`hand_end`: cards left, points of this hand and totals, a seat each."""

    hand: int
    winner: int
    left: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`match_end`: seats best first, and the seed (hex) revealed."""

    ranking: Ranking
    seed: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """`abandoned`: over without a ranking."""

    reason: str
    totals: tuple[int, ...]
    seed: str


Event: TypeAlias = (
    MatchStarted
    | Dealt
    | Gave
    | GaveBack
    | Played
    | Passed
    | Declared
    | Forgot
    | Undone
    | Substituted
    | HandEnded
    | MatchEnded
    | Abandoned
)
